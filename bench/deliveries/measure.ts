import { join } from 'node:path';
import { startBenchPostgres } from '../bench-postgres';
import { startServer } from '../server-process';
import { DEFAULTS, type Settings } from '../settings';
import { Receivers } from './arrivals';
import { startBenchRedis } from './bench-redis';
import { bareSender, runBursts, workerSender, type Burst } from './bursts';
import { loadLightly, type Steady } from './light-load';
import { BenchWorker } from './workers';

/** The part keeps within a minute and a half. */
const ROUNDS_MAX = 3;
const STEADY_SECONDS = 10;

export interface DeliveryResults {
  events: number;
  roundCount: number;
  receivers: number;
  /** False where there was no Redis to start; then only the queue in Postgres was measured. */
  hasRedis: boolean;
  postgresVersion: string;
  bursts: Burst[];
  steady: Steady[];
  /** Deliveries that ended without success. */
  failures: number;
}

/**
 * Measures how fast one worker delivers events that are there at once, with its queue in Postgres and in Redis, beside
 * a process that only signs and posts; then how long single events take. No process is kept on a processor: with the
 * queue in Postgres it is Postgres that has most to do, and the worker's processor would idle.
 */
export async function measureDeliveries(
  settings: Settings,
  log: (message: string) => void,
): Promise<DeliveryResults> {
  const stops: (() => Promise<void>)[] = [];
  try {
    const postgres = await startBenchPostgres(log);
    stops.push(postgres.stop);
    const redis = await startBenchRedis();
    if (redis) {
      stops.push(redis.stop);
    }
    const receivers = await Receivers.start();
    stops.push(() => receivers.stop());
    const environment = { RECEIVERS: receivers.urls.join(',') };
    const bare = await startServer(join(__dirname, 'bare-posts.js'), environment, [], null);
    stops.push(bare.stop);
    const workers: BenchWorker[] = [];
    for (const redisUrl of redis ? [null, redis.url] : [null]) {
      const worker = await BenchWorker.start(postgres, redisUrl, receivers.urls);
      stops.push(() => worker.stop());
      workers.push(worker);
    }
    const senders = [bareSender(bare), ...workers.map(workerSender)];
    const rounds = Math.min(settings.rounds, ROUNDS_MAX);
    const bursts = await runBursts(senders, {
      events: settings.events,
      rounds,
      receivers,
      postgresPid: postgres.pid,
      log,
    });
    const steady: Steady[] = [];
    const seconds = settings.loadSeconds < DEFAULTS.loadSeconds ? settings.loadSeconds : STEADY_SECONDS;
    for (const worker of workers) {
      steady.push(await loadLightly(worker, receivers, seconds));
    }
    const states = await Promise.all(workers.map((worker) => worker.state()));
    return {
      events: settings.events,
      roundCount: rounds,
      receivers: receivers.urls.length,
      hasRedis: redis !== null,
      postgresVersion: postgres.version,
      bursts,
      steady,
      failures: states.reduce((sum, { failed }) => sum + failed, 0),
    };
  } finally {
    for (const stop of stops.reverse()) {
      await stop();
    }
  }
}
