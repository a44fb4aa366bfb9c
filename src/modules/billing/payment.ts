import type { Currency, KnownTransfer, TransferSighting } from './payment-chain';

export type PaymentStatus = 'created' | 'confirming' | 'confirmed' | 'failed' | 'expired';

export interface PaymentTerms {
  currency: Currency;
  amountNanoUsd: bigint;
  /** What is to be paid, in the coin's smallest unit. */
  expectedBase: bigint;
  rateNanoUsd: bigint;
  createdAt: Date;
  expiresAt: Date;
}

export interface PaymentTransfer extends KnownTransfer {
  isLate: boolean;
  /** 0 where that was nothing; null while it is not settled. */
  creditedNanoUsd: bigint | null;
  entryId: string | null;
}

export interface PaymentState {
  status: PaymentStatus;
  failureReason: string | null;
  transfers: PaymentTransfer[];
  credits: number;
  creditedNanoUsd: bigint;
  /** The units of the coin that are settled. */
  creditedBase: bigint;
  /** What is settled, or may still be: in a block or on its way there. */
  receivedBase: bigint;
  /** Of the transfer that has the fewest. */
  confirmations: number;
  requiredConfirmations: number;
  txHash: string | null;
  isUnderpaid: boolean;
  isOverpaid: boolean;
  isLate: boolean;
  /** Whether subscribers were told that it is confirming, which they are once. */
  wasConfirming: boolean;
  detectedAt: Date | null;
  confirmedAt: Date | null;
  /** From then on the chain is looked at no more for it. */
  watchUntil: Date;
  /** Why a person has to look at it; null where nobody has to. */
  reviewReason: string | null;
}

export interface Payment extends PaymentTerms, PaymentState {
  id: string;
  accountId: string;
  network: string;
  isSandbox: boolean;
  address: string;
  reference: string | null;
  derivationIndex: number | null;
  priceSources: PriceSource[];
  /** Grows with each change, so that what was worked out from an older state is not applied. */
  version: number;
  review: PaymentReview;
}

export interface PriceSource {
  name: string;
  rateNanoUsd: bigint;
  takenAt: Date;
}

/** The review that a payment needs, or the last that it had; all null where it had none. */
interface PaymentReview {
  isNeeded: boolean;
  reason: string | null;
  since: Date | null;
  resolvedAt: Date | null;
  resolvedBy: string | null;
  note: string | null;
}

export interface Look {
  at: Date;
  tipTime: Date;
  /** Those that a look leaves out stay as they were, and nothing follows from them. */
  sightings: readonly TransferSighting[];
  review: string | null;
  /** Of one coin; null where none can be had. */
  presentRateNanoUsd: bigint | null;
}

export interface PaymentRules {
  /** A number, or that the chain calls the transfer final. */
  requiredFor(amountNanoUsd: bigint): { confirmations: number; needsFinal: boolean };
  /** How long after the payment's time a look still counts as in time, since looks are that far apart. */
  inTimeSlackMs: number;
}
