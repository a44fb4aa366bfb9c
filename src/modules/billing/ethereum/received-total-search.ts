/** Null: the node could not tell, as for blocks whose state it has given up. */
export type Readings = Map<number, bigint | null>;

export interface FirstBlock {
  block: number;
  /** Whether the block before has less; otherwise it may have been reached earlier. */
  isExact: boolean;
}

interface Gap {
  /** Both are read already, or lie below the floor. */
  lower: number;
  upper: number;
}

/** A number that never falls from one block to the next; this tells which blocks are worth reading. */
export class RisingHistory {
  /** @param top the highest block that counts; it has been read */
  constructor(
    private readonly readings: Readings,
    private readonly floor: number,
    private readonly top: number,
  ) {}

  get value(): bigint | null {
    return this.readings.get(this.top) ?? null;
  }

  /** Null where the highest block has less. A block that could not be read is taken to have less. */
  firstWith(amount: bigint): FirstBlock | null {
    let first: number | null = null;
    for (const [block, value] of this.downward()) {
      if (value === null || value < amount) {
        return first === null ? null : { block: first, isExact: value !== null && block === first - 1 };
      }
      first = block;
    }
    return first === null ? null : { block: first, isExact: false };
  }

  /** Rising. What lies between two of them came in one block, or can't be told apart. */
  stepsAbove(amount: bigint): bigint[] {
    const steps: bigint[] = [];
    let lowest: bigint | null = null;
    for (const [, value] of this.downward()) {
      if (value === null || value <= amount) {
        break;
      }
      if (lowest === null || value < lowest) {
        steps.unshift(value);
        lowest = value;
      }
    }
    return steps;
  }

  /**
   * The blocks to read next, until firstWith is as exact as it can be for the amounts, and stepsAbove complete.
   * @param readsPerGapMax between two blocks that were read; more of them make fewer rounds
   */
  wanted(amounts: readonly bigint[], above: bigint, readsPerGapMax: number): number[] {
    const gaps = new Map<number, Gap>();
    for (const gap of [...amounts.map((amount) => this.gapOf(amount)), ...this.stepGaps(above)]) {
      if (gap) {
        gaps.set(gap.upper, gap);
      }
    }
    return [...gaps.values()].flatMap((gap) =>
      gap.upper === this.top ? this.galloping(gap) : spread(gap, readsPerGapMax),
    );
  }

  private gapOf(amount: bigint): Gap | null {
    const upper = this.firstWith(amount)?.block;
    return upper === undefined ? null : this.gapBelow(upper);
  }

  private stepGaps(above: bigint): Gap[] {
    const read = this.downward();
    const gaps: Gap[] = [];
    for (const [index, [block, value]] of read.entries()) {
      if (value === null || value <= above) {
        break;
      }
      const gap = read[index + 1]?.[1] === value ? null : this.gapBelow(block);
      if (gap) {
        gaps.push(gap);
      }
    }
    return gaps;
  }

  private gapBelow(upper: number): Gap | null {
    const lower = this.downward().find(([block]) => block < upper)?.[0] ?? this.floor - 1;
    return upper - lower > 1 ? { lower, upper } : null;
  }

  /** What has changed has mostly changed in the newest blocks, so the distances double from the top. */
  private galloping({ lower, upper }: Gap): number[] {
    const blocks: number[] = [];
    for (let distance = 1; upper - distance > lower; distance = distance * 2 + 1) {
      blocks.push(upper - distance);
    }
    const end = lower + 1;
    return lower < this.floor && end < upper && !blocks.includes(end) ? [...blocks, end] : blocks;
  }

  private downward(): [number, bigint | null][] {
    return [...this.readings]
      .filter(([block]) => block >= this.floor && block <= this.top)
      .sort(([one], [other]) => other - one);
  }
}

function spread({ lower, upper }: Gap, countMax: number): number[] {
  const inside = upper - lower - 1;
  const count = Math.min(inside, countMax);
  return Array.from({ length: count }, (_, index) =>
    Math.floor(lower + ((index + 1) * (inside + 1)) / (count + 1)),
  );
}
