export type Victim = 'api' | 'worker' | 'redis' | 'postgres';

export interface Outage {
  victim: Victim;
  /** What was done to whom, for people. */
  what: string;
  /** On the clock of performance.now(). */
  fromMs: number;
  /** Null while it lasts. */
  toMs: number | null;
}

/** So long after its return a victim may still be felt: connections are made anew, queues are worked off. */
const FELT_FOR_MS = 10_000;

/** What was away when. */
export class Outages {
  readonly all: Outage[] = [];

  begin(victim: Victim, what: string): Outage {
    const outage = { victim, what, fromMs: performance.now(), toMs: null };
    this.all.push(outage);
    return outage;
  }

  end(outage: Outage): void {
    outage.toMs = performance.now();
  }

  count(victim: Victim): number {
    return this.all.filter((outage) => outage.victim === victim).length;
  }

  /** How many outages of a victim last now. */
  lasting(victim: Victim): number {
    return this.all.filter((outage) => outage.victim === victim && outage.toMs === null).length;
  }

  /** What a call of these times may have felt, such as `postgres+redis`; `all up` for nothing. */
  during(fromMs: number, toMs: number): string {
    const felt = this.all.filter(
      (outage) => outage.fromMs <= toMs && (outage.toMs === null || outage.toMs + FELT_FOR_MS >= fromMs),
    );
    const victims = [...new Set(felt.map(({ victim }) => victim))].sort();
    return victims.length === 0 ? ALL_UP : victims.join('+');
  }
}

export const ALL_UP = 'all up';
