import { Injectable } from '@nestjs/common';
import { rateLimitHeaders } from '../core/access/rate-limits/rate-limit-headers';
import { RateLimitEvents } from '../core/access/rate-limits/rate-limit-events';
import { RateLimitExceeded } from '../core/access/rate-limits/rate-limit-exceeded';
import { RateLimiter, type RateDecision, type RefusedCall } from '../core/access/rate-limits/rate-limiter';
import { UnsentBytes } from '../infrastructure/http/unsent-bytes';
import { CallsInFlight } from './calls-in-flight';
import type { Credential } from './credential';
import { Credentials } from './credentials';
import type { MeteredCall } from './metered-call';
import { RateSubjects } from './rate-subjects';
import { refuseUnread } from './refuse-unread';
import type { Step } from './step';

/**
 * Step 1: counts the call; beyond the limit 429, and 503 where too many answers are unread. Health checks are exempt, and
 * so are parts of a call that was counted.
 */
@Injectable()
export class RateLimitStep implements Step {
  readonly name = 'rate_limit';

  constructor(
    private readonly credentials: Credentials,
    private readonly subjects: RateSubjects,
    private readonly limiter: RateLimiter,
    private readonly inFlight: CallsInFlight,
    private readonly unsent: UnsentBytes,
    private readonly events: RateLimitEvents,
  ) {}

  run(call: MeteredCall): Promise<void> | void {
    if (call.policy.rate !== 'health') {
      this.inFlight.begin(call);
    }
    const credential = this.credentials.resolve(call.transport, call.policy.auth);
    if (credential instanceof Promise) {
      return credential.then((resolved) => this.count(call, resolved));
    }
    return this.count(call, credential);
  }

  private count(call: MeteredCall, credential: Credential): Promise<void> | void {
    call.credential = credential;
    if (call.policy.rate === 'health' || call.isPart || isRefusedWithin(call)) {
      return;
    }
    const subjects = this.subjects.of(credential, call);
    const decision = this.limiter.take(subjects, call.startedAt.getTime());
    if (decision instanceof Promise) {
      return decision.then((decided) => this.admit(decided, call));
    }
    this.admit(decision, call);
  }

  private admit(decision: RateDecision, call: MeteredCall): void {
    if (!decision.allowed) {
      this.tell(decision, call);
      throw new RateLimitExceeded(decision);
    }
    call.transport.setHeaders(rateLimitHeaders(decision));
    if (call.transport.isReadOutside) {
      const { credential } = call;
      refuseUnread(this.unsent, 'account' in credential ? credential.account.id : null);
    }
  }

  /** A refusal of a caller whose credential stands for nobody concerns no account. */
  private tell(refused: RefusedCall, { credential, policy, startedAt }: MeteredCall): void {
    if ('account' in credential) {
      const keyId = credential.kind === 'key' ? credential.key.id : null;
      const { operationId } = policy;
      this.events.refused({ accountId: credential.account.id, keyId, operationId, at: startedAt }, refused);
    }
  }
}

/** Callers from within the service come from no address, and whatever they call next is not refused for this call. */
function isRefusedWithin({ credential, transport }: MeteredCall): boolean {
  return credential.kind === 'refused' && transport.caller.kind !== 'secrets';
}
