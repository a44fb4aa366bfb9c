import fc from 'fast-check';
import { depth } from '../../../test/support/jest/depth';
import { PaymentOracle } from '../../../test/support/payments/payment-oracle';
import { rulesOf, scenes, unitsPerCoin, type Scene } from '../../../test/support/payments/random-looks';
import { newPaymentState } from '../../../test/support/payments/stored-payment';
import { NANO_PER_USD } from '../../ledger/money';
import { isSameState, type Look, type PaymentState } from './payment';
import type { TransferSighting } from './payment-chain';
import { lockedValue } from './payment-policy';
import { reduce, type Transition } from './reducer';

const HISTORIES = depth('PAYMENT_HISTORIES', { short: 100, deep: 5_000 });
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

interface Told {
  look: Look;
  before: PaymentState;
  state: PaymentState;
  transitions: Transition[];
}

function play({ terms, rules, looks }: Scene): Told[] {
  let state = newPaymentState(terms.expiresAt, 1);
  return looks.map((look) => {
    const before = state;
    const reduced = reduce(terms, before, look, rules);
    state = reduced.state;
    return { look, before, ...reduced };
  });
}

function always(what: string, holds: (told: Told[], scene: Scene) => void): void {
  it(what, () => {
    fc.assert(
      fc.property(scenes, (scene) => holds(play(scene), scene)),
      { numRuns: HISTORIES },
    );
  });
}

function of<Type extends Transition['type']>(told: Told[], type: Type) {
  return told.flatMap(({ transitions }) =>
    transitions.filter((transition): transition is Extract<Transition, { type: Type }> => {
      return transition.type === type;
    }),
  );
}

describe('whatever looks show of a payment, in whichever order', () => {
  always('is credited, and ends, as the policy says', (told, { terms, rules }) => {
    const oracle = new PaymentOracle(terms, rules);
    told.forEach(({ look, state }, index) => {
      oracle.look(look);
      const credits = of(told.slice(0, index + 1), 'credit').map(({ amountNanoUsd }) => amountNanoUsd);
      expect([state.status, credits]).toEqual([oracle.status, oracle.credits]);
    });
  });

  always('no transfer is credited twice', (told) => {
    const ids = of(told, 'credit').flatMap(({ transferIds }) => transferIds);
    expect(new Set(ids).size).toBe(ids.length);
    const ordinals = of(told, 'credit').map(({ ordinal }) => ordinal);
    expect(ordinals).toEqual(ordinals.map((_, index) => index + 1));
  });

  always('what is credited is said, adds up, never falls, and is never negative', (told) => {
    for (const [index, { before, state }] of told.entries()) {
      const credits = of(told.slice(0, index + 1), 'credit');
      const sum = credits.reduce((total, { amountNanoUsd }) => total + amountNanoUsd, 0n);
      const worths = state.transfers.map(({ creditedNanoUsd }) => creditedNanoUsd ?? 0n);
      expect(state.creditedNanoUsd).toBe(sum);
      expect(worths.reduce((total, worth) => total + worth, 0n)).toBe(sum);
      expect(worths.every((worth) => worth >= 0n)).toBe(true);
      expect(credits.every(({ amountNanoUsd }) => amountNanoUsd > 0n)).toBe(true);
      expect(state.creditedNanoUsd >= before.creditedNanoUsd).toBe(true);
      expect(state.creditedBase >= before.creditedBase).toBe(true);
    }
  });

  always(
    'what is credited has the confirmations of all that arrived, at that look',
    (told, { terms, rules }) => {
      for (const { look, state, transitions } of told) {
        const live = state.transfers.filter(({ state: at }) => at !== 'replaced' && at !== 'failed');
        const units = live.reduce((sum, { amountBase }) => sum + amountBase, 0n);
        const worth = lockedValue(terms, units, unitsPerCoin(terms));
        const needed = rules.requiredFor(worth > terms.amountNanoUsd ? worth : terms.amountNanoUsd);
        expect(state.requiredConfirmations).toBe(needed.confirmations);
        const ids = transitions.flatMap((change) => (change.type === 'credit' ? change.transferIds : []));
        for (const id of ids) {
          const seen = look.sightings.find((sighting) => sighting.id === id);
          const isDeep = !needed.needsFinal && Number(seen?.confirmations) >= needed.confirmations;
          expect([seen?.state, seen?.isFinal === true || isDeep]).toEqual(['included', true]);
        }
      }
    },
  );

  always('confirming and confirmed are told once, and a confirmed payment stays so', (told) => {
    expect(of(told, 'confirming').length).toBeLessThanOrEqual(1);
    expect(of(told, 'confirmed').length).toBeLessThanOrEqual(1);
    const firstConfirmed = told.findIndex(({ state }) => state.status === 'confirmed');
    const after = firstConfirmed < 0 ? [] : told.slice(firstConfirmed);
    expect(after.every(({ state }) => state.status === 'confirmed')).toBe(true);
  });

  always('it ends without credit only when its time is over and nothing is awaited', (told, { terms }) => {
    for (const { look, state } of told.filter(({ transitions }) => transitions.some(isBadEnd))) {
      expect(look.tipTime > terms.expiresAt && look.at > terms.expiresAt).toBe(true);
      const awaited = state.transfers.filter(
        ({ state: at, firstSeenAt, creditedNanoUsd }) =>
          creditedNanoUsd === null &&
          (at === 'pending' || at === 'missing') &&
          look.at.getTime() - firstSeenAt.getTime() <= WEEK_MS,
      );
      expect(awaited).toEqual([]);
    }
  });

  always('each change of the status is told, and nothing else is', (told) => {
    for (const { before, state, transitions } of told) {
      const types = transitions.map(({ type }) => type);
      const isNew = before.status !== state.status;
      expect(types.includes('confirmed')).toBe(isNew && state.status === 'confirmed');
      expect(types.includes('expired')).toBe(isNew && state.status === 'expired');
      expect(types.includes('failed')).toBe(isNew && state.status === 'failed');
      expect(types.includes('confirming')).toBe(!before.wasConfirming && state.wasConfirming);
      expect(types.includes('review')).toBe(before.reviewReason !== state.reviewReason);
      expect(state.failureReason !== null).toBe(state.status === 'failed');
      expect(state.confirmedAt !== null).toBe(state.status === 'confirmed');
    }
  });

  always('the same look again changes nothing', (told, { terms, rules }) => {
    for (const { look, state } of told) {
      const again = reduce(terms, state, look, rules);
      expect(again.transitions).toEqual([]);
      expect(isSameState(state, again.state)).toBe(true);
      expect(again.state).toEqual(state);
    }
  });

  always('a look without news changes nothing but the end', (told, { terms, rules }) => {
    for (const { look, state } of told) {
      const later = { ...look, at: new Date(look.at.getTime() + 1_000) };
      const next = reduce(terms, state, later, rules);
      const isEnd = next.transitions.some((change) => isBadEnd(change) || change.type === 'review');
      const passed = [later.at, look.at].map((at) => at > terms.expiresAt);
      expect(isEnd || passed[0] !== passed[1] || isSameState(state, next.state)).toBe(true);
    }
  });

  always('the order in which a look names the transfers means nothing', (told, { terms, rules }) => {
    for (const { look, before, state, transitions } of told) {
      const turned = { ...look, sightings: look.sightings.toReversed() };
      expect(reduce(terms, before, turned, rules)).toEqual({ state, transitions });
    }
  });

  always('what it was given is left as it was', (told, { terms, rules }) => {
    for (const { look, before } of told) {
      const [keptLook, keptState] = [structuredClone(look), structuredClone(before)];
      reduce(terms, before, look, rules);
      expect([look, before]).toEqual([keptLook, keptState]);
    }
  });
});

describe('transfers in time', () => {
  const parts = fc.array(
    fc.record({ perMille: fc.integer({ min: 1, max: 900 }), look: fc.nat({ max: 5 }) }),
    { minLength: 1, maxLength: 8 },
  );

  /** The end of a payment whose transfers mature at the looks that are named; each transfer in a block from then on. */
  function settled({ terms }: Scene, transfers: { units: bigint; look: number }[], rate: bigint) {
    const rules = rulesOf(terms);
    let state = newPaymentState(terms.expiresAt, 1);
    for (let look = 0; look <= 6; look += 1) {
      const at = new Date(terms.createdAt.getTime() + (look === 6 ? 60 : look) * 60_000);
      const sightings = transfers.flatMap(({ units, look: from }, index) =>
        from <= look ? [included(`t${index}`, units, terms.createdAt)] : [],
      );
      const facts = { at, tipTime: at, sightings, review: null, presentRateNanoUsd: rate };
      ({ state } = reduce(terms, state, facts, rules));
    }
    return state;
  }

  it('are worth the same however they were split over looks, but for less than a nano-USD for each beyond 110 %', () => {
    fc.assert(
      fc.property(scenes, parts, fc.integer({ min: 1, max: 2_000 }), (scene, shares, price) => {
        const { expectedBase, rateNanoUsd } = scene.terms;
        const rate = (rateNanoUsd * BigInt(price)) / 1000n;
        const transfers = shares.map(({ perMille, look }) => ({
          units: (expectedBase * BigInt(perMille)) / 1000n + 1n,
          look,
        }));
        const units = transfers.reduce((sum, transfer) => sum + transfer.units, 0n);
        const inParts = settled(scene, transfers, rate).creditedNanoUsd;
        const atOnce = settled(scene, [{ units, look: 0 }], rate).creditedNanoUsd;
        const beyond = units * 10n > expectedBase * 11n ? BigInt(transfers.length) : 0n;
        expect(inParts <= atOnce && atOnce - inParts <= beyond).toBe(true);
      }),
      { numRuns: HISTORIES },
    );
  });

  it('are worth what they are worth at the locked price, whatever the present one is, up to 110 %', () => {
    fc.assert(
      fc.property(scenes, fc.integer({ min: 20, max: 1_100 }), (scene, perMille) => {
        const { terms } = scene;
        const units = (terms.expectedBase * BigInt(perMille)) / 1000n;
        const { creditedNanoUsd } = settled(scene, [{ units, look: 0 }], 1n);
        const worth = lockedValue(terms, units, unitsPerCoin(terms));
        expect(creditedNanoUsd).toBe(worth < NANO_PER_USD ? 0n : worth);
      }),
      { numRuns: HISTORIES },
    );
  });
});

function included(id: string, amountBase: bigint, blockTime: Date): TransferSighting {
  return {
    id,
    txHash: null,
    amountBase,
    state: 'included',
    confirmations: 100,
    isFinal: true,
    blockTime,
  };
}

function isBadEnd({ type }: Transition): boolean {
  return type === 'expired' || type === 'failed';
}
