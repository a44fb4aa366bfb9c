export const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;

export function hourOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);
}

/** The only source of the present time, so that tests can set it. */
export abstract class Clock {
  abstract now(): Date;
}

export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}

/** Smaller differences are ignored, so that the time does not jump to and fro. */
const STEP_MS_MIN = 5;

let present: DatabaseClock | null = null;

/** Unix milliseconds, for code that no injected clock reaches. */
export function presentMs(): number {
  return present === null ? Date.now() : present.nowMs();
}

/** Makes presentMs() use this clock; null for the machine's, the default. */
export function goBy(clock: DatabaseClock | null): void {
  present = clock;
}

/** Follows the database's time by the monotonic clock, so that machines agree on leases and days. */
export class DatabaseClock extends SystemClock {
  private offsetMs = Date.now() - performance.now();

  override now(): Date {
    return new Date(this.nowMs());
  }

  nowMs(): number {
    return Math.floor(this.offsetMs + performance.now());
  }

  /** @param offsetMs the database's Unix time less performance.now(), exact to `uncertainMs` */
  set(offsetMs: number, uncertainMs: number): void {
    if (Math.abs(offsetMs - this.offsetMs) > STEP_MS_MIN + uncertainMs) {
      this.offsetMs = offsetMs;
    }
  }
}

export class ManualClock extends Clock {
  constructor(private present: Date = new Date('2026-01-15T12:00:00.000Z')) {
    super();
  }

  now(): Date {
    return new Date(this.present);
  }

  set(present: string): void {
    this.present = new Date(present);
  }

  advance(milliseconds: number): void {
    this.present = new Date(this.present.getTime() + milliseconds);
  }
}

export interface WrittenTime {
  time: Date;
  /** Whether it was a date alone; `time` is then its midnight UTC. */
  isDate: boolean;
}

// A plus sign that was not encoded in a URL arrives as a blank.
const WRITTEN =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[ +-]\d{2}(?::?\d{2})?)?)?$/i;

// Answers write a year with four digits.
export const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
export const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * ISO 8601, UTC by default, cut to milliseconds. A zone that leads out of the years 1 to 9999 gives the
 * nearest time in them.
 * @returns null for anything else, a leap second too
 */
export function readIsoTime(text: string): WrittenTime | null {
  const match = WRITTEN.exec(text);
  if (!match) {
    return null;
  }
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((digits: string | undefined) => Number(digits ?? 0));
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const zoneMinutes = minutesOfZone(match[8] ?? 'Z');
  if (year === 0 || hour > 23 || minute > 59 || second > 59 || zoneMinutes === null) {
    return null;
  }
  // Date.UTC adds 1900 to a year below 100.
  const date = new Date(Date.UTC(2000, 0, 1, hour, minute, second, milliseconds));
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) {
    return null;
  }
  const time = date.getTime() - zoneMinutes * 60_000;
  return { time: new Date(Math.min(Math.max(time, EARLIEST_MS), LATEST_MS)), isDate: match[4] === undefined };
}

/** Ahead of UTC; null for more than any zone. */
function minutesOfZone(zone: string): number | null {
  if (/^z$/i.test(zone)) {
    return 0;
  }
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', ''))];
  const distance = hours * 60 + minutes;
  return hours > 23 || minutes > 59 ? null : zone.startsWith('-') ? -distance : distance;
}

/** The work goes on when the signal aborts. @throws the signal's reason as soon as it aborts */
export async function untilAborted<Result>(work: Promise<Result>, signal?: AbortSignal): Promise<Result> {
  if (!signal) {
    return work;
  }
  const done = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const refuse = () => reject(signal.reason as Error);
    signal.addEventListener('abort', refuse, { once: true, signal: done.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    done.abort();
  }
}

/** The work's result, or what `late` gives or throws at the time-out; the work goes on. */
export async function resultWithin<Result>(
  timeoutMs: number,
  work: Promise<Result>,
  late: () => Result,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
  return Promise.race([work, over.then(late)]).finally(() => clearTimeout(timer));
}

/** Resolves at the work's end or the time-out; the work goes on. */
export async function endedWithin(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  await resultWithin(timeoutMs, work, () => undefined);
}
