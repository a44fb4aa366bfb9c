import fc from 'fast-check';
import { MATURE, SimulatedEther, SimulatedObserver } from '../../../../test/support/chains/simulated-ether';
import type { TransferSighting } from '../payment-chain';

const RUNS = 200;

const amount = fc.bigInt({ min: 1n, max: 5n });
const growth = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('deposit' as const),
      parts: fc.array(amount, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('mine' as const), count: fc.integer({ min: 1, max: 30 }) }),
  },
);
const reorg = fc.record({
  kind: fc.constant('reorg' as const),
  depth: fc.integer({ min: 1, max: MATURE - 1 }),
  deposits: fc.array(fc.oneof(fc.constant(0n), amount), { maxLength: 14 }),
});
const poll = fc.record({ kind: fc.constant('poll' as const), observer: fc.constantFrom(0, 1) });
const late = fc.record({ kind: fc.constant('store-late' as const) });
const prune = fc.record({ kind: fc.constant('prune' as const), keeps: fc.integer({ min: 1, max: 130 }) });
const spend = fc.record({ kind: fc.constant('spend' as const), percent: fc.bigInt({ min: 1n, max: 100n }) });

type Step =
  | { kind: 'deposit'; parts: bigint[] }
  | { kind: 'mine'; count: number }
  | { kind: 'reorg'; depth: number; deposits: bigint[] }
  | { kind: 'poll'; observer: number }
  | { kind: 'store-late' }
  | { kind: 'prune'; keeps: number }
  | { kind: 'spend'; percent: bigint };

function sumOf(sightings: readonly TransferSighting[]): bigint {
  return sightings
    .filter(({ state }) => state === 'included')
    .reduce((sum, { amountBase }) => sum + amountBase, 0n);
}

/** Plays everything but polls. */
function play(chain: SimulatedEther, step: Step): void {
  switch (step.kind) {
    case 'deposit':
      return chain.deposit(...step.parts);
    case 'mine':
      return chain.mine(step.count);
    case 'reorg':
      return chain.reorg(step.depth, step.deposits);
    case 'spend':
      return chain.spend(step.percent);
    case 'prune':
      chain.keeps = step.keeps;
      return;
    default:
  }
}

/** Remembers what a reader of sightings was promised, and fails where it is broken. */
class Promises {
  private readonly amounts = new Map<string, bigint>();
  private readonly matured = new Set<string>();

  check(chain: SimulatedEther, sightings: readonly TransferSighting[]): void {
    expect(new Set(sightings.map(({ id }) => id)).size).toBe(sightings.length);
    for (const { id, amountBase } of sightings) {
      expect(this.amounts.get(id) ?? amountBase).toBe(amountBase);
      this.amounts.set(id, amountBase);
    }
    for (const id of this.matured) {
      expect(sightings.find((sighting) => sighting.id === id)?.state).toBe('included');
    }
    const mature = sightings.filter((sighting) => sighting.confirmations >= MATURE);
    expect(sumOf(mature) <= chain.balanceAt(chain.head - MATURE + 1)).toBe(true);
    mature.forEach(({ id }) => this.matured.add(id));
    const total = sightings
      .filter(({ id }) => this.matured.has(id))
      .reduce((sum, { amountBase }) => sum + amountBase, 0n);
    expect(total <= chain.received).toBe(true);
  }
}

describe('what balances show, for any history', () => {
  it('adds up to the balance, keeps every amount and takes nothing mature back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(growth, growth, reorg, poll, poll, prune), { maxLength: 40 }),
        (steps: Step[]) => {
          const chain = new SimulatedEther();
          const observers = [new SimulatedObserver(chain), new SimulatedObserver(chain, undefined, false)];
          const promises = observers.map(() => new Promises());
          for (const step of [
            ...steps,
            { kind: 'poll' as const, observer: 0 },
            { kind: 'poll' as const, observer: 1 },
          ]) {
            play(chain, step);
            if (step.kind === 'poll') {
              const { sightings } = observers[step.observer]?.poll() ?? { sightings: [] };
              expect(sumOf(sightings)).toBe(chain.balanceAt(chain.head));
              promises[step.observer]?.check(chain, sightings);
            }
          }
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('is the same for two observers that know the same, whatever each remembers', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(growth, reorg, poll), { maxLength: 40 }), (steps: Step[]) => {
        const chain = new SimulatedEther();
        const remembering = new SimulatedObserver(chain);
        const forgetting = new SimulatedObserver(chain, undefined, false);
        for (const step of steps) {
          play(chain, step);
          if (step.kind === 'poll') {
            const [one, other] = [remembering.poll().sightings, forgetting.poll().sightings];
            expect(one).toEqual(other);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('recovers when two replicas have stored what they saw on both sides of a reorganisation', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(growth, reorg, poll, late), { maxLength: 40 }), (steps: Step[]) => {
        const chain = new SimulatedEther();
        const observer = new SimulatedObserver(chain);
        let earlier: readonly TransferSighting[] = [];
        for (const step of [...steps, { kind: 'poll' as const, observer: 0 }]) {
          if (step.kind === 'store-late') {
            observer.store(earlier);
            continue;
          }
          earlier = observer.look().sightings;
          play(chain, step);
          if (step.kind === 'poll') {
            const { sightings } = observer.poll();
            expect(sumOf(sightings)).toBe(chain.balanceAt(chain.head));
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('never takes the spending of the owner for a reorganisation, nor for something received', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(growth, growth, spend, poll, poll), { maxLength: 40 }),
        (steps: Step[]) => {
          const chain = new SimulatedEther();
          const observer = new SimulatedObserver(chain);
          for (const step of [...steps, { kind: 'poll' as const, observer: 0 }]) {
            play(chain, step);
            if (step.kind === 'poll') {
              const { sightings } = observer.poll();
              expect(sightings.map(({ state }) => state).filter((state) => state !== 'included')).toEqual([]);
              expect(sumOf(sightings) <= chain.received).toBe(true);
            }
          }
        },
      ),
      { numRuns: RUNS },
    );
  });
});
