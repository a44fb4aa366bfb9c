import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { expectNothingPrivate } from '../../support/api/private-facts';
import { TestService } from '../../support/api/service';
import { storeMemory } from '../../support/api/store-memory';
import { World, type TestAccount } from '../../support/api/world';

describeOperation(
  'getSystemMetrics',
  () => ({}),
  (status) => {
    status(200, 'tells nothing of others or of where it runs, and is free', async (world) => {
      const before = await world.balanceNanoUsd();
      await callAs('getMemoryStats', world, {}, world.stranger);
      const { data, metadata } = (await callAs('getSystemMetrics', world, {})).body;
      expect([metadata.cost, await world.balanceNanoUsd()]).toEqual([0, before]);
      expectNothingPrivate(world, JSON.stringify(data));
    });

    status(200, "counts the tasks that wait, and which of them are the account's own", async () => {
      await withService(async (world) => {
        const queue = async (account = world.owner) =>
          (await callAs('getSystemMetrics', world, {}, account)).body.data.queue;
        await submit(world, world.owner);
        await submit(world, world.stranger);
        await submit(world, world.stranger);
        expect(await queue()).toEqual({ waiting: 3, running: 0, own_waiting: 1, own_running: 0 });
        expect(await queue(world.admin)).toMatchObject({ waiting: 3, own_waiting: 0 });
      });
    });

    status(200, 'counts the time since its own replica started', async () => {
      await withService(async (world) => {
        const { service } = world;
        service.clock.advance(90_500);
        const replica = await service.startReplica();
        try {
          service.clock.advance(10_000);
          const uptimeOf = async (asked: TestService) => {
            const answer = await asked.call('getSystemMetrics', { credential: world.owner.key });
            return answer.body.data.uptime_seconds;
          };
          expect([await uptimeOf(service), await uptimeOf(replica)]).toEqual([100, 10]);
        } finally {
          await replica.stop();
        }
      });
    });

    status(200, 'counts what was answered by rate class, but no refusals, and forgets it', async () => {
      await withService(async (world) => {
        await storeMemory(world);
        await storeMemory(world);
        await callAs('getMemoryStats', world, {});
        await callAs('createMemory', world, { body: {} });
        await callAs('getMemoryStats', world, { credential: 'svc_test_wrong' });
        await callAs('getHubHealth', world, {});
        const latencies = async () => (await callAs('getSystemMetrics', world, {})).body.data.latencies;
        const found = await latencies();
        expect(found.map(({ rate_class: name, requests }) => [name, requests])).toEqual([
          ['write', 2],
          ['read', 1],
        ]);
        for (const { p50_ms: p50, p95_ms: p95, p99_ms: p99 } of found) {
          expect([0, p50, p95, p99]).toEqual([0, p50, p95, p99].sort((a, b) => a - b));
        }
        world.service.clock.advance(300_000);
        expect(await latencies()).toEqual([]);
      });
    });
  },
);

async function withService(test: (world: World) => Promise<void>) {
  const service = await TestService.start();
  try {
    await test(await World.create(service));
  } finally {
    await service.stop();
  }
}

async function submit(world: World, account: TestAccount): Promise<void> {
  const body = { task_type: 'createMemory', parameters: { key: 'k', value: 'v' } };
  expect((await callAs('submitTask', world, { body }, account)).status).toBe(201);
}
