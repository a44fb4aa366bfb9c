import { startBenchPostgres } from '../bench-postgres';
import { chooseGenerator } from '../load';
import { runRounds, type Round } from '../rounds';
import type { Settings } from '../settings';
import { startWatched } from './servers';

/** So many that flushes carry calls of several accounts. */
export const BUSY = 64;
/** One call at a time, whose latency nothing else hides. */
export const ALONE = 1;
/** The part keeps within a minute; longer loads showed the same ratios. */
const ROUNDS_MAX = 3;
const BUSY_SECONDS_MAX = 2;
const ALONE_SECONDS = 1;

export interface EventResults {
  generator: string;
  roundCount: number;
  rounds: Round[];
  /** Rows of events for each charge of the account, by whether it subscribed. */
  rowsPerCall: { subscribed: number; nobody: number };
}

/**
 * Loads two servers in turn that differ in one thing: on one of them one account has a webhook for all events. The calls
 * of the other accounts, of a mix with that account, and of that account alone are compared with the same calls on the
 * server on which nobody has one.
 */
export async function measureEvents(
  settings: Settings,
  log: (message: string) => void,
): Promise<EventResults> {
  const generator = chooseGenerator();
  const stops: (() => Promise<void>)[] = [];
  try {
    const postgres = await startBenchPostgres(log);
    stops.push(postgres.stop);
    const nobody = await startWatched(postgres, false);
    stops.push(nobody.server.stop);
    const subscribed = await startWatched(postgres, true);
    stops.push(subscribed.server.stop);
    postgres.pin();
    const rounds = Math.min(settings.rounds, ROUNDS_MAX);
    const options = { generator, postgresPid: postgres.pid, log };
    const busy = await runRounds([nobody.others, subscribed.others, nobody.mixed, subscribed.mixed], {
      ...options,
      settings: {
        rounds,
        loadSeconds: Math.min(settings.loadSeconds, BUSY_SECONDS_MAX),
        connections: [BUSY],
      },
    });
    const alone = await runRounds([nobody.own, subscribed.own], {
      ...options,
      settings: { rounds, loadSeconds: ALONE_SECONDS, connections: [ALONE] },
    });
    const rowsPerCall = {
      nobody: rowsOf(await nobody.written()),
      subscribed: rowsOf(await subscribed.written()),
    };
    return { generator: generator.name, roundCount: rounds, rounds: [...busy, ...alone], rowsPerCall };
  } finally {
    for (const stop of stops.reverse()) {
      await stop();
    }
  }
}

function rowsOf({ charges, events }: { charges: number; events: number }): number {
  return events / charges;
}
