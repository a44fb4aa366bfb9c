import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../infrastructure/clock/clock';
import { Ledger } from '../../money/ledger/ledger';

/** Gives back at once what calls of dead attempts have reserved, so that the next attempt has that credit. */
@Injectable()
export class AbandonedCalls {
  private readonly logger = new Logger('Tasks');

  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
  ) {}

  /**
   * Releases the reservation of a call that can't settle any more, because its claim was taken from it. Does nothing for a
   * call without one. Never rejects: what it can't release the sweeper does when the call's lease is over.
   */
  async release(accountId: string, callId: string | null): Promise<void> {
    if (callId === null) {
      return;
    }
    const nothing = { chargeNanoUsd: 0n, status: null, inputTokens: 0, outputTokens: 0, answer: null };
    await this.ledger
      .settle({ callId, accountId, outcome: 'released', now: this.clock.now(), ...nothing })
      .catch((error: unknown) =>
        this.logger.warn({ message: 'a reservation is left to the sweeper', error: String(error) }),
      );
  }
}
