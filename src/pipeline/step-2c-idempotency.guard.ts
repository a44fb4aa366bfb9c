import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Idempotency } from '../core/idempotency/idempotency';
import { callOf } from './call-of';
import { leaseMs } from './operation-timeouts';

/** Step 2c: a retry with the same Idempotency-Key gets the stored answer and skips price, charge and work. */
@Injectable()
export class IdempotencyGuard implements CanActivate {
  constructor(private readonly idempotency: Idempotency) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const call = callOf(context);
    if (!call?.policy.idempotent || !call.account) {
      return true;
    }
    const idempotencyKey = context.switchToHttp().getRequest<FastifyRequest>().headers['idempotency-key'];
    if (typeof idempotencyKey !== 'string') {
      return true;
    }
    const claimed = await this.idempotency.claim({
      accountId: call.account.id,
      idempotencyKey,
      operationId: call.policy.operationId,
      request: call.input,
      callId: call.id,
      now: call.startedAt,
      leaseUntil: new Date(call.startedAt.getTime() + leaseMs(call.policy.rate)),
    });
    if ('body' in claimed) {
      call.replay = claimed;
    } else {
      call.claim = claimed;
      call.onFailure(() => this.idempotency.abandon(claimed));
    }
    return true;
  }
}
