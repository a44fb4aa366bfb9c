import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount, type TestAccount } from '../api/world';
import { SpendingLimitsRepository } from '../../../src/accounts/spending-limits';
import { OwnPostgres } from '../processes/own-postgres';
import { TestStack } from '../processes/test-stack';
import { RedisServer } from '../redis/redis-server';
import { TaskUpstream } from '../tasks/task-upstream';
import type { SoakAccounts } from './errands/errand';
import { SoakReceiver } from './soak-receiver';
import type { SoakSettings } from './soak-settings';

const RICH = 10;
const POOR = 6;
const BATCHING = 2;
const POOR_CREDITS = ['0.02', '0.05', '0.2'];
/** Of the keys of those of the poor who have credit enough. */
const DAILY_LIMIT_NANO_USD = 60_000_000n;
const MEMORY_LOG = join(__dirname, 'memory-log.cjs');

/** All that a soak runs on: a Postgres, a Redis, the stack, an upstream, a receiver of webhooks, and accounts. */
export class SoakScene {
  readonly webhooks = new Map<string, string>();

  private constructor(
    readonly postgres: OwnPostgres,
    readonly stack: TestStack,
    readonly receiver: SoakReceiver,
    readonly accounts: SoakAccounts,
    /** Where the processes write what memory they hold. */
    readonly memoryFolder: string,
    private readonly upstream: TaskUpstream,
    private readonly folder: string,
  ) {}

  static async start({ apis, workers }: SoakSettings): Promise<SoakScene> {
    const folder = await mkdtemp(join(tmpdir(), 'soak-'));
    const memoryFolder = await mkdtemp(join(tmpdir(), 'soak-memory-'));
    // Redis runs as another user than root where the machine has it so.
    await chmod(folder, 0o777);
    const [postgres, redis, upstream, receiver] = await Promise.all([
      OwnPostgres.start(),
      RedisServer.start(folder),
      TaskUpstream.start(),
      SoakReceiver.start(),
    ]);
    const stack = await TestStack.start({
      apis,
      workers,
      database: { url: postgres.url, drop: () => postgres.stop() },
      redis,
      environment: {
        ...upstream.environment,
        RETRIEVAL_EMBEDDING_MODEL: 'none',
        ALLOW_INSECURE_WEBHOOKS: 'true',
        // As in production: what takes longer is taken for an outage, of which there are some here.
        REDIS_TIMEOUT_MS: '150',
        LOG_LEVEL: 'error',
        SOAK_MEMORY: memoryFolder,
        NODE_OPTIONS: `--require ${MEMORY_LOG}`,
      },
    });
    const accounts = await soakAccounts(stack);
    const scene = new SoakScene(postgres, stack, receiver, accounts, memoryFolder, upstream, folder);
    await scene.subscribe();
    return scene;
  }

  /** Those whose processes are never killed. */
  get spared(): { name: string; pid: number }[] {
    return ['api-1', 'worker-1'].map((name) => ({ name, pid: this.stack.place(name).pid }));
  }

  /** Those of the stack's processes that ended by themselves although they were ready. */
  get crashes(): string[] {
    const ready = new Set<string>();
    const crashes: string[] = [];
    for (const line of this.stack.lines) {
      const name = /^stack \| (\S+) is ready/.exec(line)?.[1];
      const end = /^stack \| (\S+) ended with (.*);/.exec(line);
      if (name !== undefined) {
        ready.add(name);
      } else if (end?.[1] !== undefined && ready.delete(end[1]) && end[2] !== 'SIGKILL') {
        crashes.push(line);
      }
    }
    return crashes;
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    await Promise.all([this.upstream.stop(), this.receiver.stop()]);
    await Promise.all(
      [this.folder, this.memoryFolder].map((each) => rm(each, { recursive: true, force: true })),
    );
  }

  /** Every second account hears of all that happens to it. */
  private async subscribe(): Promise<void> {
    const { rich, poor } = this.accounts;
    for (const account of [...rich, ...poor].filter((_, index) => index % 2 === 0)) {
      const answer = await this.stack.service.call('createWebhook', {
        credential: account.token,
        body: { url: this.receiver.urlOf(account.id), events: ['*'] },
      });
      this.receiver.expect(account.id, answer.body.secret);
      this.webhooks.set(account.id, answer.body.id);
    }
  }
}

async function soakAccounts({ service }: TestStack): Promise<SoakAccounts> {
  const several = (count: number, creditUsd: (index: number) => string): Promise<TestAccount[]> =>
    Promise.all(
      Array.from({ length: count }, (_, index) => createAccount(service, { creditUsd: creditUsd(index) })),
    );
  const isLimited = (index: number): boolean => index >= POOR_CREDITS.length;
  const poor = await several(POOR, (index) => (isLimited(index) ? '1000' : (POOR_CREDITS[index] ?? '1')));
  const limits = service.app.get(SpendingLimitsRepository);
  for (const { id, keyId } of poor.filter((_, index) => isLimited(index))) {
    await limits.set(id, keyId, { dailyLimitNano: DAILY_LIMIT_NANO_USD });
  }
  return {
    rich: await several(RICH, () => '1000'),
    poor,
    batching: await several(BATCHING, () => '1000'),
    admin: await createAccount(service, { creditUsd: '0', role: 'admin' }),
  };
}
