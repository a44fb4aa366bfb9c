import { join } from 'node:path';
import { CompiledService } from './compiled-service';

const WATCH = join(__dirname, 'memory-watch.cjs');

export interface HeldMemory {
  /** Objects and buffers that are still in use after a collection. */
  heldBytes: number;
  /** What the system has given to the process. */
  rss: number;
}

/** The compiled service in a process of its own with a small heap, which tells how much memory it holds. */
export class BoundedService {
  private constructor(private readonly service: CompiledService) {}

  /** @param heapMib for old objects, in MiB */
  static async start(heapMib: number, environment: Record<string, string>): Promise<BoundedService> {
    const options = `--max-old-space-size=${heapMib} --require ${WATCH}`;
    return new BoundedService(await CompiledService.start({ ...environment, NODE_OPTIONS: options }));
  }

  get url(): string {
    return this.service.url;
  }

  get isAlive(): boolean {
    const { exitCode, signalCode } = this.service.process;
    return exitCode === null && signalCode === null;
  }

  async memory(): Promise<HeldMemory> {
    const { process: child } = this.service;
    const told = new Promise<NodeJS.MemoryUsage>((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', () => reject(new Error('the service has died')));
    });
    child.send('memory');
    const { heapUsed, external, rss } = await told;
    child.removeAllListeners('exit');
    return { heldBytes: heapUsed + external, rss };
  }

  async stop(): Promise<void> {
    await this.service.stop();
  }
}
