import { Injectable } from '@nestjs/common';
import { OutcomeUnknown } from '../core/errors/service-errors';
import { Ledger } from '../core/money/ledger/ledger';
import { costNanoUsd, type TokenUse } from '../core/money/pricing/price-list';
import type { FinalNumbers } from '../core/models/streams/streamed-answer';
import { Clock } from '../infrastructure/clock/clock';
import type { MeteredCall, Quote } from './metered-call';

/** Ends a paid call's money: its real cost is charged, the rest of its reservation is freed, its receipt is written. */
@Injectable()
export class Settlement {
  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
  ) {}

  /**
   * @param answer makes the JSON text that a retry with the same Idempotency-Key will get, from the charge and the time
   * of settlement; where it is or returns null, none is kept and the key is free again. If it throws, nothing is
   * settled.
   * @returns null when the sweeper released the reservation before: the call cost nothing and must not succeed
   * @throws OutcomeUnknown where nobody can say whether the call was charged
   */
  async settle(
    call: MeteredCall,
    quote: Quote,
    use: TokenUse,
    answer: ((chargeNanoUsd: bigint, now: Date) => string | null) | null,
  ): Promise<FinalNumbers | null> {
    const chargeNanoUsd = costNanoUsd(quote.price, use);
    const now = this.clock.now();
    const order = {
      callId: call.id,
      accountId: call.accountId,
      outcome: 'settled' as const,
      chargeNanoUsd,
      status: call.policy.status,
      ...use,
      now,
      answer: answer && answer(chargeNanoUsd, now),
    };
    const settled = await this.ledger.settle(order).catch((cause: unknown) => {
      call.isOutcomeUnknown = true;
      throw new OutcomeUnknown(cause);
    });
    if (settled.verdict === 'gone') {
      return null;
    }
    const { chargedNanoUsd, balanceNanoUsd } = settled;
    return { chargedNanoUsd, balanceNanoUsd, tokens: use.inputTokens + use.outputTokens };
  }
}
