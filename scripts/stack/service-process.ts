import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnGuarded } from '../../src/database/embedded/guarded-process';

/** As `npm start` and the image start it. */
const NODE_OPTIONS = ['--max-semi-space-size=32', '--no-allocation-site-pretenuring', '--enable-source-maps'];
const MAIN = join(__dirname, '../../src/main.js');
const BETWEEN_LOOKS_MS = 50;
/** A first start on an empty database that several processes migrate together, on a slow machine. */
const READY_WITHIN_MS = 180_000;
/** The service ends by itself within 30 seconds of SIGTERM. */
const ENDED_WITHIN_MS = 40_000;
const OUTPUT_WITHIN_MS = 1_000;

export interface ServiceProcessOptions {
  /** Stands before each of its lines. */
  name: string;
  /** The whole of its environment but the PORT. */
  environment: NodeJS.ProcessEnv;
  /** Where it listens on this machine. */
  port: number;
  log: (line: string) => void;
}

/**
 * One compiled process of the service. A terminal's Ctrl-C leaves it to us, and it ends with us, however we end.
 */
export class ServiceProcess {
  readonly ended: Promise<unknown>;
  /** Resolves once its last line has been handed on, which may be after its end. */
  private readonly outputEnded: Promise<unknown>;
  private readonly child: ChildProcess;

  constructor(private readonly options: ServiceProcessOptions) {
    const { environment, name, port, log } = options;
    const command = [process.execPath, ...NODE_OPTIONS, MAIN];
    this.child = spawnGuarded(command, undefined, ['ignore', 'pipe', 'pipe'], {
      cwd: process.cwd(),
      env: { ...environment, PORT: String(port) },
    }).child;
    this.ended = Promise.race([once(this.child, 'exit'), once(this.child, 'error')]);
    const outputs = [this.child.stdout, this.child.stderr].filter((stream) => stream !== null);
    this.outputEnded = Promise.all(
      outputs.map((stream) =>
        once(
          createInterface({ input: stream }).on('line', (line) => log(`${name} | ${line}`)),
          'close',
        ),
      ),
    );
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get isRunning(): boolean {
    return this.child.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** How it ended, for people. */
  get end(): string {
    return this.child.signalCode ?? `exit code ${this.child.exitCode}`;
  }

  /** @throws Error when it ends instead, or isn't ready in time */
  async ready(): Promise<void> {
    const url = `http://127.0.0.1:${this.options.port}/health/ready`;
    const deadline = performance.now() + READY_WITHIN_MS;
    while (performance.now() < deadline) {
      if (!this.isRunning) {
        throw new Error(`${this.options.name} ended with ${this.end}`);
      }
      const status = await fetch(url).then(
        async (answer) => answer.text().then(() => answer.status),
        nothing,
      );
      if (status === 200) {
        return;
      }
      await delay(BETWEEN_LOOKS_MS);
    }
    throw new Error(`${this.options.name} was not ready after ${READY_WITHIN_MS / 1000} s`);
  }

  /** Lets it finish what it has in hand, and say what it has to say. */
  async stop(): Promise<void> {
    if (this.isRunning) {
      this.child.kill('SIGTERM');
      const killed = setTimeout(() => this.child.kill('SIGKILL'), ENDED_WITHIN_MS);
      await this.ended;
      clearTimeout(killed);
    }
    // Whatever it has started itself may hold its output open for longer.
    await Promise.race([this.outputEnded, delay(OUTPUT_WITHIN_MS, undefined, { ref: false })]);
  }
}

function nothing(): null {
  return null;
}
