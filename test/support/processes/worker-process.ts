import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { quietPort } from '../../../src/database/embedded/server';
import { until } from '../until';

const MAIN = join(__dirname, '../../../dist/src/main.js');

/** A compiled process of role `worker`, which a test may kill. The global setup has compiled it. */
export class WorkerProcess {
  private constructor(
    readonly process: ChildProcess,
    /** Where its health and its metrics are. */
    readonly url: string,
  ) {}

  static async start(environment: Record<string, string>): Promise<WorkerProcess> {
    const port = await quietPort();
    const child = fork(MAIN, [], {
      env: {
        PATH: process.env.PATH,
        ACCOUNT_SCHEMAS: process.env.TEST_ACCOUNT_SCHEMAS ?? '1',
        LOG_LEVEL: 'error',
        STRICT_MODELS: 'false',
        ROLE: 'worker',
        PORT: String(port),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const worker = new WorkerProcess(child, `http://127.0.0.1:${port}`);
    await until('the worker runs', () => {
      if (child.exitCode !== null) {
        throw new Error(`the worker ended with ${child.exitCode}`);
      }
      return said.includes('The process of role worker runs');
    }).catch(async (error: unknown) => {
      await worker.kill();
      throw error;
    });
    return worker;
  }

  /** Kills the process without any chance to clean up. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.end('SIGTERM');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const ended = new Promise((resolve) => this.process.once('exit', resolve));
      this.process.kill(signal);
      await ended;
    }
  }
}
