import fc from 'fast-check';
import { CURRENCIES, type TransferSighting } from '../../../src/modules/billing/payment-chain';
import { COIN_DECIMALS } from '../../../src/modules/billing/payment-policy';
import { expectedBase, parseConfirmationRules } from '../../../src/modules/billing/payment-policy';
import type { Look, PaymentRules, PaymentTerms } from '../../../src/modules/billing/payment';
import { NANO_PER_USD } from '../../../src/ledger/money';

const CREATED_AT = new Date('2026-01-15T12:00:00.000Z').getTime();
const LOCK_MINUTES = 15;
const CONFIRMATIONS = parseConfirmationRules({});
/** Of what a payment asks for: around each bound of the policy. */
const PER_MILLE = [0, 1, 20, 199, 333, 500, 667, 994, 995, 996, 1000, 1001, 1099, 1100, 1101, 3000, 11_000];

export interface Scene {
  terms: PaymentTerms;
  rules: PaymentRules;
  looks: Look[];
}

/** A payment with random terms, and looks at it that nobody could rely on: partial, stale, repeated, contradictory. */
export const scenes: fc.Arbitrary<Scene> = fc
  .record({
    currency: fc.constantFrom(...CURRENCIES),
    amountUsd: fc.constantFrom(10n, 33n, 99n, 100n, 950n, 10_000n),
    rateNanoUsd: fc.bigInt({ min: 1n * NANO_PER_USD, max: 200_000n * NANO_PER_USD }),
    shares: fc.array(fc.tuple(fc.constantFrom(...PER_MILLE), fc.bigInt({ min: -1n, max: 1n })), {
      minLength: 1,
      maxLength: 5,
    }),
    looks: fc.array(rawLook(), { minLength: 1, maxLength: 14, size: 'max' }),
  })
  .map(({ currency, amountUsd, rateNanoUsd, shares, looks }) => {
    const terms: PaymentTerms = {
      currency,
      amountNanoUsd: amountUsd * NANO_PER_USD,
      expectedBase: expectedBase(amountUsd * NANO_PER_USD, rateNanoUsd, currency),
      rateNanoUsd,
      createdAt: new Date(CREATED_AT),
      expiresAt: minute(LOCK_MINUTES),
    };
    const amounts = shares.map(([perMille, more]) => (terms.expectedBase * BigInt(perMille)) / 1000n + more);
    return { terms, rules: rulesOf(terms), looks: looksOf(terms, amounts, looks) };
  });

export function rulesOf({ currency }: Pick<PaymentTerms, 'currency'>): PaymentRules {
  return {
    requiredFor: (amountNanoUsd) => CONFIRMATIONS.requiredFor(currency, amountNanoUsd),
    inTimeSlackMs: 20_000,
  };
}

export function unitsPerCoin({ currency }: Pick<PaymentTerms, 'currency'>): bigint {
  return 10n ** BigInt(COIN_DECIMALS[currency]);
}

interface RawLook {
  waitMinutes: number;
  /** How far the newest block's time is from the present. */
  tipMinutes: number;
  /** The present price as a share of the locked one. */
  pricePerMille: bigint | null;
  /** Transfer by transfer; null where this look does not show it. */
  transfers: (RawTransfer | null)[];
  review: string | null;
}

interface RawTransfer {
  state: TransferSighting['state'];
  confirmations: number;
  isFinal: boolean;
  blockAgoMinutes: number;
}

function rawLook(): fc.Arbitrary<RawLook> {
  const transfer = fc.record({
    // As often as all others together, for else hardly anything would be credited.
    state: fc.constantFrom<TransferSighting['state']>(
      'included',
      'included',
      'included',
      'included',
      'pending',
      'missing',
      'replaced',
      'failed',
    ),
    confirmations: fc.constantFrom(1, 1, 2, 3, 6, 12, 64),
    isFinal: fc.boolean(),
    blockAgoMinutes: fc.constantFrom(0, 1, 30),
  });
  return fc.record({
    waitMinutes: fc.constantFrom(0, 0, 1, 2, 5, 9, 15, 30, 400, 3_000, 11_000),
    tipMinutes: fc.constantFrom(0, 0, 0, -20, 90),
    pricePerMille: fc.constantFrom(null, 1n, 50n, 900n, 1000n, 1000n, 1100n, 5000n),
    transfers: fc.array(fc.option(transfer, { freq: 4 }), { minLength: 5, maxLength: 5 }),
    review: fc.option(fc.constant('Somebody took the coins.'), { freq: 20 }),
  });
}

function looksOf({ rateNanoUsd }: PaymentTerms, amounts: bigint[], looks: RawLook[]): Look[] {
  let minutes = 0;
  return looks.map(({ waitMinutes, tipMinutes, pricePerMille, transfers, review }) => {
    minutes += waitMinutes;
    const sightings = amounts.flatMap((amountBase, index) => {
      const seen = transfers[index];
      return seen ? [sightingOf(`t${index}`, amountBase, seen, minutes)] : [];
    });
    return {
      at: minute(minutes),
      tipTime: minute(minutes + tipMinutes),
      sightings,
      review,
      presentRateNanoUsd: pricePerMille === null ? null : (rateNanoUsd * pricePerMille) / 1000n,
    };
  });
}

function sightingOf(
  id: string,
  amountBase: bigint,
  { state, confirmations, isFinal, blockAgoMinutes }: RawTransfer,
  minutes: number,
): TransferSighting {
  const isIncluded = state === 'included';
  return {
    id,
    txHash: `hash of ${id}`,
    amountBase,
    state,
    confirmations: isIncluded ? confirmations : 0,
    isFinal: isIncluded && isFinal,
    blockTime: isIncluded ? minute(minutes - blockAgoMinutes) : null,
  };
}

function minute(minutes: number): Date {
  return new Date(CREATED_AT + minutes * 60_000);
}
