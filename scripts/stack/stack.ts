import { quietPort } from '../../src/database/embedded/server';
import { ReplicaProxy } from './replica-proxy';
import { ServiceProcess } from './service-process';
import type { StackSettings } from './stack-settings';
import { SupervisedProcess } from './supervised-process';

/** Where the replicas listen, and where the proxy's connections to them come from. */
const PROXY_ADDRESS = '127.0.0.1';

export interface StackOptions extends StackSettings {
  /** What the service reads: DATABASE_URL, REDIS_URL, JWT_SECRET and all else. */
  environment: NodeJS.ProcessEnv;
  log: (line: string) => void;
}

/** Replicas of the API behind a proxy, and workers: what docker-compose.yml starts, as processes of this machine. */
export class Stack {
  private constructor(
    private readonly proxy: ReplicaProxy,
    private readonly processes: readonly SupervisedProcess[],
  ) {}

  /**
   * Migrates the database, starts all processes and resolves when each is ready.
   * @throws Error when one of them ends instead; the others are stopped before
   */
  static async start(options: StackOptions): Promise<Stack> {
    const { environment, log, host, port } = options;
    const all = await ports(options.apis + options.workers);
    const [apiPorts, workerPorts] = [all.slice(0, options.apis), all.slice(options.apis)];
    // Before anything else, because a port that is taken is the most likely fault.
    const proxy = await ReplicaProxy.listen({ host, port }, apiPorts.map(urlOf));
    await migrateOnce(options).catch(async (error: unknown) => {
      await proxy.drain();
      throw error;
    });
    const shared = {
      ...environment,
      HOST: PROXY_ADDRESS,
      TRUSTED_PROXIES: PROXY_ADDRESS,
      MIGRATE_AT_START: 'false',
    };
    const starts = [
      ...apiPorts.map((apiPort, index) =>
        SupervisedProcess.start(
          { name: `api-${index + 1}`, environment: { ...shared, ROLE: 'api' }, port: apiPort, log },
          (isUp) => proxy.setUp(index, isUp),
        ),
      ),
      ...workerPorts.map((workerPort, index) =>
        SupervisedProcess.start(
          { name: `worker-${index + 1}`, environment: { ...shared, ROLE: 'worker' }, port: workerPort, log },
          () => undefined,
        ),
      ),
    ];
    const started = await Promise.allSettled(starts);
    const processes = started.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    const failure = started.find((start) => start.status === 'rejected');
    const stack = new Stack(proxy, processes);
    if (failure) {
      await stack.stop();
      throw failure.reason;
    }
    return stack;
  }

  /** Where callers call. */
  get url(): string {
    return this.proxy.url;
  }

  /** Where one of the processes has its own metrics, which the proxy does not show. */
  get metricsUrl(): string {
    return `${this.processes[0]?.url}/metrics`;
  }

  /** Takes no new calls, lets every process finish what it has in hand, and ends. */
  async stop(): Promise<void> {
    const drained = this.proxy.drain();
    await Promise.all(this.processes.map((process) => process.stop()));
    this.proxy.cut();
    await drained;
  }
}

/** Later starts of processes find all done, so that none of them holds a table that others need. */
async function migrateOnce({ environment, log }: StackOptions): Promise<void> {
  const migration = new ServiceProcess({
    name: 'migrate',
    environment: { ...environment, ROLE: 'migrate' },
    port: 0,
    log,
  });
  await migration.ended;
  if (migration.end !== 'exit code 0') {
    throw new Error(`the migrations ended with ${migration.end}`);
  }
}

async function ports(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    found.add(await quietPort());
  }
  return [...found];
}

function urlOf(port: number): string {
  return `http://${PROXY_ADDRESS}:${port}`;
}
