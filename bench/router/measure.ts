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

/**
 * Loads the same targets of both checkouts, each beside its counterpart, in interleaved rounds. The other targets do not run meanwhile:
 * what a dozen services do while they are idle would be measured with them.
 */
export async function measureRouter(
  settings: Settings,
  { before, profileFolder, log }: MeasureOptions,
): Promise<RouterResults> {
  const checkouts = checkoutsOf(before);
  const generator = chooseGenerator();
  const postgres = await startBenchPostgres(log);
  const rounds: Round[] = [];
  try {
    for (const compared of COMPARED.filter(({ name }) => settings.targets?.includes(name) ?? true)) {
      const running: LoadedTarget[] = [];
      try {
        for (const checkout of checkouts) {
          running.push(await startCompared(checkout, compared, { postgres, profileFolder }));
        }
        postgres.pin();
        const options = { settings: { ...settings, connections: [CONNECTIONS] }, generator, log };
        rounds.push(...(await runRounds(running, { ...options, postgresPid: postgres.pid })));
      } finally {
        for (const { server } of running) {
          await server.stop();
        }
      }
    }
    const versions = checkouts.map((checkout) => ({
      name: checkout.name,
      commit: commitOf(checkout),
      lines: linesOf(checkout),
    }));
    return { settings, generator: generator.name, versions, rounds };
  } finally {
    await postgres.stop();
  }
}
