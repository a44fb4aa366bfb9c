import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { type RedisAddress, RedisConnection } from '../../../src/database/redis-connection';
import { RedisServer } from './redis-server';

// A busy machine must not make a test of the counts one of an outage.
const TIMEOUT_MS = 10_000;

/** A Redis, or in the one that TEST_REDIS_URL names a part, that no other test file uses. */
export class TestRedis {
  readonly address: RedisAddress;
  private readonly connections: RedisConnection[] = [];

  private constructor(
    url: string,
    private readonly server: RedisServer | null,
  ) {
    this.address = { url, keyPrefix: `test-${randomBytes(8).toString('hex')}:`, timeoutMs: TIMEOUT_MS };
  }

  /** @throws Error when there is neither TEST_REDIS_URL nor a redis-server on the PATH */
  static async start(): Promise<TestRedis> {
    const url = process.env.TEST_REDIS_URL;
    const server = url === undefined ? await RedisServer.start() : null;
    return new TestRedis(url ?? server?.url ?? '', server);
  }

  async stop(): Promise<void> {
    this.connections.forEach((connection) => connection.onApplicationShutdown());
    await this.server?.kill();
  }

  /** What makes a service use it. */
  get environment(): Record<'REDIS_URL' | 'REDIS_KEY_PREFIX' | 'REDIS_TIMEOUT_MS', string> {
    const { url, keyPrefix, timeoutMs } = this.address;
    return { REDIS_URL: url, REDIS_KEY_PREFIX: keyPrefix, REDIS_TIMEOUT_MS: String(timeoutMs) };
  }

  /** A connection as the service has it; ended by {@link stop}. */
  async connect(): Promise<RedisConnection> {
    const connection = await RedisConnection.open(this.address);
    this.connections.push(connection);
    if (!connection.isUsable) {
      throw new Error(`No Redis at ${this.address.url}: ${connection.fault}`);
    }
    return connection;
  }

  /** Asks Redis past the service. */
  async ask<Answer>(question: (redis: Redis) => Promise<Answer>): Promise<Answer> {
    const redis = new Redis(this.address.url, { retryStrategy: () => null });
    return question(redis).finally(() => redis.disconnect());
  }
}
