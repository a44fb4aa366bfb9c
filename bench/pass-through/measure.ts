import { setTimeout as delay } from 'node:timers/promises';
import { startBenchPostgres } from '../bench-postgres';
import { chooseGenerator, type LoadGenerator } from '../load';
import { cpuSeconds } from '../process-figures';
import type { Settings } from '../settings';
import { idleStreamKiB } from './idle-streams';
import { startByteProxy, startService, startUpstream, type Kind, type PassThroughServer } from './servers';

const CONNECTIONS = [1, 64];
const IDLE_ROUNDS = 3;
const WARM_UP_SECONDS = 2;
/** A pause between targets: receipts are written a moment after their calls, and must not burden the next target. */
const PAUSE_MS = 500;

export type Form = 'unstreamed' | 'streamed';

/** What one server showed in one round of one form of call. */
export interface PassThroughRound {
  kind: Kind;
  form: Form;
  connections: number;
  round: number;
  callsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  failures: number;
  /** Processor time per call; null where the system does not tell. */
  serverUs: number | null;
}

export interface PassThroughResults {
  settings: Settings;
  generator: string;
  connections: number[];
  rounds: PassThroughRound[];
  /** KiB for each idle stream, by kind of server; one figure for each fresh process. */
  idleKiB: { kind: Kind; kiB: number }[];
}

/** Loads both servers in turn, round after round, and then opens idle streams on fresh ones. */
export async function measurePassThrough(
  settings: Settings,
  log: (message: string) => void,
): Promise<PassThroughResults> {
  const stops: (() => Promise<void>)[] = [];
  const kept = <Started extends { stop(): Promise<void> }>(started: Started) => {
    stops.push(started.stop);
    return started;
  };
  const generator = chooseGenerator();
  try {
    const postgres = kept(await startBenchPostgres(log));
    const upstream = kept(await startUpstream());
    const servers = [
      kept(await startByteProxy(upstream)),
      kept(await startService(upstream, postgres, 'load')),
    ];
    const rounds = await runRounds(servers, { settings, generator, log });
    const idleKiB: PassThroughResults['idleKiB'] = [];
    for (let round = 1; round <= IDLE_ROUNDS; round += 1) {
      for (const start of [
        () => startByteProxy(upstream),
        () => startService(upstream, postgres, `idle${round}`),
      ]) {
        const server = await start();
        const kiB = await idleStreamKiB(server).finally(server.stop);
        log(`idle streams  ${server.kind.padEnd(10)}  ${kiB === null ? '–' : kiB.toFixed(0)} KiB each`);
        if (kiB !== null) {
          idleKiB.push({ kind: server.kind, kiB });
        }
      }
    }
    return { settings, generator: generator.name, connections: CONNECTIONS, rounds, idleKiB };
  } finally {
    for (const stop of stops.reverse()) {
      await stop();
    }
  }
}

interface RoundOptions {
  settings: Settings;
  generator: LoadGenerator;
  log: (message: string) => void;
}

async function runRounds(servers: PassThroughServer[], options: RoundOptions): Promise<PassThroughRound[]> {
  const { settings, log } = options;
  const forms: Form[] = ['unstreamed', 'streamed'];
  const results: PassThroughRound[] = [];
  for (let round = 0; round <= settings.rounds; round += 1) {
    // Round 0 warms up and is not kept.
    const seconds = round === 0 ? WARM_UP_SECONDS : settings.loadSeconds;
    for (const connections of round === 0 ? [64] : CONNECTIONS) {
      for (const form of forms) {
        for (const server of servers) {
          const result = await measure(server, { round, form, connections, seconds }, options.generator);
          log(lineOf(result));
          results.push(...(round === 0 ? [] : [result]));
        }
      }
    }
  }
  return results;
}

async function measure(
  { kind, server, call }: PassThroughServer,
  { round, form, connections, seconds }: { round: number; form: Form; connections: number; seconds: number },
  generator: LoadGenerator,
): Promise<PassThroughRound> {
  const before = cpuSeconds(server.pid);
  const load = await generator.run(call(form === 'streamed' ? { stream: true } : {}), connections, seconds);
  const after = cpuSeconds(server.pid);
  await delay(PAUSE_MS);
  const { callsPerSecond, p50Ms, p99Ms, failures } = load;
  const serverUs = before === null || after === null ? null : ((after - before) * 1e6) / load.calls;
  return { kind, form, connections, round, callsPerSecond, p50Ms, p99Ms, failures, serverUs };
}

function lineOf({
  round,
  connections,
  form,
  kind,
  callsPerSecond,
  p50Ms,
  failures,
}: PassThroughRound): string {
  return [
    `round ${round}`,
    `${String(connections).padStart(3)} connections`,
    form.padEnd(10),
    kind.padEnd(10),
    `${Math.round(callsPerSecond)} calls/s`.padStart(14),
    `p50 ${p50Ms.toFixed(2)} ms`,
    ...(failures > 0 ? [`${failures} FAILURES`] : []),
  ].join('  ');
}
