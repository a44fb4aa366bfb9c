import { TestRedis } from '../support/redis/test-redis';
import { describeQueue } from '../support/queue/queue-behaviour';

let redis: TestRedis;
afterAll(async () => redis.stop());

describeQueue('in Redis', async () => {
  redis = await TestRedis.start();
  return redis.environment;
});
