import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { startBenchPostgres, type BenchPostgres } from '../bench-postgres';
import { measureDisk, type Disk } from '../disk';
import { chooseGenerator, type LoadCall, type LoadGenerator } from '../load';
import { cpuSeconds, cpuSecondsWithChildren } from '../process-figures';
import { commitOf, thisCheckout } from '../router/checkouts';
import type { Settings } from '../settings';
import { median } from '../statistics';
import { CASES, type Case } from './cases';
import { idleStreamKiB } from './idle-streams';
import {
  servedCheckouts,
  startByteProxy,
  startGateway,
  startService,
  startUpstream,
  type Kind,
  type PassThroughServer,
} from './servers';

const IDLE_ROUNDS = 3;
/** V8 has optimised what a call runs after some thousand calls, which one connection alone would take ten seconds for. */
const WARM_UP = { connections: 64, seconds: 4 };
/** A pause between targets: receipts are written a moment after their calls, and must not burden the next target. */
const PAUSE_MS = 500;
const FIRST_CHUNKS = 200;

/** What one server showed in one round of one case. */
export interface PassThroughRound {
  kind: Kind;
  name: Case['name'];
  round: number;
  callsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  failures: number;
  /** Processor time per call; null where the system does not tell. */
  serverUs: number | null;
  postgresUs: number | null;
  /** The longest turn of the server's event loop; null where it does not tell. */
  loopDelayMs: number | null;
}

export interface PassThroughResults {
  settings: Settings;
  generator: string;
  commit: string;
  disk: Disk;
  kinds: Kind[];
  cases: Case[];
  rounds: PassThroughRound[];
  /** The median time to the first chunk of a stream, one stream after the other; one figure for each round. */
  firstChunks: { kind: Kind; ms: number }[];
  /** KiB for each idle stream, by kind of server; one figure for each fresh process. */
  idleKiB: { kind: Kind; kiB: number }[];
}

export interface MeasureOptions {
  profileFolder: string | null;
  log: (message: string) => void;
}

/** Loads all servers in turn, round after round, and then opens idle streams on fresh ones. */
export async function measurePassThrough(
  settings: Settings,
  { profileFolder, log }: MeasureOptions,
): Promise<PassThroughResults> {
  const stops: (() => Promise<void>)[] = [];
  const kept = <Started extends { stop(): Promise<void> }>(started: Started) => {
    stops.push(started.stop);
    return started;
  };
  const generator = chooseGenerator();
  try {
    const postgres = kept(await startBenchPostgres(log));
    const disk = await measureDisk(postgres);
    const upstream = kept(await startUpstream());
    const servers = [kept(await startByteProxy(upstream))];
    for (const checkout of servedCheckouts(settings)) {
      const options = { upstream, postgres, databaseName: 'load', profileFolder };
      servers.push(kept(await startService(checkout, options)));
    }
    if (settings.gateway !== null) {
      servers.push(kept(await startGateway(settings.gateway, upstream)));
    }
    const cases = CASES.filter(({ name }) => settings.targets?.includes(name) ?? true);
    const { rounds, firstChunks } = await runRounds(servers, cases, { settings, generator, postgres, log });
    const idleKiB: PassThroughResults['idleKiB'] = [];
    for (let round = 1; settings.targets === null && round <= IDLE_ROUNDS; round += 1) {
      const options = { upstream, postgres, databaseName: `idle${round}`, profileFolder: null };
      for (const start of [() => startByteProxy(upstream), () => startService(thisCheckout(), options)]) {
        const server = await start();
        const kiB = await idleStreamKiB(server).finally(server.stop);
        log(`idle streams  ${server.kind.padEnd(14)}  ${kiB === null ? '–' : kiB.toFixed(0)} KiB each`);
        if (kiB !== null) {
          idleKiB.push({ kind: server.kind, kiB });
        }
      }
    }
    const kinds = servers.map(({ kind }) => kind);
    const commit = commitOf(thisCheckout());
    return { settings, generator: generator.name, commit, disk, kinds, cases, rounds, firstChunks, idleKiB };
  } finally {
    for (const stop of stops.reverse()) {
      await stop();
    }
  }
}

interface RoundOptions extends Pick<MeasureOptions, 'log'> {
  settings: Settings;
  generator: LoadGenerator;
  postgres: BenchPostgres;
}

async function runRounds(
  servers: PassThroughServer[],
  cases: Case[],
  options: RoundOptions,
): Promise<Pick<PassThroughResults, 'rounds' | 'firstChunks'>> {
  const { settings, log } = options;
  const rounds: PassThroughRound[] = [];
  const firstChunks: PassThroughResults['firstChunks'] = [];
  for (let round = 0; round <= settings.rounds; round += 1) {
    // Round 0 warms up and is not kept.
    const seconds = round === 0 ? WARM_UP.seconds : settings.loadSeconds;
    for (const planned of cases) {
      const each = round === 0 ? { ...planned, connections: WARM_UP.connections } : planned;
      for (const server of servers.filter(({ kind }) => !each.fields.stream || takesStreams(kind))) {
        const result = await measure(server, each, { ...options, round, seconds });
        log(lineOf(result));
        rounds.push(...(round === 0 ? [] : [result]));
      }
    }
    for (const server of round === 0 ? [] : servers.filter(({ kind }) => takesStreams(kind))) {
      firstChunks.push({ kind: server.kind, ms: await firstChunkMs(server.call({ stream: true }, 'one')) });
    }
  }
  return { rounds, firstChunks };
}

/** On Node 20 Portkey's gateway answers streams with 500: it changes headers that its own client made immutable. */
function takesStreams(kind: Kind): boolean {
  return kind !== 'gateway';
}

async function measure(
  { kind, server, call }: PassThroughServer,
  { name, fields, accounts, connections }: Case,
  { generator, postgres, round, seconds }: RoundOptions & { round: number; seconds: number },
): Promise<PassThroughRound> {
  const used = () =>
    [cpuSeconds(server.pid), postgres.pid === null ? null : cpuSecondsWithChildren(postgres.pid)] as const;
  const tellsDelay = kind !== 'gateway';
  if (tellsDelay) {
    await server.ask('loop delay');
  }
  const before = used();
  const load = await generator.run(call(fields, accounts), connections, seconds);
  const after = used();
  const { loopDelayMs } = tellsDelay
    ? ((await server.ask('loop delay')) as { loopDelayMs: number })
    : { loopDelayMs: null };
  await delay(PAUSE_MS);
  const { callsPerSecond, p50Ms, p99Ms, failures } = load;
  const us = (which: 0 | 1) => {
    const [from, to] = [before[which], after[which]];
    return from === null || to === null ? null : ((to - from) * 1e6) / load.calls;
  };
  const isService = kind === 'service' || kind === 'service before';
  const postgresUs = isService ? us(1) : null;
  return {
    kind,
    name,
    round,
    callsPerSecond,
    p50Ms,
    p99Ms,
    failures,
    serverUs: us(0),
    postgresUs,
    loopDelayMs,
  };
}

/** Milliseconds to the first chunk, the median of streams that follow each other. @throws Error for an answer other than 200 */
async function firstChunkMs({ url, body, keys, headers }: LoadCall): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  for (let turn = 0; turn < FIRST_CHUNKS; turn += 1) {
    const key = keys[turn % keys.length];
    const sent = { 'content-type': 'application/json', ...(key && { 'x-api-key': key }), ...headers };
    const beginMs = performance.now();
    await new Promise<void>((resolve, reject) => {
      const asked = request(url, { method: 'POST', headers: sent, agent }, (response) => {
        if (response.statusCode !== 200) {
          reject(new Error(`a stream was answered with ${response.statusCode}`));
          return;
        }
        response.once('data', () => times.push(performance.now() - beginMs));
        response.on('end', resolve).on('error', reject).resume();
      });
      asked.on('error', reject).end(body);
    });
  }
  agent.destroy();
  return median(times);
}

function lineOf({
  kind,
  name,
  round,
  callsPerSecond,
  p50Ms,
  p99Ms,
  serverUs,
  loopDelayMs,
}: PassThroughRound): string {
  return [
    `round ${round}`,
    name.padEnd(13),
    kind.padEnd(14),
    `${callsPerSecond.toFixed(0).padStart(6)} calls/s`,
    `p50 ${p50Ms.toFixed(2)} ms`,
    `p99 ${p99Ms.toFixed(2)} ms`,
    `${serverUs?.toFixed(0) ?? '–'} µs`,
    `loop ${loopDelayMs?.toFixed(1) ?? '–'} ms`,
  ].join('  ');
}
