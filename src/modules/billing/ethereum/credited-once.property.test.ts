import fc from 'fast-check';
import { MATURE, SimulatedEther, SimulatedObserver } from '../../../../test/support/chains/simulated-ether';

const RUNS = 500;

/** More blocks than a node's state reaches back. */
const GAP_BLOCKS = 130;

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('deposit' as const), wei: fc.bigInt(1n, 5n) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('mine' as const),
      count: fc.constantFrom(1, MATURE, GAP_BLOCKS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('reorg' as const),
      depth: fc.integer({ min: 1, max: MATURE - 1 }),
      deposits: fc.array(fc.bigInt(0n, 5n), { maxLength: MATURE }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('poll' as const),
      isBehindBy: fc.oneof(fc.constant(0), fc.constantFrom(1, MATURE, 40, GAP_BLOCKS, Infinity)),
      keeps: fc.constantFrom(Infinity, 20, 1),
      isCrediting: fc.boolean(),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function play(chain: SimulatedEther, observer: SimulatedObserver, step: Step): void {
  switch (step.kind) {
    case 'deposit':
      return chain.deposit(step.wei);
    case 'mine':
      return chain.mine(step.count);
    case 'reorg':
      return chain.reorg(step.depth, step.deposits);
    case 'poll':
      chain.isBehindBy = step.isBehindBy;
      chain.keeps = step.keeps;
      observer.store(observer.look().sightings);
      if (step.isCrediting) {
        observer.credit();
      }
  }
}

describe('what a node shows that sometimes answers from an older state, or from none', () => {
  it('is never credited under two ids, and is all credited once the node is well', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.boolean(), (steps, hasMemory) => {
        const chain = new SimulatedEther();
        const observer = new SimulatedObserver(chain, undefined, hasMemory);
        for (const each of steps) {
          play(chain, observer, each);
          expect(observer.credited <= chain.received).toBe(true);
        }
        chain.mine(MATURE);
        chain.isBehindBy = 0;
        chain.keeps = Infinity;
        observer.poll();
        expect(observer.credited).toBe(chain.received);
      }),
      { numRuns: RUNS },
    );
  });

  it('keeps the ids of credited transfers after a look that showed nothing, however deep they are by then', () => {
    const chain = new SimulatedEther();
    const observer = new SimulatedObserver(chain);
    chain.deposit(100n);
    chain.mine(30);
    chain.deposit(50n);
    chain.mine(30);
    const idsOf = ({ sightings }: ReturnType<SimulatedObserver['poll']>) =>
      sightings.map(({ id, state }) => [id, state]);
    const before = idsOf(observer.poll());
    expect(before).toHaveLength(2);
    chain.isBehindBy = Infinity;
    expect(observer.poll().sightings.map(({ state }) => state)).toEqual(['missing', 'missing']);
    chain.isBehindBy = 0;
    chain.mine(GAP_BLOCKS);
    expect(idsOf(observer.poll())).toEqual(before);
  });

  it('forms nothing from a part of what was credited as one', () => {
    const chain = new SimulatedEther();
    const observer = new SimulatedObserver(chain);
    chain.deposit(60n);
    chain.mine(30);
    chain.deposit(40n);
    chain.mine(GAP_BLOCKS);
    const [whole] = observer.poll().sightings;
    expect(whole?.amountBase).toBe(100n);
    chain.isBehindBy = GAP_BLOCKS + 1;
    expect(observer.poll().sightings).toMatchObject([{ id: whole?.id, state: 'missing' }]);
    chain.isBehindBy = 0;
    chain.deposit(7n);
    expect(observer.poll().sightings.map(({ amountBase, state }) => [amountBase, state])).toEqual([
      [100n, 'included'],
      [7n, 'included'],
    ]);
  });
});
