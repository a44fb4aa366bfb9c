import type { TransferSighting } from '../../../infrastructure/chain/payment-chain';

/** What one look at the chain found about a payment: the facts of the machine. */
export interface Look {
  /** When the look was taken, by our clock. */
  at: Date;
  /** The time of the newest block. */
  tipTime: Date;
  /** Transfers as they are now. Those that a look leaves out stay as they were, and nothing follows from them. */
  sightings: readonly TransferSighting[];
  /** What a person has to look at; null for nothing. */
  review: string | null;
  /** The present price of one coin; null where none can be had. */
  presentRateNanoUsd: bigint | null;
}

/** What the operator decides. */
export interface PaymentRules {
  /** What it takes until so much in USD is credited. A number, or that the chain calls the transfer final. */
  requiredFor(amountNanoUsd: bigint): { confirmations: number; needsFinal: boolean };
  /** How long after the payment's time a look still counts as in time, since looks are that far apart. */
  inTimeSlackMs: number;
}
