import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { OperationTimedOut, ServiceUnavailable } from '../../../errors/service-errors';
import { threadSource } from '../../../../infrastructure/threads/thread-source';
import { nearestRows, type NearestRows, type VectorScan } from './nearest-rows';

/** Up to so many numbers a scan takes a few milliseconds, less than it takes to start a thread. */
const IN_PROCESS_NUMBERS_MAX = 2_000_000;
const DEADLINE_MS = 10_000;
const SCANS_WAITING_MAX = 64;
const IDLE_TIMEOUT_MS = 30_000;
const JOB: keyof typeof import('./nearest-rows') = 'nearestRows';

/** Scans few vectors at once, and many in worker threads, which read them from shared memory. */
@Injectable()
export class VectorThreads implements OnApplicationShutdown {
  private readonly logger = new Logger('VectorThreads');
  private readonly pool = new Piscina({
    ...threadSource(join(__dirname, 'nearest-rows')),
    name: JOB,
    minThreads: 0,
    maxThreads: Math.min(4, Math.max(1, availableParallelism() - 1)),
    maxQueue: SCANS_WAITING_MAX,
    idleTimeout: IDLE_TIMEOUT_MS,
  });

  constructor() {
    // The failure of an idle thread belongs to no scan. Without a listener the error would end the process.
    this.pool.on('error', (error: Error) => this.logger.error(error.message, error.stack));
  }

  /**
   * Finds the nearest rows.
   * @throws OperationTimedOut after ten seconds; ServiceUnavailable when too many scans wait; the signal's reason
   */
  async scan(scan: VectorScan, signal: AbortSignal): Promise<NearestRows> {
    signal.throwIfAborted();
    const rows = scan.only?.length ?? scan.segments.reduce((sum, segment) => sum + segment.rows, 0);
    if (rows * scan.query.length <= IN_PROCESS_NUMBERS_MAX) {
      return nearestRows(scan);
    }
    if (this.pool.queueSize >= SCANS_WAITING_MAX) {
      throw new ServiceUnavailable('Too many searches are waiting.', 1);
    }
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    try {
      return (await this.pool.run(scan, { signal: AbortSignal.any([signal, deadline]) })) as NearestRows;
    } catch (cause) {
      signal.throwIfAborted();
      if (deadline.aborted) {
        throw new OperationTimedOut(DEADLINE_MS);
      }
      throw cause;
    }
  }

  /** Ends all threads; scans still running fail. */
  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }
}
