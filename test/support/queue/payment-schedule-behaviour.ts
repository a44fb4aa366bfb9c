import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { startBackgroundWork } from '../../../src/application';
import { PAYMENT_QUEUE } from '../../../src/modules/billing/payment-watch';
import { Timers } from '../../../src/work/timers';
import { TestService } from '../api/service';
import { createTestDatabase, type TestDatabase } from '../api/test-database';
import { FakeChain } from '../chains/fake-chain';
import { until } from '../until';

const POLL_SECONDS = 1;
const SCHEDULER = 'watch-BTC';

/** What the jobs that look at the chains promise, on whatever queue. @param environmentOf is asked when the tests begin */
export function describePaymentSchedule(
  where: string,
  environmentOf: () => Promise<Record<string, string>>,
): void {
  describe(`the looks at the chains, with the queue ${where}`, () => {
    let database: TestDatabase;
    let environment: Record<string, string>;
    let chain: FakeChain;
    const services: TestService[] = [];

    beforeAll(async () => {
      database = await createTestDatabase();
      environment = await environmentOf();
    });
    beforeEach(() => (chain = new FakeChain('BTC', new Date())));
    afterEach(async () => {
      await queueOf(await start()).obliterate({ force: true });
      await Promise.all(services.splice(0).map((service) => service.stop()));
    });
    afterAll(() => database.drop());

    async function start(pollSeconds = POLL_SECONDS): Promise<TestService> {
      const variables = { ...environment, PAYMENT_POLL_SECONDS: String(pollSeconds) };
      const shared = { url: database.url, drop: () => Promise.resolve() };
      const service = await TestService.start(variables, shared, [], [chain]);
      services.push(service);
      return service;
    }

    async function startWorker(pollSeconds?: number): Promise<TestService> {
      const service = await start(pollSeconds);
      startBackgroundWork(service.app, 'all');
      return service;
    }

    function queueOf({ app }: TestService): Queue {
      return app.get<Queue>(getQueueToken(PAYMENT_QUEUE), { strict: false });
    }

    async function iterations(service: TestService): Promise<number> {
      return (await queueOf(service).getJobScheduler(SCHEDULER))?.iterationCount ?? 0;
    }

    it('come again and again, once for each interval, however many workers there are', async () => {
      const [one] = await Promise.all([startWorker(), startWorker()]);
      const first = chain.looks;
      await until('there have been looks', () => chain.looks >= first + 3);
      // Two workers that start at once may each begin a first one.
      expect(chain.looks).toBeLessThanOrEqual((await iterations(one)) + 2);
      const counts = await queueOf(one).getJobCounts('waiting', 'delayed', 'completed', 'failed');
      expect(counts).toMatchObject({ completed: 0, failed: 0 });
      expect(Number(counts.waiting) + Number(counts.delayed)).toBeLessThanOrEqual(1);
    });

    it('are put back into a queue that was emptied', async () => {
      const worker = await startWorker();
      await until('there is a look', () => chain.looks >= 1);
      await queueOf(worker).obliterate({ force: true });
      expect(await queueOf(worker).getJobScheduler(SCHEDULER)).toBeUndefined();
      await worker.app.get(Timers).job('PaymentSchedule').tick();
      const looks = chain.looks;
      await until('looks go on', () => chain.looks >= looks + 2);
    });

    it('stay one chain of jobs when every process makes sure of them all the time', async () => {
      const workers = await Promise.all([startWorker(), startWorker()]);
      const [one] = workers;
      const begun = await iterations(one);
      const looks = chain.looks;
      while (chain.looks < looks + 3) {
        await Promise.all(workers.map(({ app }) => app.get(Timers).job('PaymentSchedule').tick()));
      }
      const iterated = (await iterations(one)) - begun;
      expect(chain.looks - looks).toBeLessThanOrEqual(iterated + 3);
    });

    it('keep to a new interval from its first deployment on, also when one was missed', async () => {
      const old = await start(60);
      await old.app.get(Timers).job('PaymentSchedule').tick();
      const changed = await start();
      await changed.app.get(Timers).job('PaymentSchedule').tick();
      startBackgroundWork(changed.app, 'all');
      for (let looks = 1; looks <= 2; looks += 1) {
        await until('there is another look', () => chain.looks >= looks);
        const { next = Infinity } = (await queueOf(changed).getJobScheduler(SCHEDULER)) ?? {};
        expect(next - Date.now()).toBeLessThanOrEqual(POLL_SECONDS * 1000);
        // As when all workers are away for a while, so that an interval is missed.
        await queueOf(changed).pause();
        await until('an interval is over', () => Date.now() > next + 1.5 * POLL_SECONDS * 1000);
        await queueOf(changed).resume();
      }
    });
  });
}
