import { newSeed } from './jest/seed';

/** Repeatable choices: two of the same seed choose alike. See jest/seed.ts for how LOAD_SEED repeats a run. */
export class SeededRandom {
  private state: number;

  constructor(readonly seed = newSeed()) {
    this.state = seed;
  }

  /** From 0 to below 1 (mulberry32, by Tommy Ettinger, public domain). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined) {
      throw new RangeError('nothing to pick from');
    }
    return item;
  }

  /** The same items in a random order (Fisher and Yates). */
  shuffled<Item>(items: readonly Item[]): Item[] {
    const rest = [...items];
    return items.map(() => rest.splice(this.between(0, rest.length - 1), 1)).flat();
  }
}
