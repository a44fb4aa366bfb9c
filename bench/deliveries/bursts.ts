import { cpuSeconds, cpuSecondsWithChildren } from '../process-figures';
import type { ServerProcess } from '../server-process';
import { nowMs, type Receivers } from './arrivals';
import type { Backend, BenchWorker } from './workers';

/** So many events make the code of all processes fast, and open the connections. */
const WARM_UP_EVENTS_MAX = 1_500;

/** Who sent the events of a burst. */
export type Way = 'bare' | Backend;

/** How fast one way sent all events that were there at once. */
export interface Burst {
  way: Way;
  round: number;
  perSecond: number;
  /** Processor time of the sending process and of Postgres for each event; null where the system does not tell. */
  senderUs: number | null;
  postgresUs: number | null;
  /** Requests beyond one for each event. */
  again: number;
}

/** What sends bursts: one of the workers, or the process that only posts. */
export interface Sender {
  way: Way;
  server: ServerProcess;
  /** Makes it send so many events. Returns from when on its time counts. */
  begin(count: number): Promise<number>;
  /** Resolves when it has nothing more to do with them. */
  settled(): Promise<void>;
}

interface BurstOptions {
  events: number;
  rounds: number;
  receivers: Receivers;
  postgresPid: number | null;
  log: (message: string) => void;
}

/** All senders in turn, round after round, every second round backwards, after a warm-up that no figure is taken from. */
export async function runBursts(senders: Sender[], options: BurstOptions): Promise<Burst[]> {
  const { events, rounds, log } = options;
  for (const sender of senders) {
    await burst(sender, { round: 0, count: Math.min(events, WARM_UP_EVENTS_MAX) }, options);
  }
  const bursts: Burst[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const sender of round % 2 === 0 ? senders.toReversed() : senders) {
      const result = await burst(sender, { round, count: events }, options);
      bursts.push(result);
      log(`round ${round}/${rounds}  ${sender.way.padEnd(8)}  ${Math.round(result.perSecond)} events/s`);
    }
  }
  return bursts;
}

async function burst(
  { way, server, begin, settled }: Sender,
  { round, count }: { round: number; count: number },
  { receivers, postgresPid }: BurstOptions,
): Promise<Burst> {
  const usedSeconds = () => ({
    sender: cpuSeconds(server.pid),
    postgres: postgresPid === null ? null : cpuSecondsWithChildren(postgresPid),
  });
  await receivers.countAnew();
  const before = usedSeconds();
  const fromMs = await begin(count);
  const { atMs } = await receivers.arrived(count);
  await settled();
  const after = usedSeconds();
  const { posts } = await receivers.arrived(count);
  const lastMs = [...atMs.values()].reduce((last, at) => Math.max(last, at), 0);
  return {
    way,
    round,
    perSecond: (count * 1000) / (lastMs - fromMs),
    senderUs: perEventUs(before.sender, after.sender, count),
    postgresUs: perEventUs(before.postgres, after.postgres, count),
    again: posts - count,
  };
}

function perEventUs(before: number | null, after: number | null, count: number): number | null {
  return before === null || after === null ? null : ((after - before) * 1e6) / count;
}

export function bareSender(server: ServerProcess): Sender {
  return {
    way: 'bare',
    server,
    begin: (count) => {
      const fromMs = nowMs();
      // A fault shows in the arrivals that then do not come; this line is to say which it was.
      fetch(`${server.url}/?count=${count}`)
        .then(async (response) => response.ok || process.stderr.write(`${await response.text()}\n`))
        .catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
      return Promise.resolve(fromMs);
    },
    settled: () => Promise.resolve(),
  };
}

export function workerSender(worker: BenchWorker): Sender {
  return {
    way: worker.backend,
    server: worker.server,
    begin: async (count) => (await worker.write(count)).atMs,
    settled: () => worker.settled(),
  };
}
