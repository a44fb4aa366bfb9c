import { RedisConnection, RedisSubscription } from '../../src/database/redis-connection';
import { TcpProxy } from '../support/processes/tcp-proxy';
import { TestRedis } from '../support/redis/test-redis';
import { itForgetsDeadReplicas, itSharesRooms, roomScene } from '../support/sockets/room-behaviour';
import { until } from '../support/until';

describe('rooms on two replicas with one Redis', () => {
  let redis: TestRedis;
  const scene = roomScene(async () => {
    redis = await TestRedis.start();
    return redis.environment;
  });
  afterAll(() => redis.stop());
  afterEach(() => jest.restoreAllMocks());

  itSharesRooms(scene);
  itForgetsDeadReplicas(scene);

  it('signals through Redis, and through Postgres when that fails', async () => {
    const [ada, bob] = [await scene.connect('one'), await scene.connect('two')];
    for (const client of [ada, bob]) {
      client.send({ action: 'join', room: 'away' });
      await client.answer({ type: 'joined' });
    }
    const published = jest.spyOn(scene.one.app.get(RedisConnection), 'publish');
    ada.send({ action: 'message', room: 'away', data: { n: 1 } });
    expect(await bob.answer({ type: 'message', seq: 1 })).toMatchObject({ data: { n: 1 } });
    expect(published.mock.calls.length).toBeGreaterThan(0);
    published.mockRejectedValue(new Error('away'));
    ada.send({ action: 'message', room: 'away', data: { n: 2 } });
    expect(await bob.answer({ type: 'message', seq: 2 })).toMatchObject({ data: { n: 2 } });
  });
});

describe('a subscription to Redis', () => {
  it('notices a connection over which nothing comes any more, and hears again when it may', async () => {
    const redis = await TestRedis.start();
    const url = new URL(redis.address.url);
    const network = await TcpProxy.start({ host: url.hostname, port: Number(url.port || 6379) });
    url.host = `127.0.0.1:${network.port}`;
    const heard: string[] = [];
    let losses = 0;
    const subscription = new RedisSubscription(
      { ...redis.address, url: url.href },
      'half-open',
      (text) => heard.push(text),
      () => (losses += 1),
      { askedEveryMs: 50, answerWithinMs: 200 },
    );
    await until('it listens', () => subscription.isListening);
    const pings = async () => {
      const stats = await redis.ask((connection) => connection.info('commandstats'));
      return Number(/cmdstat_ping:calls=(\d+)/.exec(stats)?.[1] ?? 0);
    };
    const before = await pings();
    await until('it was asked several times', async () => (await pings()) >= before + 5);
    expect([subscription.isListening, losses]).toEqual([true, 1]);
    network.state = 'losing everything';
    await until('the silence is noticed', () => !subscription.isListening, 10_000);
    expect(losses).toBe(2);
    network.state = 'whole';
    await until('it listens again', () => subscription.isListening, 10_000);
    await (await redis.connect()).publish('half-open', 'again');
    await until('the text is heard', () => heard.includes('again'));
    subscription.close();
    await network.stop();
    await redis.stop();
  });
});
