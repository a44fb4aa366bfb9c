import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { CallState, Undoing } from '../contract/call-state';
import { Idempotency } from '../core/idempotency/idempotency';
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
    if (call.claim) {
      await this.idempotency.abandon(call.claim);
    }
  }

  private async claim(call: PipelineCall, accountId: string, idempotencyKey: string): Promise<void> {
    const claimed = await this.idempotency.claim({
      accountId,
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
      call.onFailure(this);
    }
  }
}
