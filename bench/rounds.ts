import { setTimeout as delay } from 'node:timers/promises';
import type { LoadGenerator } from './load';
import { cpuSeconds, cpuSecondsWithChildren, memoryMiB } from './process-figures';
import { callOnce, type LoadedTarget } from './running-target';
import type { Settings } from './settings';

/** A pause between targets: rows that are written a moment after their calls must not burden the next target. */
const PAUSE_MS = 500;
const WARM_UP_SECONDS = 2;
const WARM_UP_CONNECTIONS = 64;

/** What one target showed in one round with one number of connections. */
export interface Round {
  target: string;
  connections: number;
  /** 0 for the warm-up, which no figure is taken from. */
  round: number;
  calls: number;
  callsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  failures: number;
  /** Processor time per call; null where the system does not tell. */
  serverUs: number | null;
  postgresUs: number | null;
  /** The memory that the server holds after the round. */
  memoryMiB: number | null;
}

export interface RoundOptions {
  settings: Pick<Settings, 'rounds' | 'loadSeconds' | 'connections'>;
  generator: LoadGenerator;
  postgresPid: number | null;
  log: (message: string) => void;
}

/**
 * Loads all targets in turn, round after round, every second round backwards. A machine whose speed drifts then affects
 * all targets alike, and no target always follows the same other one.
 */
export async function runRounds(targets: LoadedTarget[], options: RoundOptions): Promise<Round[]> {
  const { settings, log } = options;
  const results: Round[] = [];
  for (const running of targets) {
    const warmUp = { round: 0, connections: WARM_UP_CONNECTIONS, seconds: WARM_UP_SECONDS };
    results.push(await measure(running, warmUp, options));
  }
  for (let round = 1; round <= settings.rounds; round += 1) {
    for (const connections of settings.connections) {
      for (const running of round % 2 === 0 ? targets.toReversed() : targets) {
        const result = await measure(running, { round, connections, seconds: settings.loadSeconds }, options);
        results.push(result);
        log(lineOf(result, settings.rounds));
      }
    }
  }
  return results;
}

async function measure(
  running: LoadedTarget,
  { round, connections, seconds }: { round: number; connections: number; seconds: number },
  { generator, postgresPid }: RoundOptions,
): Promise<Round> {
  const { target, server, call } = running;
  const usedSeconds = () => ({
    server: cpuSeconds(server.pid),
    postgres: postgresPid === null ? null : cpuSecondsWithChildren(postgresPid),
  });
  const before = usedSeconds();
  const load = await generator.run(call, connections, seconds);
  const after = usedSeconds();
  // Calls that were in flight when the load ended are still being answered; the next target must not run beside them.
  await callOnce(running);
  await delay(PAUSE_MS);
  return {
    target: target.name,
    connections,
    round,
    calls: load.calls,
    callsPerSecond: load.callsPerSecond,
    p50Ms: load.p50Ms,
    p99Ms: load.p99Ms,
    failures: load.failures,
    serverUs: perCallUs(before.server, after.server, load.calls),
    postgresUs: perCallUs(before.postgres, after.postgres, load.calls),
    memoryMiB: memoryMiB(server.pid),
  };
}

function perCallUs(before: number | null, after: number | null, calls: number): number | null {
  return before === null || after === null ? null : ((after - before) * 1e6) / calls;
}

function lineOf(result: Round, rounds: number): string {
  return [
    `round ${result.round}/${rounds}`,
    `${String(result.connections).padStart(3)} connections`,
    result.target.padEnd(22),
    `${Math.round(result.callsPerSecond)} calls/s`.padStart(14),
    `p50 ${result.p50Ms.toFixed(2)} ms`.padStart(14),
    `p99 ${result.p99Ms.toFixed(2)} ms`.padStart(14),
    ...(result.failures > 0 ? [`${result.failures} FAILURES`] : []),
  ].join('  ');
}
