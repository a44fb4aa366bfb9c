import { startBackgroundWork } from '../../src/application';
import { ProcessRegister } from '../../src/database/process-register';
import { TestService } from '../support/api/service';
import { createTestDatabase, type TestDatabase } from '../support/api/test-database';
import { FakeChain } from '../support/chains/fake-chain';
import { until } from '../support/until';

describe('the looks at the chains', () => {
  let database: TestDatabase;
  const services: TestService[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await database.drop();
  });

  it('come again and again, from the one process that leads, and from another once that has ended', async () => {
    const [one, two] = [await startWorker(), await startWorker()];
    await until('one of both leads', () => leads(one.service) || leads(two.service));
    const [leader, follower] = leads(one.service) ? [one, two] : [two, one];
    const [before, ofFollower] = [leader.chain.looks, follower.chain.looks];
    await until('there have been three looks', () => leader.chain.looks >= before + 3);
    // The follower looks at each tenth interval.
    expect(follower.chain.looks).toBeLessThanOrEqual(ofFollower + 1);
    await leader.service.stop();
    services.splice(services.indexOf(leader.service), 1);
    const looks = follower.chain.looks;
    await until('the other goes on', () => follower.chain.looks >= looks + 3);
  });

  async function startWorker(): Promise<{ service: TestService; chain: FakeChain }> {
    const chain = new FakeChain('BTC', new Date());
    const shared = { url: database.url, drop: () => Promise.resolve() };
    const service = await TestService.start({ PAYMENT_POLL_SECONDS: '1' }, shared, [], [chain]);
    services.push(service);
    startBackgroundWork(service.app, 'all');
    return { service, chain };
  }

  function leads({ app }: TestService): boolean {
    return app.get(ProcessRegister, { strict: false }).isLeading;
  }
});
