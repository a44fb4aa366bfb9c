import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimitExceeded } from '../core/access/rate-limits/rate-limit-exceeded';
import { RateLimiter, type RateDecision } from '../core/access/rate-limits/rate-limiter';
import { rateLimitHeaders } from '../core/access/rate-limits/rate-limit-headers';
import { CallsInFlight } from './calls-in-flight';
import type { Credential } from './credential';
import { Credentials } from './credentials';
import type { PipelineCall } from './pipeline-call';
import { RateSubjects } from './rate-subjects';
import { Step } from './step';

/** Step 1: counts the call; beyond the limit 429. Health checks are exempt. */
@Injectable()
export class RateLimitStep extends Step {
  constructor(
    private readonly credentials: Credentials,
    private readonly subjects: RateSubjects,
    private readonly limiter: RateLimiter,
    private readonly inFlight: CallsInFlight,
  ) {
    super();
  }

  override run(call: PipelineCall, request: FastifyRequest, reply: FastifyReply): Promise<void> | void {
    if (call.policy.rate !== 'health') {
      this.inFlight.begin(call);
    }
    const credential = this.credentials.resolve(request, call.policy.auth);
    if (credential instanceof Promise) {
      return credential.then((resolved) => this.count(call, resolved, request, reply));
    }
    return this.count(call, credential, request, reply);
  }

  private count(
    call: PipelineCall,
    credential: Credential,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> | void {
    call.credential = credential;
    if (call.policy.rate === 'health') {
      return;
    }
    const subjects = this.subjects.of(credential, call.policy, request);
    const decision = this.limiter.take(subjects, call.startedAt.getTime());
    if (decision instanceof Promise) {
      return decision.then((decided) => admit(decided, reply));
    }
    admit(decision, reply);
  }
}

function admit(decision: RateDecision, reply: FastifyReply): void {
  if (!decision.allowed) {
    throw new RateLimitExceeded(decision);
  }
  reply.headers(rateLimitHeaders(decision));
}
