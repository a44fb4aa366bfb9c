import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What a racer is to do: every call whose number leaves `first` when divided by `processes`. */
export interface RaceOrder {
  databaseUrl: string;
  first: number;
  processes: number;
  calls: number;
  inFlight: number;
  now: Date;
  accounts: {
    id: string;
    keys: { id: string; secretHash: Buffer }[];
    priceNanoUsd: bigint;
    /** Every second call is released instead of settled. */
    releases: boolean;
  }[];
}

/** How the calls on one account ended. */
export interface RaceCounts {
  settled: number;
  released: number;
  refused: number;
}

/** Times of the machine's monotonic clock in ns, which all processes share. */
export interface RaceTurns {
  /** When the last call that was let in began. */
  lastLetInBeganNs: bigint;
  /** When the first refusal was told. */
  firstRefusedNs: bigint;
}

export interface RaceResult {
  /** From the first call to the end of the last. */
  tookMs: number;
  /** In the order of the accounts. */
  counts: RaceCounts[];
  /** When calls were let in and refused, by the id of their key. */
  turns: Map<string, RaceTurns>;
  /** What should not have happened, at most the first ten. */
  faults: string[];
}

const RACER = join(__dirname, 'ledger-racer.ts');
const TYPESCRIPT = join(__dirname, '../../../src/runtime/typescript-thread.cjs');

/** Lets several processes, each with a ledger of its own, make the calls of a race at once. */
export async function raceLedgers(order: Omit<RaceOrder, 'first'>): Promise<RaceResult[]> {
  const racers = Array.from({ length: order.processes }, () =>
    fork(RACER, [], { execArgv: ['--require', TYPESCRIPT], serialization: 'advanced' }),
  );
  await Promise.all(
    racers.map(async (racer, first) => {
      racer.send({ ...order, first });
      await heard(racer);
    }),
  );
  return Promise.all(
    racers.map(async (racer) => {
      const ended = once(racer, 'exit');
      racer.send('go');
      const result = (await heard(racer)) as RaceResult;
      await ended;
      return result;
    }),
  );
}

/**
 * The keys of which a call was refused although there was room: where nothing is ever given back, a call that begins after the
 * refusal of another of the same price is let in only if the other was refused early.
 */
export function keysRefusedEarly(results: readonly RaceResult[], keyIds: readonly string[]): string[] {
  return keyIds.filter((keyId) => {
    const turns = results.map((result) => result.turns.get(keyId)).filter((turn) => turn !== undefined);
    return turns.some(({ firstRefusedNs }) => turns.some((turn) => turn.lastLetInBeganNs > firstRefusedNs));
  });
}

/** The next thing that a racer says. @throws Error when it ends before */
async function heard(racer: ChildProcess): Promise<unknown> {
  const abort = new AbortController();
  const { signal } = abort;
  const ended = once(racer, 'exit', { signal }).then(([code]) => {
    throw new Error(`a racer ended with ${String(code)}`);
  });
  const told = once(racer, 'message', { signal }).then(([message]: unknown[]) => message);
  try {
    return await Promise.race([told, ended]);
  } finally {
    abort.abort();
    await Promise.allSettled([told, ended]);
  }
}
