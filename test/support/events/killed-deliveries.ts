import { CompiledService } from '../processes/compiled-service';
import { OwnPostgres } from '../processes/own-postgres';
import { EventReceiver } from '../receiver/event-receiver';
import { RedisServer } from '../redis/redis-server';
import { TestService } from '../api/service';
import { createAccount, type TestAccount } from '../api/world';
import { PaidLoad } from '../ledger/paid-load';
import { SeededRandom } from '../seeded-random';
import { subscribe } from './subscribe';
import { deliveredEvents, waitingEvents } from './delivered-events';
import { depth } from '../jest/depth';
import { until } from '../until';

const KILLS_OF_EACH = depth('DELIVERY_KILLS', { short: 1, deep: 20 });
const CLIENTS = 24;
const ACCOUNTS = 6;
/** After so many of the kills deliveries are waited for; the next of the others comes while they are still being recovered. */
const RECOVERED_SHARE = 0.25;
const DELIVERED_WITHIN_MS = 240_000;
const JWT_SECRET = 'a secret for tests that nobody else has: 0123456789';

type Victim = 'the API' | 'the worker' | 'Postgres' | 'Redis';

/** What deliveries promise while the API, the worker, Postgres and the queue are killed at random under load. */
export function describeKilledDeliveries(backend: 'postgres' | 'redis'): void {
  describe(`deliveries with the queue in ${backend}, while everything is killed in turn`, () => {
    const random = new SeededRandom();
    let postgres: OwnPostgres;
    let redis: RedisServer | null = null;
    let service: TestService;
    let api: CompiledService;
    let worker: CompiledService;
    let receiver: EventReceiver;
    let accounts: TestAccount[];
    let load: PaidLoad;

    const environment = (): Record<string, string> => ({
      DATABASE_URL: postgres.url,
      JWT_SECRET,
      ALLOW_INSECURE_WEBHOOKS: 'true',
      ...(redis ? { REDIS_URL: redis.url } : {}),
    });
    const startApi = () => CompiledService.start({ ...environment(), ROLE: 'api', LOG_LEVEL: 'fatal' });
    const startWorker = () => CompiledService.startWorker({ ...environment(), LOG_LEVEL: 'fatal' });

    beforeAll(async () => {
      postgres = await OwnPostgres.start();
      redis = backend === 'redis' ? await RedisServer.start() : null;
      service = await TestService.start({}, { url: postgres.url, drop: () => postgres.stop() });
      receiver = await EventReceiver.start();
      accounts = await Promise.all(
        Array.from({ length: ACCOUNTS }, () => createAccount(service, { creditUsd: '1000' })),
      );
      // Every second account subscribes, so that what nobody asked for would show.
      await Promise.all(
        accounts
          .filter((_, index) => index % 2 === 0)
          .map(({ id }) => subscribe(service.database, id, { events: ['*'], url: receiver.url })),
      );
      [api, worker] = await Promise.all([startApi(), startWorker()]);
      load = new PaidLoad({ name: `deliveries-${random.seed}`, accounts, random, servers: () => [api] });
    }, 120_000);

    afterAll(async () => {
      await load.stop();
      await Promise.all([api.stop(), worker.stop()]);
      await receiver.stop();
      await service.stop();
      await redis?.kill();
    }, 120_000);

    const killAndStartAgain: Record<Victim, () => Promise<void>> = {
      'the API': async () => {
        await api.kill();
        api = await startApi();
      },
      'the worker': async () => {
        await worker.kill();
        worker = await startWorker();
      },
      Postgres: async () => {
        await postgres.kill();
        await postgres.startAgain();
      },
      Redis: async () => {
        await redis?.kill();
        await redis?.startAgain();
      },
    };

    it('reach their receiver at least once for every fact that was committed, and for no other', async () => {
      const victims = (Object.keys(killAndStartAgain) as Victim[]).filter(
        (victim) => redis || victim !== 'Redis',
      );
      const kills = random.shuffled(
        victims.flatMap((victim) => Array.from({ length: KILLS_OF_EACH }, () => victim)),
      );
      for (const victim of kills) {
        load.keepCalling(CLIENTS);
        const [served, delivered] = [load.servedCalls, receiver.count];
        const calls = random.between(5, 60);
        await until('calls are paid', () => load.servedCalls >= served + calls);
        if (random.next() < RECOVERED_SHARE) {
          await until('deliveries arrive', () => receiver.count > delivered);
        }
        await killAndStartAgain[victim]();
      }
      await load.stop();
      await until(
        'nothing waits any more',
        async () => (await waitingEvents(service)) === 0,
        DELIVERED_WITHIN_MS,
      );

      const { events, entries, told, missing, unknown } = await deliveredEvents(service, receiver);
      process.stdout.write(
        `\nqueue in ${backend}, seed ${random.seed}: ${kills.length} kills (${KILLS_OF_EACH} of each of ${victims.join(', ')}); ` +
          `${entries.length} ledger entries, ${events} events, ${receiver.count} deliveries received, ` +
          `${receiver.count - receiver.eventIds.length} of them again; ${missing.length} missing, ${unknown.length} unknown\n`,
      );
      expect(events).toBeGreaterThan(kills.length);
      expect(missing).toEqual([]);
      expect(unknown).toEqual([]);
      expect(told).toEqual(entries);
    }, 1_800_000);
  });
}
