import type { Currency, TransferState } from '../../../infrastructure/chain/payment-chain';
import type { Payment, PaymentStatus, PaymentTransfer, PriceSource } from './payment';

/** The columns of a payment, and its transfers as an array of JSON objects, in the order in which they were first seen. */
export const PAYMENT_COLUMNS = `p.*, coalesce((
    SELECT json_agg(json_build_object(
      'id', t.transfer_id, 'tx_hash', t.tx_hash, 'amount_base', t.amount_base::text, 'state', t.state,
      'confirmations', t.confirmations, 'is_final', t.is_final, 'block_time', t.block_time,
      'first_seen_at', t.first_seen_at, 'is_late', t.is_late, 'credited_nano', t.credited_nano::text,
      'entry_id', t.entry_id) ORDER BY t.position)
    FROM payment_transfers AS t WHERE t.payment_id = p.id), '[]') AS transfers`;

/** A row of PAYMENT_COLUMNS, as the driver returns it. */
export interface PaymentRow {
  id: string;
  account_id: string;
  currency: Currency;
  network: string;
  is_sandbox: boolean;
  amount_nano: string;
  expected_base: string;
  rate_nano: string;
  price_sources: { name: string; rate_nano: string; taken_at: string }[];
  derivation_index: number;
  address: string;
  reference: string | null;
  created_at: Date;
  expires_at: Date;
  status: PaymentStatus;
  failure_reason: string | null;
  credits: number;
  credited_nano: string;
  credited_base: string;
  received_base: string;
  confirmations: number;
  required_confirmations: number;
  tx_hash: string | null;
  is_underpaid: boolean;
  is_overpaid: boolean;
  is_late: boolean;
  was_confirming: boolean;
  detected_at: Date | null;
  confirmed_at: Date | null;
  watch_until: Date;
  version: number;
  review_needed: boolean;
  review_reason: string | null;
  review_since: Date | null;
  review_resolved_at: Date | null;
  review_resolved_by: string | null;
  review_note: string | null;
  transfers: TransferRow[];
}

interface TransferRow {
  id: string;
  tx_hash: string | null;
  amount_base: string;
  state: TransferState;
  confirmations: number;
  is_final: boolean;
  block_time: string | null;
  first_seen_at: string;
  is_late: boolean;
  credited_nano: string | null;
  entry_id: string | null;
}

export function paymentOf(row: PaymentRow): Payment {
  return {
    id: row.id,
    accountId: row.account_id,
    currency: row.currency,
    network: row.network,
    isSandbox: row.is_sandbox,
    amountNanoUsd: BigInt(row.amount_nano),
    expectedBase: BigInt(row.expected_base),
    rateNanoUsd: BigInt(row.rate_nano),
    priceSources: row.price_sources.map(priceSourceOf),
    address: row.address,
    reference: row.reference,
    derivationIndex: row.derivation_index,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    status: row.status,
    failureReason: row.failure_reason,
    credits: row.credits,
    creditedNanoUsd: BigInt(row.credited_nano),
    creditedBase: BigInt(row.credited_base),
    receivedBase: BigInt(row.received_base),
    confirmations: row.confirmations,
    requiredConfirmations: row.required_confirmations,
    txHash: row.tx_hash,
    isUnderpaid: row.is_underpaid,
    isOverpaid: row.is_overpaid,
    isLate: row.is_late,
    wasConfirming: row.was_confirming,
    detectedAt: row.detected_at,
    confirmedAt: row.confirmed_at,
    watchUntil: row.watch_until,
    version: row.version,
    reviewReason: row.review_needed ? row.review_reason : null,
    review: {
      isNeeded: row.review_needed,
      reason: row.review_reason,
      since: row.review_since,
      resolvedAt: row.review_resolved_at,
      resolvedBy: row.review_resolved_by,
      note: row.review_note,
    },
    transfers: row.transfers.map(transferOf),
  };
}

function transferOf(row: TransferRow): PaymentTransfer {
  return {
    id: row.id,
    txHash: row.tx_hash,
    amountBase: BigInt(row.amount_base),
    state: row.state,
    confirmations: row.confirmations,
    isFinal: row.is_final,
    blockTime: row.block_time === null ? null : new Date(row.block_time),
    firstSeenAt: new Date(row.first_seen_at),
    isLate: row.is_late,
    creditedNanoUsd: row.credited_nano === null ? null : BigInt(row.credited_nano),
    entryId: row.entry_id,
  };
}

/** Price sources as the table holds them, in JSON. */
export function priceSourcesJson(sources: readonly PriceSource[]): string {
  return JSON.stringify(
    sources.map(({ name, rateNanoUsd, takenAt }) => ({
      name,
      rate_nano: rateNanoUsd.toString(),
      taken_at: takenAt.toISOString(),
    })),
  );
}

function priceSourceOf(source: PaymentRow['price_sources'][number]): PriceSource {
  return { name: source.name, rateNanoUsd: BigInt(source.rate_nano), takenAt: new Date(source.taken_at) };
}
