import { createIORedisClient, type IRedisClient, type RedisConnection } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';

/**
 * The client that BullMQ gets for each of its connections to Redis. ioredis leaves the timer of `socketTimeout` running
 * when the connection closes, and it would then cut the next one. So it is taken away with the connection it was for.
 */
export const redisClient: NonNullable<typeof RedisConnection.clientFactory> = (options): IRedisClient => {
  const { url = '', ...others } = options as RedisOptions & { url?: string };
  const client = new Redis(url, others);
  client.on('close', () => {
    const timed = client as unknown as { socketTimeoutTimer?: NodeJS.Timeout };
    clearTimeout(timed.socketTimeoutTimer);
    timed.socketTimeoutTimer = undefined;
  });
  return createIORedisClient(client);
};
