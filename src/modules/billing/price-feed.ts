import { Logger } from '@nestjs/common';
import { OperatorCallFailed, OperatorHttp } from '../../http/operator-http';
import { NANO_PER_USD } from '../../ledger/money';
import type { Counter } from '../../observability/metrics';
import { Clock } from '../../runtime/clock';
import type { Currency } from './payment-chain';
import { type PricePlace, valueAt } from './price-source-settings';

export interface SourcePrice {
  readonly name: string;
  readonly rateNanoUsd: bigint;
  readonly takenAt: Date;
}

export interface Quote {
  readonly rateNanoUsd: bigint;
  /** When the quote was made; the prices below may be a minute older. */
  readonly takenAt: Date;
  /** Those that agree on it, by ascending price. */
  readonly sources: readonly SourcePrice[];
}

/** Too few sources agree on what a coin costs. Nothing may be sold for it now. */
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

/** A JSON number or a decimal string, cut off after the ninth decimal place; null for what can't be a price. */
export function readPrice(value: unknown): bigint | null {
  if (typeof value !== 'string' && typeof value !== 'number') {
    return null;
  }
  // A double prints as the shortest decimal that means it, so a number of up to 15 digits comes out as it was written.
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

export const PRICE_AGE_MAX_MS = 60_000;
/** However many payments are made. */
const FETCH_INTERVAL_MIN_MS = 10_000;
const BOUNDS = { timeoutMs: 4_000, answerBytesMax: 64 * 1024 };

export class PriceFeed {
  private readonly logger = new Logger('PriceFeed');
  private readonly http: OperatorHttp;
  private readonly path: string;
  private last: SourcePrice | null = null;
  private askedAt: Date | null = null;
  private fetching: Promise<void> | null = null;
  private hasFailed = false;
  private isClosed = false;

  constructor(
    private readonly name: string,
    private readonly title: string,
    private readonly place: PricePlace,
    private readonly clock: Clock,
    private readonly failures: Counter,
  ) {
    const { pathname, search } = new URL(place.url);
    // As the end of a base URL the path would lose a slash at its end.
    this.http = new OperatorHttp(new URL('/', place.url).href, BOUNDS);
    this.path = pathname + search;
  }

  get isFailing(): boolean {
    return this.hasFailed;
  }

  /** However old it is; null before the first. */
  get lastTakenAt(): Date | null {
    return this.last?.takenAt ?? null;
  }

  /** Null where the last price is too old. A failed fetch leaves it as it is. */
  freshPrice(): SourcePrice | null {
    return this.last !== null && this.isWithin(this.last.takenAt, PRICE_AGE_MAX_MS) ? this.last : null;
  }

  /** Asks the source, unless it is being asked or was asked a moment ago. Never rejects. */
  async refresh(): Promise<void> {
    if (this.askedAt === null || !this.isWithin(this.askedAt, FETCH_INTERVAL_MIN_MS - 1)) {
      this.fetching ??= this.fetch().finally(() => {
        this.fetching = null;
      });
    }
    await this.fetching;
  }

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

  /** A source that is down for hours fails every few seconds: only the first failure is worth a line. */
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
