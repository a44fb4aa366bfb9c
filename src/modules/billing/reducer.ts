import {
  inOrder,
  isCredited,
  isLive,
  isUnsettled,
  later,
  lockedWorth,
  type Look,
  type PaymentRules,
  type PaymentState,
  type PaymentTerms,
  type PaymentTransfer,
  takeOver,
  unitsOf,
  unitsPerCoin,
} from './payment';
import {
  CREDITED_AT_ONCE_NANO_USD_MAX,
  CREDITED_NANO_USD_MIN,
  isWhole,
  needsPresentRate,
  PRICE_AWAITED_MS,
  WATCHED_FOR_MS,
  watchedAfter,
  worthOf,
} from './payment-policy';

export type Transition =
  | { type: 'confirming' }
  | { type: 'credit'; ordinal: number; amountNanoUsd: bigint; transferIds: string[] }
  | { type: 'confirmed' }
  | { type: 'failed'; reason: string }
  | { type: 'expired' }
  | { type: 'review'; reason: string };

export interface ReducedPayment {
  state: PaymentState;
  transitions: Transition[];
}

export const GONE_AFTER_CREDIT = 'A credited transfer is no longer on the chain.';
export const NO_PRICE = 'What arrived can not be valued: no present price could be had for hours.';
export const CREDITED_TRANSFER_RETURNED = 'A credited transfer that was gone is on the chain again.';
export const TOO_MANY_TRANSFERS = 'The payment has received too many transfers; not all of them are counted.';
export const TRANSFER_TOO_LARGE = 'A transfer is worth more than 100,000 USD.';
const REPLACED = 'The transaction was replaced by another one.';
const FAILED = 'The transaction failed.';
const NEVER_CONFIRMED = 'The transaction was not confirmed within 7 days.';

/** Pure. Credits a transfer at most once and takes no credit back: a reorganisation is left to a person. */
export function reduce(
  terms: PaymentTerms,
  state: PaymentState,
  look: Look,
  rules: PaymentRules,
): ReducedPayment {
  const step = new Step(terms, state, look, rules);
  step.merge();
  step.advance();
  return { state: step.state, transitions: step.transitions };
}

class Step {
  readonly state: PaymentState;
  readonly transitions: Transition[] = [];
  private readonly shown: ReadonlySet<string>;

  constructor(
    private readonly terms: PaymentTerms,
    private readonly before: PaymentState,
    private readonly look: Look,
    private readonly rules: PaymentRules,
  ) {
    this.state = { ...before, transfers: before.transfers.map((transfer) => ({ ...transfer })) };
    this.shown = new Set(look.sightings.map(({ id }) => id));
  }

  merge(): void {
    const { state, look, terms, rules } = this;
    const { isCreditLost, isCreditBack, isCrowded } = takeOver(state, look, terms, rules);
    if (look.review !== null) {
      this.review(look.review);
    }
    if (isCreditLost) {
      this.reviewLostCredit();
    }
    if (isCreditBack) {
      this.review(CREDITED_TRANSFER_RETURNED);
    }
    if (isCrowded) {
      this.review(TOO_MANY_TRANSFERS);
    }
  }

  advance(): void {
    const { state } = this;
    state.requiredConfirmations = this.required().confirmations;
    if (this.isUnderWay()) {
      this.decide();
    } else if (state.status === 'confirmed') {
      for (const transfer of this.matured()) {
        this.credit(this.valued([transfer]));
      }
    }
    this.describe();
  }

  private review(reason: string): void {
    if (this.state.reviewReason === null) {
      this.state.reviewReason = reason;
      this.transitions.push({ type: 'review', reason });
    }
  }

  /** Shows only once, so it is added to any other review reason. */
  private reviewLostCredit(): void {
    const { state } = this;
    if (!state.reviewReason?.includes(GONE_AFTER_CREDIT)) {
      const reason = [state.reviewReason, GONE_AFTER_CREDIT].filter((part) => part !== null).join(' ');
      state.reviewReason = reason;
      this.transitions.push({ type: 'review', reason });
    }
  }

  /** By present worth, or an ended payment would end again, with an event, at each change of price or block. */
  private isUnderWay(): boolean {
    const { status } = this.state;
    if (status === 'created' || status === 'confirming') {
      return true;
    }
    const included = this.unsettled().filter(({ id, state }) => state === 'included' && this.shown.has(id));
    return status !== 'confirmed' && worthOfAll(this.valued(inOrder(included))) >= CREDITED_NANO_USD_MIN;
  }

  private decide(): void {
    const { terms } = this;
    if (this.unsettled().some((transfer) => transfer.state === 'included')) {
      this.confirming();
    }
    const matured = this.matured();
    const isOver = this.isOver();
    const inTime = matured.filter(({ isLate }) => !isLate);
    if (
      isWhole(terms, unitsOf(inTime)) ||
      (isOver && lockedWorth(this.terms, matured) >= CREDITED_NANO_USD_MIN)
    ) {
      if (this.complete(matured) !== 'worthless') {
        return;
      }
    }
    if (isOver) {
      this.endWithoutCredit();
    }
  }

  /** Block times may be hours ahead, and a node hours behind: both clocks have to say so. */
  private isOver(): boolean {
    const { terms, look } = this;
    const isTimeOver = look.at > terms.expiresAt && look.tipTime > terms.expiresAt;
    if (!isTimeOver) {
      return false;
    }
    const mature = new Set(this.matured());
    return !this.unsettled().some((transfer) => !mature.has(transfer) && this.isAwaited(transfer));
  }

  /** Announced once, even where a reorganisation or a second transfer repeats it. */
  private confirming(): void {
    const { state } = this;
    state.status = 'confirming';
    state.failureReason = null;
    if (!state.wasConfirming) {
      state.wasConfirming = true;
      this.transitions.push({ type: 'confirming' });
    }
  }

  /** Waits while some arrivals cannot be valued, unless the others make up the whole amount. */
  private complete(matured: PaymentTransfer[]): 'done' | 'waiting' | 'worthless' {
    const { state, look, terms } = this;
    const valued = this.valued(matured);
    if (valued.length < matured.length && !isWhole(terms, unitsOf(valued.map(({ transfer }) => transfer)))) {
      return 'waiting';
    }
    if (worthOfAll(valued) < CREDITED_NANO_USD_MIN) {
      return 'worthless';
    }
    this.credit(valued);
    state.status = 'confirmed';
    state.failureReason = null;
    state.confirmedAt = look.at;
    state.watchUntil = later(state.watchUntil, watchedAfter(look.at));
    this.transitions.push({ type: 'confirmed' });
    return 'done';
  }

  private endWithoutCredit(): void {
    const { state, before, look } = this;
    const reason = this.reasonOfFailure();
    state.status = reason === null ? 'expired' : 'failed';
    state.failureReason = reason;
    if (state.status !== before.status) {
      state.watchUntil = later(state.watchUntil, watchedAfter(look.at));
      this.transitions.push(reason === null ? { type: 'expired' } : { type: 'failed', reason });
    }
  }

  private reasonOfFailure(): string | null {
    const states = this.unsettled().map((transfer) => transfer.state);
    if (states.includes('missing') || states.includes('pending')) {
      return NEVER_CONFIRMED;
    }
    if (states.includes('included')) {
      return null;
    }
    return states.includes('replaced') ? REPLACED : states.includes('failed') ? FAILED : null;
  }

  private valued(transfers: PaymentTransfer[]): ValuedTransfer[] {
    const { terms, look, state } = this;
    let fromBase = state.creditedBase;
    const valued: ValuedTransfer[] = [];
    for (const transfer of transfers) {
      const units = { fromBase, units: transfer.amountBase, isLate: transfer.isLate };
      if (lockedWorth(terms, [transfer]) > CREDITED_AT_ONCE_NANO_USD_MAX) {
        this.review(TRANSFER_TOO_LARGE);
        continue;
      }
      if (look.presentRateNanoUsd === null && needsPresentRate(terms, units)) {
        this.awaitPrice(transfer);
        continue;
      }
      const presentRate = look.presentRateNanoUsd ?? terms.rateNanoUsd;
      valued.push({ transfer, worth: worthOf(terms, units, unitsPerCoin(terms), presentRate) });
      fromBase += transfer.amountBase;
    }
    return valued;
  }

  private awaitPrice({ firstSeenAt, blockTime }: PaymentTransfer): void {
    const since = later(firstSeenAt, blockTime ?? firstSeenAt);
    if (this.look.at.getTime() - since.getTime() > PRICE_AWAITED_MS) {
      this.review(NO_PRICE);
    }
  }

  private credit(settled: readonly ValuedTransfer[]): void {
    const { state } = this;
    for (const { transfer, worth } of settled) {
      transfer.creditedNanoUsd = worth;
      state.creditedBase += transfer.amountBase;
      state.creditedNanoUsd += worth;
    }
    const worthy = settled.filter(({ worth }) => worth > 0n);
    if (worthy.length > 0) {
      state.credits += 1;
      this.transitions.push({
        type: 'credit',
        ordinal: state.credits,
        amountNanoUsd: worthOfAll(worthy),
        transferIds: worthy.map(({ transfer }) => transfer.id),
      });
    }
  }

  /** For all arrivals together: a large amount is not safe with few blocks. */
  private required(): { confirmations: number; needsFinal: boolean } {
    const { terms, state } = this;
    const arrived = lockedWorth(this.terms, state.transfers.filter(isLive));
    return this.rules.requiredFor(arrived > terms.amountNanoUsd ? arrived : terms.amountNanoUsd);
  }

  private matured(): PaymentTransfer[] {
    if (this.isHeld()) {
      return [];
    }
    const required = this.required();
    return inOrder(
      this.unsettled().filter(
        ({ id, state, isFinal, confirmations }) =>
          this.shown.has(id) &&
          state === 'included' &&
          (isFinal || (!required.needsFinal && confirmations >= required.confirmations)),
      ),
    );
  }

  /** What replaces a credited transfer may be the same coins again: a person has to look. */
  private isHeld(): boolean {
    const { reviewReason, transfers } = this.state;
    return (
      reviewReason !== null &&
      transfers.some((transfer) => isCredited(transfer) && transfer.state !== 'included')
    );
  }

  private unsettled(): PaymentTransfer[] {
    return this.state.transfers.filter(isUnsettled);
  }

  private isAwaited(transfer: PaymentTransfer): boolean {
    const age = this.look.at.getTime() - transfer.firstSeenAt.getTime();
    return isLive(transfer) && (transfer.state === 'included' || age <= WATCHED_FOR_MS);
  }

  private describe(): void {
    const { state, terms } = this;
    const arriving = state.transfers.filter(({ state: at }) => at === 'pending' || at === 'included');
    state.receivedBase = unitsOf(arriving);
    state.confirmations =
      arriving.length === 0 ? 0 : Math.min(...arriving.map(({ confirmations }) => confirmations));
    state.txHash = (arriving.at(-1) ?? state.transfers.at(-1))?.txHash ?? null;
    state.isOverpaid = state.creditedBase > terms.expectedBase || state.receivedBase > terms.expectedBase;
    state.isUnderpaid = state.status === 'confirmed' && !isWhole(terms, state.creditedBase);
    state.isLate = state.transfers.some((transfer) => transfer.isLate && transfer.creditedNanoUsd !== null);
  }
}

interface ValuedTransfer {
  transfer: PaymentTransfer;
  worth: bigint;
}

function worthOfAll(valued: readonly ValuedTransfer[]): bigint {
  return valued.reduce((sum, { worth }) => sum + worth, 0n);
}
