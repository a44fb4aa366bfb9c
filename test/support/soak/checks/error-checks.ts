import { ALL_UP, type Outages } from '../outages';
import type { SoakSettings } from '../soak-settings';
import type { Check } from './check';

/** One answer, or its absence, as a client saw it. */
interface Noted {
  group: string;
  /** Such as `503 The database is away.`, `no answer`. */
  outcome: string;
  isFailure: boolean;
  fromMs: number;
  toMs: number;
}

/** A soak on a machine of its own may fail so many of its calls while everything is up; on a busy one time-outs are no fault. */
const FAILED_UP_SHARE_MAX = 0.002;

/** Counts how calls ended, by group and by what was away meanwhile. */
export class AnswerTally {
  private readonly noted: Noted[] = [];

  note(group: string, outcome: string, isFailure: boolean, fromMs: number, toMs = performance.now()): void {
    this.noted.push({ group, outcome, isFailure, fromMs, toMs });
  }

  get count(): number {
    return this.noted.length;
  }

  /** @param status null where no answer of the service came */
  noteCall(group: string, status: number | null, error: string | null, fromMs: number, tookMs: number): void {
    const outcome = status === null ? NO_ANSWER : `${status}${status >= 400 && error ? ` ${error}` : ''}`;
    this.note(group, outcome, status === null || status >= 500, fromMs, fromMs + tookMs);
  }

  /** A line for each group. */
  groups(): string[] {
    const names = [...new Set(this.noted.map(({ group }) => group))].sort();
    const line = (name: string): string => {
      const own = this.noted.filter(({ group }) => group === name);
      const failed = own.filter(({ isFailure }) => isFailure).length;
      const refused = own.filter(({ outcome }) => outcome.startsWith('4')).length;
      const share = ((100 * failed) / own.length).toFixed(1);
      return [name.padEnd(16), own.length, own.length - failed - refused, refused, failed, `${share} %`]
        .map((cell, index) => (index === 0 ? cell : String(cell).padStart(9)))
        .join('');
    };
    const head =
      'group'.padEnd(16) +
      ['calls', 'served', '4xx', 'failed', 'failed'].map((name) => name.padStart(9)).join('');
    return [head, ...names.map(line)];
  }

  /** For each kind of failure and refusal three lines: how often it came, in which groups, and during which outages. */
  kinds(outages: Outages): string[] {
    const kinds = new Map<string, Noted[]>();
    for (const noted of this.noted.filter(({ isFailure, outcome }) => isFailure || outcome.startsWith('4'))) {
      const kind = noted.outcome.replaceAll(/[\d.]{4,}|"[^"]*"/g, '…').slice(0, KIND_LENGTH_MAX);
      kinds.set(kind, [...(kinds.get(kind) ?? []), noted]);
    }
    return [...kinds]
      .sort(([, one], [, other]) => other.length - one.length)
      .flatMap(([kind, all]) => [
        `${String(all.length).padStart(7)}  ${kind}`,
        `         by group: ${counts(all.map(({ group }) => group))}`,
        `         away: ${counts(all.map(({ fromMs, toMs }) => outages.during(fromMs, toMs)))}`,
      ]);
  }

  /** No failure that the document does not know, and hardly any while nothing is away. */
  checks(outages: Outages, { isLong }: SoakSettings): Check[] {
    const unexpected = this.noted.filter(({ outcome }) => /^5(?!0[234])/.test(outcome));
    const up = this.noted.filter((noted) => outages.during(noted.fromMs, noted.toMs) === ALL_UP);
    const failedUp = up.filter(({ isFailure }) => isFailure);
    const share = up.length === 0 ? 0 : failedUp.length / up.length;
    return [
      {
        name: 'no failure but 502, 503 and 504',
        figure: `${this.noted.length} answers`,
        faults: unexpected.map(
          (noted) => `${noted.group} ${noted.outcome} (${outages.during(noted.fromMs, noted.toMs)})`,
        ),
      },
      {
        name: 'hardly any failure while everything is up',
        figure: `${failedUp.length} of ${up.length} answers`,
        faults:
          isLong && share > FAILED_UP_SHARE_MAX
            ? failedUp.map(({ group, outcome }) => `${group} ${outcome}`)
            : [],
      },
    ];
  }
}

const NO_ANSWER = 'no answer';
const KIND_LENGTH_MAX = 60;

/** Each name with how often it is there, the most frequent first. */
function counts(names: readonly string[]): string {
  const found = new Map<string, number>();
  names.forEach((name) => found.set(name, (found.get(name) ?? 0) + 1));
  return [...found]
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
