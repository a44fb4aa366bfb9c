import { isDeepStrictEqual } from 'node:util';
import type { PaymentStatus } from '../../../generated/types';
import type { Currency, KnownTransfer, TransferSighting } from './payment-chain';
import {
  COIN_DECIMALS,
  CREDITED_NANO_USD_MIN,
  lockedValue,
  MINED_WITHIN_MS,
  TRANSFERS_MAX,
  WATCHED_IN_ALL_FOR_MS,
  watchedAfter,
} from './payment-policy';

export interface PaymentTerms {
  currency: Currency;
  amountNanoUsd: bigint;
  expectedBase: bigint;
  rateNanoUsd: bigint;
  createdAt: Date;
  expiresAt: Date;
}

export interface PaymentTransfer extends KnownTransfer {
  isLate: boolean;
  /** 0 where nothing was credited; null until it is settled. */
  creditedNanoUsd: bigint | null;
  entryId: string | null;
}

export interface PaymentState {
  status: PaymentStatus;
  failureReason: string | null;
  transfers: PaymentTransfer[];
  credits: number;
  creditedNanoUsd: bigint;
  creditedBase: bigint;
  /** Settled, or may still be: in a block or on its way there. */
  receivedBase: bigint;
  confirmations: number;
  requiredConfirmations: number;
  txHash: string | null;
  isUnderpaid: boolean;
  isOverpaid: boolean;
  isLate: boolean;
  wasConfirming: boolean;
  detectedAt: Date | null;
  confirmedAt: Date | null;
  watchUntil: Date;
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
  /** Grows with each change, so that results of an older state are not applied. */
  version: number;
  review: PaymentReview;
}

export interface PriceSource {
  name: string;
  rateNanoUsd: bigint;
  takenAt: Date;
}

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
  /** Transfers that a look leaves out stay unchanged. */
  sightings: readonly TransferSighting[];
  review: string | null;
  presentRateNanoUsd: bigint | null;
}

export interface PaymentRules {
  requiredFor(amountNanoUsd: bigint): { confirmations: number; needsFinal: boolean };
  inTimeSlackMs: number;
}

export function isLive({ state }: PaymentTransfer): boolean {
  return state === 'pending' || state === 'included' || state === 'missing';
}

export function isUnsettled({ creditedNanoUsd }: PaymentTransfer): boolean {
  return creditedNanoUsd === null;
}

export function unitsOf(transfers: readonly PaymentTransfer[]): bigint {
  return transfers.reduce((sum, { amountBase }) => sum + amountBase, 0n);
}

export function lockedWorth(terms: PaymentTerms, transfers: readonly PaymentTransfer[]): bigint {
  return lockedValue(terms, unitsOf(transfers), unitsPerCoin(terms));
}

export function unitsPerCoin({ currency }: PaymentTerms): bigint {
  return 10n ** BigInt(COIN_DECIMALS[currency]);
}

/** In-time transfers first, then by when they were first seen. */
export function inOrder(transfers: readonly PaymentTransfer[]): PaymentTransfer[] {
  return transfers.toSorted(
    (one, other) =>
      Number(one.isLate) - Number(other.isLate) ||
      one.firstSeenAt.getTime() - other.firstSeenAt.getTime() ||
      byId(one, other),
  );
}

export function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}

interface TakenOver {
  isCreditLost: boolean;
  isCreditBack: boolean;
  isCrowded: boolean;
}

/** Of settled transfers only leaving, returning and finality are taken over. */
export function takeOver(
  state: PaymentState,
  look: Look,
  terms: PaymentTerms,
  { inTimeSlackMs }: PaymentRules,
): TakenOver {
  const isSeenInTime = look.at.getTime() <= terms.expiresAt.getTime() + inTimeSlackMs;
  const taken = { isCreditLost: false, isCreditBack: false, isCrowded: false };
  const byIds = new Map(state.transfers.map((transfer) => [transfer.id, transfer]));
  // In one order, so that two payments claiming the same transfers cannot deadlock.
  for (const sighting of look.sightings.toSorted(byId)) {
    const known = byIds.get(sighting.id);
    if (known) {
      taken.isCreditLost ||= isCredited(known) && known.state === 'included' && sighting.state !== 'included';
      taken.isCreditBack ||= isCredited(known) && known.state !== 'included' && sighting.state === 'included';
      update(known, sighting, terms);
    } else if (isArrival(sighting) && state.transfers.length >= TRANSFERS_MAX) {
      taken.isCrowded = true;
    } else if (isArrival(sighting)) {
      const isLate = isMinedLate(sighting, terms) || (!isSeenInTime && !isMinedInTime(sighting, terms));
      const arrived = { ...sighting, firstSeenAt: look.at, isLate, creditedNanoUsd: null, entryId: null };
      state.transfers.push(arrived);
      byIds.set(arrived.id, arrived);
      state.detectedAt ??= look.at;
    }
  }
  extendWatch(state, look, terms);
  return taken;
}

/** A late arrival worth a credit extends the watch, but not for ever. */
function extendWatch(state: PaymentState, { at }: Look, terms: PaymentTerms): void {
  const fresh = state.transfers.filter(
    (transfer) => isUnsettled(transfer) && transfer.firstSeenAt.getTime() === at.getTime(),
  );
  if (lockedWorth(terms, fresh) >= CREDITED_NANO_USD_MIN) {
    const last = new Date(terms.expiresAt.getTime() + WATCHED_IN_ALL_FOR_MS);
    const until = watchedAfter(at);
    state.watchUntil = later(state.watchUntil, until < last ? until : last);
  }
}

function isMinedInTime({ blockTime }: TransferSighting, { expiresAt }: PaymentTerms): boolean {
  return blockTime !== null && blockTime <= expiresAt;
}

/** Otherwise a low fee would buy a free bet on the price: wait for days, then let it through or take it back. */
function isMinedLate({ blockTime }: TransferSighting, { expiresAt }: PaymentTerms): boolean {
  return blockTime !== null && blockTime.getTime() > expiresAt.getTime() + MINED_WITHIN_MS;
}

function isArrival({ state, amountBase }: TransferSighting): boolean {
  return state !== 'missing' && (amountBase > 0n || (state === 'failed' && amountBase === 0n));
}

export function isCredited({ creditedNanoUsd, amountBase }: PaymentTransfer): boolean {
  return creditedNanoUsd !== null && amountBase > 0n;
}

function update(known: PaymentTransfer, sighting: TransferSighting, terms: PaymentTerms): void {
  if (!isUnsettled(known) && known.state === sighting.state && known.isFinal === sighting.isFinal) {
    return;
  }
  if (isUnsettled(known) && sighting.blockTime !== null) {
    known.isLate = isMinedLate(sighting, terms) || (known.isLate && !isMinedInTime(sighting, terms));
  }
  known.state = sighting.state;
  known.confirmations = sighting.confirmations;
  known.isFinal = sighting.isFinal;
  known.blockTime = sighting.blockTime;
  known.txHash ??= sighting.txHash;
}

function byId(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
}

export function isActive(payment: PaymentState & PaymentTerms): boolean {
  const { status, transfers } = payment;
  return (
    status === 'created' ||
    status === 'confirming' ||
    lockedWorth(payment, transfers.filter(isArriving)) >= CREDITED_NANO_USD_MIN
  );
}

export function isSameState(one: PaymentState, other: PaymentState): boolean {
  return isDeepStrictEqual(one, other);
}

function isArriving({ state, creditedNanoUsd }: PaymentTransfer): boolean {
  return creditedNanoUsd === null && (state === 'pending' || state === 'included');
}
