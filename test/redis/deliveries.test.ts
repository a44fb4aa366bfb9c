import { describeDeliveries } from '../support/events/delivery-behaviour';
import { TestRedis } from '../support/redis/test-redis';

let redis: TestRedis;
afterAll(async () => redis.stop());

describeDeliveries('in Redis', async () => {
  redis = await TestRedis.start();
  return redis.environment;
});
