import type { TransferSighting } from '../../../src/modules/billing/payment-chain';
import { parseConfirmationRules } from '../../../src/modules/billing/payment-policy';
import {
  type Look,
  type PaymentRules,
  type PaymentState,
  type PaymentTerms,
} from '../../../src/modules/billing/payment';
import { reduce, type Transition } from '../../../src/modules/billing/reducer';
import { NANO_PER_USD } from '../../../src/ledger/money';
import { newPaymentState } from './stored-payment';

const CREATED_AT = new Date('2026-01-15T12:00:00.000Z');
export const LOCK_MINUTES = 15;
/** How long after the payment's time a look still counts as in time. */
export const SLACK_MINUTES = 1;

/** 50 USD at 50,000 USD for a coin: a hundredth of a percent is ten units and half a cent. */
export const TERMS: PaymentTerms = {
  currency: 'BTC',
  amountNanoUsd: 50n * NANO_PER_USD,
  expectedBase: 100_000n,
  rateNanoUsd: 50_000n * NANO_PER_USD,
  createdAt: CREATED_AT,
  expiresAt: atMinute(LOCK_MINUTES),
};

const CONFIRMATIONS = parseConfirmationRules({});
/** Those of the service without a file of the operator's: 1 up to 100 USD, then 2, 3 and 6. */
export const RULES: PaymentRules = {
  requiredFor: (amountNanoUsd) => CONFIRMATIONS.requiredFor('BTC', amountNanoUsd),
  inTimeSlackMs: SLACK_MINUTES * 60_000,
};

/** A time, in minutes since the payment was created. */
export function atMinute(minute: number): Date {
  return new Date(CREATED_AT.getTime() + minute * 60_000);
}

export function daysLater(days: number): number {
  return LOCK_MINUTES + days * 24 * 60;
}

/** A transfer that is in no block. @param percent of what the payment asks for */
export function pending(id: string, percent: number): TransferSighting {
  return {
    id,
    txHash: `hash of ${id}`,
    amountBase: BigInt(Math.round(percent * 1000)),
    state: 'pending',
    confirmations: 0,
    isFinal: false,
    blockTime: null,
  };
}

/** A transfer in a block of a minute. */
export function mined(id: string, percent: number, confirmations: number, minute = 1): TransferSighting {
  return { ...pending(id, percent), state: 'included', confirmations, blockTime: atMinute(minute) };
}

/** A transfer that is neither in a block nor on its way to one. */
export function gone(
  id: string,
  percent: number,
  state: 'missing' | 'replaced' | 'failed',
): TransferSighting {
  return { ...pending(id, percent), state };
}

export interface LookOptions {
  /** The time of the newest block; that of the look where it is left out. */
  tipMinute?: number;
  /** The present price in USD; that of the payment where it is left out. */
  priceUsd?: number | null;
  review?: string;
}

/** A payment, look by look, and what was told of it. */
export class PaymentHistory {
  state: PaymentState = newPaymentState(TERMS.expiresAt, 1);
  readonly told: Transition[] = [];

  constructor(
    private readonly terms: PaymentTerms = TERMS,
    private readonly rules: PaymentRules = RULES,
  ) {}

  /** Looks at the chain. @returns what this look brought about, in words */
  look(minute: number, sightings: TransferSighting[], options: LookOptions = {}): string[] {
    const { tipMinute = minute, priceUsd = 50_000, review = null } = options;
    const look: Look = {
      at: atMinute(minute),
      tipTime: atMinute(tipMinute),
      sightings,
      review,
      presentRateNanoUsd: priceUsd === null ? null : BigInt(priceUsd) * NANO_PER_USD,
    };
    const { state, transitions } = reduce(this.terms, this.state, look, this.rules);
    this.state = state;
    this.told.push(...transitions);
    return transitions.map(inWords);
  }

  /** What the ledger has got, in USD. */
  get creditedUsd(): number {
    const credits = this.told.flatMap((transition) =>
      transition.type === 'credit' ? [transition.amountNanoUsd] : [],
    );
    return Number(credits.reduce((sum, amount) => sum + amount, 0n)) / Number(NANO_PER_USD);
  }
}

function inWords(transition: Transition): string {
  switch (transition.type) {
    case 'credit':
      return `credit ${Number(transition.amountNanoUsd) / Number(NANO_PER_USD)}`;
    case 'failed':
    case 'review':
      return `${transition.type}: ${transition.reason}`;
    default:
      return transition.type;
  }
}
