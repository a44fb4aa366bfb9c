import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { TestService } from '../api/service';
import { createEmptyDatabase, type TestDatabase } from '../api/test-database';
import { RedisServer } from '../redis/redis-server';
import { until } from '../until';
import { PlainServer } from './plain-server';

const MAIN = join(__dirname, '../../../dist/scripts/stack/main.js');
const JWT_SECRET = 'a secret for tests that nobody else has: 0123456789';

export interface TestStackOptions {
  apis: number;
  workers: number;
  environment?: Record<string, string>;
  /** In the place of a database and a Redis of its own. It stops them with itself. */
  database?: TestDatabase;
  redis?: RedisServer;
}

/**
 * What `npm run stack` starts, on a database and a Redis of its own: replicas of the API behind a proxy, and workers. It
 * runs by the real clock.
 */
export class TestStack {
  /** All that the stack has said, line by line. */
  readonly lines: string[] = [];
  private ownService: TestService | null = null;

  private constructor(
    readonly process: ChildProcess,
    readonly environment: Readonly<Record<string, string>>,
    readonly redis: RedisServer,
    private readonly database: TestDatabase,
  ) {
    for (const stream of [process.stdout, process.stderr]) {
      if (stream) {
        createInterface({ input: stream }).on('line', (line) => this.lines.push(line));
      }
    }
  }

  static async start({ apis, workers, environment = {}, ...own }: TestStackOptions): Promise<TestStack> {
    const redis = own.redis ?? (await RedisServer.start());
    const database = own.database ?? (await createEmptyDatabase());
    const whole = {
      PATH: process.env.PATH ?? '',
      ACCOUNT_SCHEMAS: process.env.TEST_ACCOUNT_SCHEMAS ?? '1',
      LOG_LEVEL: 'fatal',
      STRICT_MODELS: 'false',
      DATABASE_URL: database.url,
      // The run's other tests have the rest of the server's connections.
      DATABASE_POOL_SIZE_MAX: '8',
      REDIS_URL: redis.url,
      // A busy machine must not make a test of the counts one of an outage.
      REDIS_TIMEOUT_MS: '10000',
      JWT_SECRET,
      STACK_APIS: String(apis),
      STACK_WORKERS: String(workers),
      PORT: '0',
      ...environment,
    };
    const child = spawn(process.execPath, [MAIN], { env: whole, stdio: ['ignore', 'pipe', 'pipe'] });
    const stack = new TestStack(child, whole, redis, database);
    try {
      await until('the stack is ready', () => stack.said(/^Documentation /) !== null || stack.hasEnded);
      stack.ownService = (await TestService.start({ DATABASE_POOL_SIZE_MAX: '4' }, database)).through(
        stack.url,
      );
      // What the test itself makes, such as tokens, has to be valid by the processes' clock.
      stack.service.clock.set(new Date().toISOString());
    } catch (error) {
      await stack.stop();
      throw new Error(stack.lines.join('\n'), { cause: error });
    }
    return stack;
  }

  /** Looks at the same database; its calls go to the proxy. */
  get service(): TestService {
    if (!this.ownService) {
      throw new Error('the stack is not ready');
    }
    return this.ownService;
  }

  /** The proxy's. */
  get url(): string {
    return this.said(/^Service\s+(\S+)/)?.[1] ?? '';
  }

  get server(): PlainServer {
    return new PlainServer(this.url);
  }

  /** The process that `api-1` or `worker-2` now is, and where it listens itself. */
  place(name: string): { pid: number; url: string } {
    const found = this.said(new RegExp(`^stack \\| ${name} is ready: process (\\d+) at (\\S+)$`));
    if (!found) {
      throw new Error(`there is no ${name}`);
    }
    return { pid: Number(found[1]), url: found[2] ?? '' };
  }

  /** Kills a process of the stack without any chance to clean up; resolves when the stack has put another in its place. */
  async killAndAwaitNext(name: string): Promise<void> {
    const { pid } = this.place(name);
    process.kill(pid, 'SIGKILL');
    await until(`${name} is started again`, () => this.place(name).pid !== pid);
  }

  async stop(): Promise<void> {
    if (!this.hasEnded) {
      const ended = once(this.process, 'exit');
      this.process.kill('SIGTERM');
      await ended;
    }
    await (this.ownService ? this.ownService.stop() : this.database.drop());
    await this.redis.kill();
  }

  get hasEnded(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** The last line that matches. */
  private said(pattern: RegExp): RegExpExecArray | null {
    return this.lines.map((line) => pattern.exec(line)).findLast((found) => found !== null) ?? null;
  }
}

/** Starts a stack that ends by itself, and tells how. */
export async function runStack(
  environment: Record<string, string>,
): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, [MAIN], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  }
  await once(child, 'close');
  return { code: child.exitCode, text };
}
