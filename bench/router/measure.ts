import { startBenchPostgres } from '../bench-postgres';
import { chooseGenerator } from '../load';
import { runRounds, type Round } from '../rounds';
import type { LoadedTarget } from '../running-target';
import type { Settings } from '../settings';
import { checkoutsOf, commitOf, linesOf, type LineCount } from './checkouts';
import { COMPARED, CONNECTIONS, startCompared } from './servers';

/** What the report says about one of the two checkouts. */
export interface Version {
  name: 'before' | 'after';
  commit: string;
  lines: LineCount[];
}

export interface RouterResults {
  settings: Settings;
  generator: string;
  versions: Version[];
  rounds: Round[];
}

export interface MeasureOptions {
  /** The folder of the other checkout. */
  before: string;
  profileFolder: string | null;
  log: (message: string) => void;
}

/** Loads the same targets of both checkouts, each beside its counterpart, in one interleaved run. */
export async function measureRouter(
  settings: Settings,
  { before, profileFolder, log }: MeasureOptions,
): Promise<RouterResults> {
  const checkouts = checkoutsOf(before);
  const generator = chooseGenerator();
  const stops: (() => Promise<void>)[] = [];
  try {
    const postgres = await startBenchPostgres(log);
    stops.push(postgres.stop);
    const running: LoadedTarget[] = [];
    const wanted = COMPARED.filter(({ name }) => settings.targets?.includes(name) ?? true);
    for (const compared of wanted) {
      for (const checkout of checkouts) {
        const started = await startCompared(checkout, compared, { postgres, profileFolder });
        log(`started ${started.target.name}`);
        stops.push(started.server.stop);
        running.push(started);
      }
    }
    postgres.pin();
    const rounds = await runRounds(running, {
      settings: { ...settings, connections: [CONNECTIONS] },
      generator,
      postgresPid: postgres.pid,
      log,
    });
    const versions = checkouts.map((checkout) => ({
      name: checkout.name,
      commit: commitOf(checkout),
      lines: linesOf(checkout),
    }));
    return { settings, generator: generator.name, versions, rounds };
  } finally {
    for (const stop of stops.reverse()) {
      await stop();
    }
  }
}
