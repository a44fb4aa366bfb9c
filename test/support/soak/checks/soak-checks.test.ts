import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Outages } from '../outages';
import { soakSettings } from '../soak-settings';
import { AnswerTally } from './error-checks';
import { checkMemory } from './memory-checks';

const MIB = 2 ** 20;
const LONG = soakSettings({ SOAK_MINUTES: '15' });
const SHORT = soakSettings({ SOAK_MINUTES: '2' });

describe('the memory of a soak', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'soak-checks-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** What is held after so many samples of five seconds. */
  const faultsOf = (heldMib: (sample: number) => number, settings = LONG): string[] => {
    const lines = Array.from({ length: 180 }, (_, sample) =>
      JSON.stringify({
        upMs: sample * 5_000,
        rss: 400 * MIB,
        heapUsed: heldMib(sample) * MIB,
        external: 0,
      }),
    );
    writeFileSync(join(folder, '7.jsonl'), `${lines.join('\n')}\n{"upMs":9`);
    return checkMemory(folder, [{ name: 'api-1', pid: 7 }], settings).flatMap(({ faults }) => faults);
  };

  it('is flat where it only rises at first, and where it goes up and down', () => {
    expect(faultsOf((sample) => Math.min(sample, 60))).toEqual([]);
    expect(faultsOf((sample) => 100 + 20 * Math.sin(sample))).toEqual([]);
  });

  it('is not where it rises to the end', () => {
    expect(faultsOf((sample) => 100 + sample / 4)).toEqual(['what it holds grows by more than 24 MiB']);
    expect(faultsOf((sample) => 100 + sample / 4, SHORT)).toEqual([]);
  });

  it('is not known of a process that has written nothing', () => {
    expect(checkMemory(folder, [{ name: 'api-1', pid: 7 }], LONG)[0]?.faults).toEqual(['only 0 samples']);
  });
});

describe('the errors of a soak', () => {
  const faultsOf = (settings = LONG, ...outcomes: string[]): string[] => {
    const tally = new AnswerTally();
    outcomes.forEach((outcome) => tally.note('v1', outcome, !outcome.startsWith('2'), performance.now()));
    return tally.checks(new Outages(), settings).flatMap(({ faults }) => faults);
  };

  it('may be documented ones while something is away, and 500 never', () => {
    const outages = new Outages();
    outages.begin('postgres', 'postgres');
    const tally = new AnswerTally();
    ['502', '503 The database is away', '500 Internal server error', 'no answer'].forEach((outcome) =>
      tally.note('v1', outcome, true, performance.now()),
    );
    expect(tally.checks(outages, LONG).flatMap(({ faults }) => faults)).toEqual([
      'v1 500 Internal server error (postgres)',
    ]);
  });

  it('may hardly be any while all is up, where the machine does nothing else', () => {
    expect(faultsOf(LONG, '200', '503')).toEqual(['v1 503']);
    expect(faultsOf(SHORT, '200', '503')).toEqual([]);
  });
});
