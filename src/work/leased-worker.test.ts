import { Logger } from '@nestjs/common';
import { until } from '../../test/support/until';
import { CallStopped } from '../errors/api-errors';
import type { WorkOrigin } from '../observability/tracing';
import { type Lease, LeasedWorker } from './leased-worker';

/** Its items are never done; what stops their runs stands beside them. */
class EndlessWorker extends LeasedWorker<Lease> {
  protected readonly logger = new Logger();
  readonly stops: (Error | null)[] = [];
  readonly process = () => Promise.resolve();
  /** The run that each item was begun by last. */
  private readonly latest = new Map<string, string>();

  constructor() {
    const claims = {
      putBack: () => Promise.resolve(),
      hold: (leases: readonly Lease[]) => this.hold(leases),
    };
    super(claims, { madeRoom: () => undefined });
  }

  protected begin(lease: Lease): Promise<Lease> {
    this.latest.set(lease.itemId, lease.runId);
    return Promise.resolve(lease);
  }

  protected originOf({ runId }: Lease): Promise<WorkOrigin> {
    return Promise.resolve({ requestId: runId, causedBy: null, span: null });
  }

  protected async carryOut(_lease: Lease, _begun: Lease, signal: AbortSignal): Promise<void> {
    const place = this.stops.push(null) - 1;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    this.stops[place] = signal.reason as Error;
  }

  protected hold(leases: readonly Lease[]): Promise<Map<string, null>> {
    const held = leases.filter(({ itemId, runId }) => this.latest.get(itemId) === runId);
    return Promise.resolve(new Map(held.map(({ itemId }) => [itemId, null])));
  }
}

it('stops a run that another has followed in the same process, and not the other', async () => {
  const worker = new EndlessWorker();
  const [first, second] = [worker.run('item'), worker.run('item')];
  await until('both run', () => worker.stops.length === 2);
  await worker.beat();
  await first;
  expect(worker.stops).toEqual([expect.any(CallStopped), null]);
  worker.stopRun('item', new Error('over'));
  await second;
});
