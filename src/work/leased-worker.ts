import { WorkerHost } from '@nestjs/bullmq';
import type { BeforeApplicationShutdown, Logger, OnModuleDestroy } from '@nestjs/common';
import { CallStopped } from '../errors/api-errors';
import { withOrigin, type WorkOrigin } from '../observability/tracing';
import { newId } from '../runtime/ids';
import type { Dispatcher } from './dispatcher';

/** A claimed item that is not begun by then is claimed again. */
export const CLAIMED_MS = 30_000;
/** A running item without a heartbeat for this long counts as lost. */
export const LEASE_MS = 15_000;
const HEARTBEAT_MS = 5_000;
/** Time for a run at shutdown: less than its job has (queue-worker.ts). */
export const FINISHED_WITHIN_MS = 8_000;

/** A run of an item; once another run has followed, its writes do nothing. */
export interface Lease {
  readonly itemId: string;
  readonly runId: string;
}

export interface AccountLease extends Lease {
  readonly accountId: string;
}

interface Run {
  readonly lease: Lease;
  readonly stop: AbortController;
  ended: Promise<void>;
}

/** A dead run's item is begun anew. At shutdown runs get seconds, then CallStopped, and go back. */
export abstract class LeasedWorker<Begun>
  extends WorkerHost
  implements OnModuleDestroy, BeforeApplicationShutdown
{
  protected abstract readonly logger: Logger;
  private readonly runs = new Map<string, Run>();
  private heartbeat: NodeJS.Timeout | null = null;
  private stopping: Promise<void> | null = null;

  protected constructor(
    private readonly claims: {
      putBack(itemIds: readonly string[]): Promise<void>;
      /** Renews leases. Returns the items still held, with the error to stop the run, or null. */
      hold(leases: readonly Lease[]): Promise<ReadonlyMap<string, Error | null>>;
    },
    private readonly claiming: Pick<Dispatcher<unknown>, 'madeRoom'>,
  ) {
    super();
  }

  protected abstract begin(lease: Lease): Promise<Begun | null>;

  protected abstract originOf(lease: Lease, begun: Begun): Promise<WorkOrigin>;

  /** Runs to the end and writes the outcome. The signal's reason says why to stop. */
  protected abstract carryOut(lease: Lease, begun: Begun, signal: AbortSignal): Promise<void>;

  /** @throws the database's error where no outcome was written: the lease ends instead */
  async run(itemId: string): Promise<void> {
    if (this.stopping) {
      await this.claims.putBack([itemId]);
      return;
    }
    const lease = { itemId, runId: newId() };
    try {
      const begun = await this.begin(lease);
      if (begun) {
        await this.make(lease, begun);
      }
    } finally {
      this.claiming.madeRoom();
    }
  }

  stopRun(itemId: string, reason: Error): void {
    [...this.runs.values()].findLast(({ lease }) => lease.itemId === itemId)?.stop.abort(reason);
  }

  async beat(): Promise<void> {
    const runs = [...this.runs.values()];
    if (runs.length === 0) {
      return;
    }
    const held = await this.claims.hold(runs.map(({ lease }) => lease));
    const latest = new Map(runs.map((run) => [run.lease.itemId, run]));
    for (const run of runs) {
      const { itemId } = run.lease;
      // An item may have lost its lease to a later run in this process.
      const reason = latest.get(itemId) === run ? held.get(itemId) : undefined;
      if (reason !== null) {
        run.stop.abort(reason ?? new CallStopped());
      }
    }
  }

  onModuleDestroy(): void {
    this.stopping ??= this.stopAll();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stopping;
  }

  private async make(lease: Lease, begun: Begun): Promise<void> {
    const stop = new AbortController();
    const origin = await this.originOf(lease, begun);
    withOrigin(stop.signal, origin);
    const run: Run = { lease, stop, ended: Promise.resolve() };
    this.runs.set(lease.runId, run);
    this.heartbeat ??= setInterval(() => {
      this.beat().catch((error: unknown) =>
        this.logger.warn({ message: 'running work could not be held', error: String(error) }),
      );
    }, HEARTBEAT_MS);
    if (this.stopping) {
      stop.abort(new CallStopped());
    }
    try {
      await (run.ended = this.carryOut(lease, begun, stop.signal));
    } finally {
      origin.span?.end();
      this.runs.delete(lease.runId);
      if (this.runs.size === 0 && this.heartbeat) {
        clearInterval(this.heartbeat);
        this.heartbeat = null;
      }
    }
  }

  private async stopAll(): Promise<void> {
    const timer = setTimeout(() => {
      this.runs.forEach(({ stop }) => stop.abort(new CallStopped()));
    }, FINISHED_WITHIN_MS);
    await Promise.allSettled([...this.runs.values()].map(({ ended }) => ended));
    clearTimeout(timer);
  }
}
