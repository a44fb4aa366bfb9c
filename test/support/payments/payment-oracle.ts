import { type TransferSighting } from '../../../src/modules/billing/payment-chain';
import { COIN_DECIMALS } from '../../../src/modules/billing/payment-policy';
import type { PaymentStatus } from '../../../generated/types';
import type { Look, PaymentRules, PaymentTerms } from '../../../src/modules/billing/payment';

const USD = 1_000_000_000n;
const HOUR_MS = 60 * 60 * 1000;
const WEEK_MS = 7 * 24 * HOUR_MS;

interface Arrival {
  id: string;
  units: bigint;
  seenMs: number;
  isLate: boolean;
  now: TransferSighting;
  isShown: boolean;
  /** Null until it is settled. */
  worth: bigint | null;
}

/**
 * What the table of the policy says of a payment, for comparison with the reducer: it knows the rules of money and the
 * statuses, and nothing of what is stored, told or shown.
 */
export class PaymentOracle {
  status: PaymentStatus = 'created';
  /** Each credit in nano-USD. */
  readonly credits: bigint[] = [];
  private readonly arrivals: Arrival[] = [];
  private settledUnits = 0n;

  constructor(
    private readonly terms: PaymentTerms,
    private readonly rules: PaymentRules,
  ) {}

  look(look: Look): void {
    this.note(look);
    const open = this.arrivals.filter(({ worth }) => worth === null);
    // A credited transfer that is gone holds all others until a person has looked, which nobody does here.
    const isHeld = this.arrivals.some(isGone);
    const mature = isHeld ? [] : open.filter((arrival) => this.isMature(arrival)).sort(counting);
    // Until a person has looked, nothing is added to a credit whose coins are gone.
    const isLost = this.arrivals.some(isGone);
    if (isLost) {
      return;
    }
    if (this.status === 'confirmed') {
      for (const arrival of mature) {
        this.credit(this.priced([arrival], look.presentRateNanoUsd));
      }
      return;
    }
    const included = open.filter((arrival) => arrival.isShown && arrival.now.state === 'included');
    const hasEnded = this.status === 'expired' || this.status === 'failed';
    if (hasEnded && sum(this.priced(included.sort(counting), look.presentRateNanoUsd)) < USD) {
      return;
    }
    if (open.some(({ now }) => now.state === 'included')) {
      this.status = 'confirming';
    }
    const isOver =
      look.at > this.terms.expiresAt &&
      look.tipTime > this.terms.expiresAt &&
      !open.some((arrival) => !mature.includes(arrival) && keepsOpen(arrival, look.at));
    const hasAll = this.isWhole(mature.filter(({ isLate }) => !isLate));
    if (hasAll || (isOver && this.value(units(mature)) >= USD)) {
      const priced = this.priced(mature, look.presentRateNanoUsd);
      const isPartlyPriced = priced.length < mature.length;
      if (isPartlyPriced && !this.isWhole(priced.map(({ arrival }) => arrival))) {
        return;
      }
      if (sum(priced) >= USD) {
        this.credit(priced);
        this.status = 'confirmed';
        return;
      }
    }
    if (isOver) {
      const states = open.map(({ now }) => now.state);
      const isFailed =
        states.some((state) => state === 'pending' || state === 'missing') ||
        (states.length > 0 && !states.includes('included'));
      this.status = isFailed ? 'failed' : 'expired';
    }
  }

  /** Arrivals in time are worth V up to 110 % of what was asked for, all else that or its share at the present price. */
  private priced(arrivals: Arrival[], presentRate: bigint | null): Priced[] {
    const { expectedBase, rateNanoUsd } = this.terms;
    const priced: Priced[] = [];
    let from = this.settledUnits;
    for (const arrival of arrivals.filter(({ units: of }) => this.value(of) <= 100_000n * USD)) {
      const to = from + arrival.units;
      const band = (expectedBase * 11n) / 10n;
      const end = arrival.isLate || band <= from ? from : band < to ? band : to;
      const rest = this.value(to) - this.value(end);
      if (to > end && presentRate === null) {
        continue;
      }
      const isCheaper = presentRate !== null && presentRate < rateNanoUsd;
      const scaled = isCheaper ? (rest * presentRate) / rateNanoUsd : rest;
      priced.push({ arrival, worth: this.value(end) - this.value(from) + scaled });
      from = to;
    }
    return priced;
  }

  private credit(priced: Priced[]): void {
    for (const { arrival, worth } of priced) {
      arrival.worth = worth;
      this.settledUnits += arrival.units;
    }
    if (sum(priced) > 0n) {
      this.credits.push(sum(priced));
    }
  }

  private note({ at, sightings }: Look): void {
    const endMs = this.terms.expiresAt.getTime();
    this.arrivals.forEach((arrival) => (arrival.isShown = false));
    for (const sighting of sightings) {
      const minedMs = sighting.blockTime?.getTime() ?? null;
      const isInTime = minedMs !== null && minedMs <= endMs;
      const isMinedLate = minedMs !== null && minedMs > endMs + 2 * HOUR_MS;
      const known = this.arrivals.find(({ id }) => id === sighting.id);
      if (known) {
        if (known.worth === null && minedMs !== null) {
          known.isLate = isMinedLate || (known.isLate && !isInTime);
        }
        Object.assign(known, { now: sighting, isShown: true });
      } else if (
        sighting.state !== 'missing' &&
        (sighting.amountBase > 0n || (sighting.amountBase === 0n && sighting.state === 'failed'))
      ) {
        const isLate = isMinedLate || (!isInTime && at.getTime() > endMs + this.rules.inTimeSlackMs);
        const { id, amountBase } = sighting;
        this.arrivals.push({
          id,
          units: amountBase,
          seenMs: at.getTime(),
          isLate,
          now: sighting,
          isShown: true,
          worth: null,
        });
      }
    }
  }

  private isMature({ isShown, now }: Arrival): boolean {
    const live = this.arrivals.filter(({ now: { state } }) => state !== 'replaced' && state !== 'failed');
    const arrived = this.value(units(live));
    const { amountNanoUsd } = this.terms;
    const needed = this.rules.requiredFor(arrived > amountNanoUsd ? arrived : amountNanoUsd);
    const isDeep = !needed.needsFinal && now.confirmations >= needed.confirmations;
    return isShown && now.state === 'included' && (now.isFinal || isDeep);
  }

  private isWhole(arrivals: Arrival[]): boolean {
    return units(arrivals) * 200n >= this.terms.expectedBase * 199n;
  }

  private value(of: bigint): bigint {
    const { expectedBase, rateNanoUsd, amountNanoUsd, currency } = this.terms;
    const coin = 10n ** BigInt(COIN_DECIMALS[currency]);
    if (of > expectedBase) {
      return amountNanoUsd + ((of - expectedBase) * rateNanoUsd) / coin;
    }
    const atRate = (of * rateNanoUsd) / coin;
    return of * 200n >= expectedBase * 199n || atRate > amountNanoUsd ? amountNanoUsd : atRate;
  }
}

interface Priced {
  arrival: Arrival;
  worth: bigint;
}

function keepsOpen({ now, seenMs }: Arrival, at: Date): boolean {
  const mayCome = now.state === 'pending' || now.state === 'missing';
  return now.state === 'included' || (mayCome && at.getTime() - seenMs <= WEEK_MS);
}

function counting(one: Arrival, other: Arrival): number {
  const byLate = Number(one.isLate) - Number(other.isLate);
  return byLate || one.seenMs - other.seenMs || (one.id < other.id ? -1 : 1);
}

function units(arrivals: Arrival[]): bigint {
  return arrivals.reduce((total, { units: of }) => total + of, 0n);
}

function sum(priced: Priced[]): bigint {
  return priced.reduce((total, { worth }) => total + worth, 0n);
}

function isGone({ units: of, worth, now }: Arrival): boolean {
  return of > 0n && worth !== null && now.state !== 'included';
}
