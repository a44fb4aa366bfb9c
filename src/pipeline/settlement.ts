import { Injectable, Logger } from '@nestjs/common';
import { OutcomeUnknown } from '../core/errors/service-errors';
import { Idempotency } from '../core/money/idempotency/idempotency';
import { Ledger } from '../core/money/ledger/ledger';
import { OperatorLoss } from '../core/money/ledger/operator-loss';
import { costNanoUsd, type TokenUse } from '../core/money/pricing/price-list';
import type { FinalNumbers } from '../core/models/streams/streamed-answer';
import { Clock } from '../infrastructure/clock/clock';
import { errorText } from '../infrastructure/logging/error-text';
import type { MeteredCall, Quote } from './metered-call';

/** Ends a paid call's money: its real cost is charged, the rest of its reservation is freed, its receipt is written. */
@Injectable()
export class Settlement {
  private readonly logger = new Logger('Settlement');

  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly idempotency: Idempotency,
    private readonly loss: OperatorLoss,
  ) {}

  /**
   * @param answer makes the JSON text that a retry with the same Idempotency-Key will get, from the charge and the time
   * of settlement; where it is or returns null, none is kept and the key is free again. If it throws, nothing is
   * settled. It is called again where less was charged than the call cost, because only the settlement finds out how
   * much room is left for what goes beyond the reservation.
   * @param status of the receipt
   * @returns null when the sweeper released the reservation before: the call cost nothing and must not succeed
   * @throws OutcomeUnknown where nobody can say whether the call was charged
   */
  async settle(
    call: MeteredCall,
    quote: Quote,
    use: TokenUse,
    answer: ((chargeNanoUsd: bigint, now: Date) => string | null) | null,
    status: number = call.policy.status,
  ): Promise<FinalNumbers | null> {
    const chargeNanoUsd = costNanoUsd(quote.price, use);
    const now = this.clock.now();
    const kept = answer && answer(chargeNanoUsd, now);
    const order = {
      callId: call.id,
      accountId: call.accountId,
      outcome: 'settled' as const,
      chargeNanoUsd,
      exceedsReservation: chargeNanoUsd > quote.reserveNanoUsd,
      status,
      ...use,
      now,
      answer: kept,
      holdsClaim: call.claim !== null,
    };
    const settled = await this.ledger.settle(order).catch((cause: unknown) => {
      call.isOutcomeUnknown = true;
      throw new OutcomeUnknown(cause);
    });
    if (settled.verdict === 'gone') {
      return null;
    }
    const { chargedNanoUsd, balanceNanoUsd } = settled;
    if (chargedNanoUsd < chargeNanoUsd) {
      this.loss.note('no_room', chargeNanoUsd - chargedNanoUsd, call.requestId);
      await this.correct(call, kept, answer && answer(chargedNanoUsd, now));
    }
    call.charge = { chargedNanoUsd, balanceNanoUsd, tokens: use.inputTokens + use.outputTokens };
    return call.charge;
  }

  /** Keeps the answer that tells what was charged. Should that fail, a retry is told the higher cost of the call. */
  private async correct(call: MeteredCall, kept: string | null, body: string | null): Promise<void> {
    if (call.claim && body !== null && body !== kept) {
      await this.idempotency
        .complete(call.claim, { status: call.policy.status, body })
        .catch((error: unknown) => this.logger.warn(errorText(error)));
    }
  }
}
