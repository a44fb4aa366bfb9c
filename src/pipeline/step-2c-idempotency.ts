import { Injectable } from '@nestjs/common';
import { leaseMs, type OperationPolicy } from '../contract/operation';
import { ApiError } from '../errors/api-errors';
import { Idempotency, type Claim, type StoredAnswer } from '../ledger/idempotency';
import type { MeteredCall, Undoing } from './metered-call';
import type { Step } from './steps';

/**
 * Step 2c: a retry with the same Idempotency-Key gets the stored answer and skips price, charge and work. A call that has its
 * claim already takes none; whoever gave it the claim knows that there is no answer yet, and frees it.
 */
@Injectable()
export class IdempotencyStep implements Step, Undoing {
  readonly name = 'idempotency';

  constructor(private readonly idempotency: Idempotency) {}

  isPassedBy({ idempotent, auth }: OperationPolicy): boolean {
    return idempotent && auth !== 'none';
  }

  run(call: MeteredCall): Promise<void> | void {
    const { idempotencyKey } = call.transport;
    if (idempotencyKey !== null && call.claim === null) {
      return this.claim(call, call.accountId, idempotencyKey);
    }
  }

  async undo(call: MeteredCall): Promise<void> {
    await this.idempotency.abandon(call.accountId, call.id);
  }

  private async claim(call: MeteredCall, accountId: string, idempotencyKey: string): Promise<void> {
    const claimed = await this.tryToClaim(call, accountId, idempotencyKey);
    if ('body' in claimed) {
      call.replay = claimed;
    } else {
      call.claim = claimed;
      call.onFailure(this);
    }
  }

  private async tryToClaim(
    call: MeteredCall,
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
        isBounded: call.policy.price !== null,
      });
    } catch (error) {
      // The claim may be stored although its confirmation was lost; it would then hold the key until its lease is over.
      if (!(error instanceof ApiError)) {
        call.onFailure(this);
      }
      throw error;
    }
  }
}
