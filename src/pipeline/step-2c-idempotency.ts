import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { CallState, Undoing } from '../contract/call-state';
import { ApiError } from '../core/errors/api-error';
import { Idempotency, type Claim, type StoredAnswer } from '../core/money/idempotency/idempotency';
import { leaseMs } from './operation-timeouts';
import type { PipelineCall } from './pipeline-call';
import { Step } from './step';

/** Step 2c: a retry with the same Idempotency-Key gets the stored answer and skips price, charge and work. */
@Injectable()
export class IdempotencyStep extends Step implements Undoing {
  constructor(private readonly idempotency: Idempotency) {
    super();
  }

  override run(call: PipelineCall, request: FastifyRequest): Promise<void> | void {
    if (!call.policy.idempotent || !call.account) {
      return;
    }
    const idempotencyKey = request.headers['idempotency-key'];
    if (typeof idempotencyKey === 'string') {
      return this.claim(call, call.account.id, idempotencyKey);
    }
  }

  async undo(call: CallState): Promise<void> {
    await this.idempotency.abandon(call.id);
  }

  private async claim(call: PipelineCall, accountId: string, idempotencyKey: string): Promise<void> {
    const claimed = await this.tryToClaim(call, accountId, idempotencyKey);
    if ('body' in claimed) {
      call.replay = claimed;
    } else {
      call.claim = claimed;
      call.onFailure(this);
    }
  }

  private async tryToClaim(
    call: PipelineCall,
    accountId: string,
    idempotencyKey: string,
  ): Promise<Claim | StoredAnswer> {
    try {
      return await this.idempotency.claim({
        accountId,
        idempotencyKey,
        operationId: call.policy.operationId,
        request: call.input,
        callId: call.id,
        now: call.startedAt,
        leaseUntil: new Date(call.startedAt.getTime() + leaseMs(call.policy.rate, call.asksForStream)),
      });
    } catch (error) {
      // A claim whose answer was lost may be durable, and would hold the key until its lease is over.
      if (!(error instanceof ApiError)) {
        call.onFailure(this);
      }
      throw error;
    }
  }
}
