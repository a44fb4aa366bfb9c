import type { OwnPayment } from './bitcoin-places';
import { EARLIER_MS } from './payment-age';

/** All that was paid to the first `count` addresses since a time is known. */
interface Part {
  count: number;
  sinceSeconds: number;
}

const PART = /to index (\d{1,10}) since (\d{1,10})/g;
const MARK = 'complete ';
/** What is forgotten is looked through again, so that forgetting is safe. Each part stands for a thousand addresses. */
const PARTS_MAX = 50;

/**
 * What a wallet knows completely: of which addresses, and since when. Both belong together, because blocks are only looked
 * through from the oldest payment on that was asked about, and an older one may be asked about later.
 */
export class CoreCoverage {
  private constructor(private readonly parts: readonly Part[]) {}

  /** Reads the marks that the labels of an address are. */
  static ofLabels(labels: readonly string[]): CoreCoverage {
    const parts = labels
      .filter((label) => label.startsWith(MARK))
      .flatMap((label) => [...label.matchAll(PART)])
      .map(([, index, since]) => ({ count: Number(index) + 1, sinceSeconds: Number(since) }));
    return new CoreCoverage(parts.slice(-PARTS_MAX));
  }

  get label(): string {
    return (
      MARK +
      this.parts.map(({ count, sinceSeconds }) => `to index ${count - 1} since ${sinceSeconds}`).join(', ')
    );
  }

  /** Of how many of the first addresses something is known. */
  get count(): number {
    return this.parts.reduce((max, { count }) => Math.max(max, count), 0);
  }

  /** Whether all that may have been paid for a payment is known. */
  has({ derivationIndex, createdAt }: OwnPayment): boolean {
    const neededMs = createdAt.getTime() - EARLIER_MS;
    return this.parts.some(
      ({ count, sinceSeconds }) => derivationIndex < count && sinceSeconds * 1_000 <= neededMs,
    );
  }

  /** What is left of it in a wallet that has only so many addresses. */
  within(imported: number): CoreCoverage {
    return new CoreCoverage(this.parts.map((part) => ({ ...part, count: Math.min(part.count, imported) })));
  }

  /** With what was looked through since; parts that say less than another are dropped. */
  with(added: Part): CoreCoverage {
    const others = this.parts.filter(
      ({ count, sinceSeconds }) => count > added.count || sinceSeconds < added.sinceSeconds,
    );
    return new CoreCoverage([...others, added].slice(-PARTS_MAX));
  }
}
