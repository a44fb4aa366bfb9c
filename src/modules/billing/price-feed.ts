import { Logger } from '@nestjs/common';
import { OperatorCallFailed, OperatorHttp } from '../../http/operator-http';
import { NANO_PER_USD } from '../../ledger/usd';
import type { Counter } from '../../observability/metrics';
import { Clock } from '../../runtime/clock';
import type { Currency } from './payment-chain';
import { type PricePlace, valueAt } from './price-source-settings';

/** What one source said that a coin costs. */
export interface SourcePrice {
  /** Of the source, as the operator calls it. */
  readonly name: string;
  /** Nano-USD for one whole coin; above 0. */
  readonly rateNanoUsd: bigint;
  /** When the answer arrived, by our clock. */
  readonly takenAt: Date;
}

/** What a coin costs, and by whose word. */
export interface Quote {
  /** Nano-USD for one whole coin; above 0. */
  readonly rateNanoUsd: bigint;
  /** When the quote was made; the prices below may be a minute older. */
  readonly takenAt: Date;
  /** The sources that agree on it, by ascending price. */
  readonly sources: readonly SourcePrice[];
}

/** Too few sources agree on what a coin costs. Nothing may be sold for it now; a later quote may succeed. */
export class PriceUnavailable extends Error {
  /** @param reason never contains a URL */
  constructor(
    readonly currency: Currency,
    readonly reason: string,
  ) {
    super(`no price of ${currency}: ${reason}`);
    this.name = new.target.name;
  }
}

const LENGTH_MAX = 64;
const EXPONENT_DIGITS_MAX = 2;
/** Thousands of times what any coin has cost: a larger number is in another unit. */
const PRICE_MAX_NANO_USD = 1_000_000_000n * NANO_PER_USD;
const DECIMAL = new RegExp(String.raw`^(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,${EXPONENT_DIGITS_MAX}}))?$`, 'i');

/**
 * Reads what a source says that a coin costs in USD: a JSON number, or a decimal string. No digit is lost but those beyond the
 * ninth decimal place, which are cut off.
 * @returns nano-USD for one whole coin; null for anything that can't be a price
 */
export function readPrice(value: unknown): bigint | null {
  if (typeof value !== 'string' && typeof value !== 'number') {
    return null;
  }
  // A double prints as the shortest decimal that means it, so a source's number of up to 15 digits comes out as it was written.
  const text = String(value);
  const match = text.length > LENGTH_MAX ? null : DECIMAL.exec(text);
  if (!match) {
    return null;
  }
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const nanoUsd = shifted(BigInt(whole + fraction), Number(exponent) - fraction.length + 9);
  return nanoUsd > 0n && nanoUsd <= PRICE_MAX_NANO_USD ? nanoUsd : null;
}

function shifted(digits: bigint, places: number): bigint {
  return places >= 0 ? digits * 10n ** BigInt(places) : digits / 10n ** BigInt(-places);
}

/** An older price counts no more. */
export const PRICE_AGE_MAX_MS = 60_000;
/** No source is asked more often, however many payments are made. */
const FETCH_INTERVAL_MIN_MS = 10_000;
const BOUNDS = { timeoutMs: 4_000, answerBytesMax: 64 * 1024 };

/** The price of one coin at one source. */
export class PriceFeed {
  private readonly logger = new Logger('PriceFeed');
  private readonly http: OperatorHttp;
  private readonly path: string;
  private last: SourcePrice | null = null;
  private askedAt: Date | null = null;
  private fetching: Promise<void> | null = null;
  private hasFailed = false;
  private isClosed = false;

  /**
   * @param title of source and currency, for the log
   * @param failures counts the fetches that gave no price
   */
  constructor(
    private readonly name: string,
    private readonly title: string,
    private readonly place: PricePlace,
    private readonly clock: Clock,
    private readonly failures: Counter,
  ) {
    const { pathname, search } = new URL(place.url);
    // The path is given apart, because as the end of a base URL it would lose a slash at its end.
    this.http = new OperatorHttp(new URL('/', place.url).href, BOUNDS);
    this.path = pathname + search;
  }

  /** Whether the last fetch gave no price. */
  get isFailing(): boolean {
    return this.hasFailed;
  }

  /** When the last price arrived, however old it is; null before the first. */
  get lastTakenAt(): Date | null {
    return this.last?.takenAt ?? null;
  }

  /** The last price, unless it is too old. A failed fetch leaves it as it is. */
  freshPrice(): SourcePrice | null {
    return this.last !== null && this.isWithin(this.last.takenAt, PRICE_AGE_MAX_MS) ? this.last : null;
  }

  /**
   * Asks the source, unless it is being asked or was asked a moment ago.
   * @returns what resolves once it is not being asked; it never rejects
   */
  async refresh(): Promise<void> {
    if (this.askedAt === null || !this.isWithin(this.askedAt, FETCH_INTERVAL_MIN_MS - 1)) {
      this.fetching ??= this.fetch().finally(() => {
        this.fetching = null;
      });
    }
    await this.fetching;
  }

  /** Ends the connections, and with them a fetch that is under way. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.http.close();
    await this.fetching;
  }

  private async fetch(): Promise<void> {
    this.askedAt = this.clock.now();
    try {
      const rateNanoUsd = await this.fetchRate();
      this.last = { name: this.name, rateNanoUsd, takenAt: this.clock.now() };
      if (this.hasFailed) {
        this.logger.log(`${this.title}: there is a price again`);
      }
      this.hasFailed = false;
    } catch (error) {
      this.noteFailure(error);
    }
  }

  private async fetchRate(): Promise<bigint> {
    const { status, json } = await this.http.json({ path: this.path });
    if (status !== 200) {
      throw new OperatorCallFailed(`the answer has the status ${status}`, status);
    }
    const rateNanoUsd = readPrice(valueAt(json, this.place.pointer));
    if (rateNanoUsd === null) {
      throw new OperatorCallFailed('what the pointer leads to is no price', status);
    }
    return rateNanoUsd;
  }

  /** A source that is down for hours fails every few seconds, so only the first failure is worth a line. */
  private noteFailure(error: unknown): void {
    if (this.isClosed) {
      return;
    }
    this.failures.add();
    if (!this.hasFailed) {
      this.logger.warn(`${this.title}: no price: ${(error as Error).message}`);
    }
    this.hasFailed = true;
  }

  /** A time in the future is not within: the clock was set back, and how long ago it was can't be told. */
  private isWithin(time: Date, spanMs: number): boolean {
    const ageMs = this.clock.now().getTime() - time.getTime();
    return ageMs >= 0 && ageMs <= spanMs;
  }
}
