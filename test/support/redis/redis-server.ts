import { quietPort } from '../../../src/database/embedded/server';
import { spawnGuarded, type GuardedProcess } from '../../../src/database/embedded/guarded-process';
import { until } from '../until';

const KEEPS_NOTHING = ['--appendonly', 'no'];

/** A Redis of a test's own, which it may kill. It ends with the process that started it. */
export class RedisServer {
  private process: GuardedProcess | null = null;

  private constructor(
    private readonly port: number,
    private readonly persistence: readonly string[],
  ) {}

  /**
   * @param folder where it keeps what it is told, as docker-compose.yml has it; without one it keeps nothing
   * @throws Error when there is no redis-server on the PATH
   */
  static async start(folder?: string): Promise<RedisServer> {
    const persistence = folder === undefined ? KEEPS_NOTHING : ['--appendonly', 'yes', '--dir', folder];
    const server = new RedisServer(await quietPort(), persistence);
    await server.startAgain();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** On the same port as before, with what it has kept. */
  async startAgain(): Promise<void> {
    const settings = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', ...this.persistence];
    const started = spawnGuarded([command(), ...settings], undefined, ['ignore', 'pipe', 'pipe']);
    this.process = started;
    let said = '';
    for (const stream of [started.child.stdout, started.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    }
    await until('Redis is ready', () => said.includes('Ready to accept') || !started.isRunning());
    if (!started.isRunning()) {
      throw new Error(`Redis ended: ${said}`);
    }
  }

  /** As a machine that fails does it: without a word to anybody. */
  async kill(): Promise<void> {
    this.process?.child.kill('SIGKILL');
    await this.process?.gone;
  }
}

/** What the configuration of jest has found. */
function command(): string {
  const { redisCommand } = globalThis as { redisCommand?: string };
  if (redisCommand === undefined) {
    throw new Error(
      'These tests need redis-server on the PATH: apt-get install redis-server, or brew install redis',
    );
  }
  return redisCommand;
}
