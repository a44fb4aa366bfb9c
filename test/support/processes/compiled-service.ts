import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { quietPort } from '../../../src/database/embedded/server';
import { until } from '../until';
import { PlainServer } from './plain-server';

const BETWEEN_QUESTIONS_MS = 25;
const MAIN = join(__dirname, '../../../dist/src/main.js');

/** The compiled service in a process of its own, which a test may kill. The global setup has compiled it. */
export class CompiledService extends PlainServer {
  private constructor(
    url: string,
    readonly process: ChildProcess,
  ) {
    super(url);
  }

  /** @param onError gets each line of its log of errors, which otherwise goes where the test's own does */
  static async start(
    environment: Record<string, string>,
    onError: ((line: string) => void) | null = null,
  ): Promise<CompiledService> {
    // Of the ports that the system gives out, two workers of jest could be given the same before either service listens.
    const port = await quietPort();
    const child = fork(MAIN, [], {
      // As `npm start` and the image start it.
      execArgv: ['--max-semi-space-size=32', '--no-allocation-site-pretenuring'],
      env: {
        PATH: process.env.PATH,
        LOG_LEVEL: 'error',
        STRICT_MODELS: 'false',
        ACCOUNT_SCHEMAS: process.env.TEST_ACCOUNT_SCHEMAS ?? '1',
        PORT: String(port),
        ...environment,
      },
      stdio: ['ignore', 'ignore', onError ? 'pipe' : 'inherit', 'ipc'],
    });
    if (onError && child.stderr) {
      createInterface({ input: child.stderr }).on('line', onError);
    }
    const service = new CompiledService(`http://127.0.0.1:${port}`, child);
    await until('the service is ready', async () => {
      if (child.exitCode !== null) {
        throw new Error(`the service ended with ${child.exitCode}`);
      }
      const isReady = (await service.get('/health/ready').catch(() => null))?.status === 200;
      // Asked without a pause, who asks would keep the processor from who starts.
      return isReady || delay(BETWEEN_QUESTIONS_MS, false);
    }).catch(async (error: unknown) => {
      // Nobody else could: left alone it would outlive the run, and hold its output open.
      await service.kill();
      throw error;
    });
    return service;
  }

  /** A process of role `worker`: of HTTP it has its health and its metrics alone. */
  static startWorker(environment: Record<string, string>): Promise<CompiledService> {
    return CompiledService.start({ ROLE: 'worker', ...environment });
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
