import { describePaymentSchedule } from '../support/queue/payment-schedule-behaviour';
import { TestRedis } from '../support/redis/test-redis';

let redis: TestRedis;
afterAll(async () => redis.stop());

describePaymentSchedule('in Redis', async () => {
  redis = await TestRedis.start();
  return redis.environment;
});
