import { callAs } from '../../support/api/call-as';
import { freshToken, moveToLastMomentOfMonth } from '../../support/ledger/calendar';
import { describeOperation } from '../../support/api/describe-operation';
import { recordCall } from '../../support/api/recorded-call';
import type { World } from '../../support/api/world';

const NOTHING = { requests: 0, tokens: 0, cost: 0 };

describeOperation(
  'getUsageSummary',
  () => ({}),
  (status) => {
    status(200, 'is all zeros for an account without calls', async (world) => {
      const { body } = await summary(world);
      expect(body).toEqual({ today: NOTHING, this_month: NOTHING, all_time: NOTHING, balance: 10 });
    });
    status(200, 'keeps the day, the month and all time apart at midnight UTC', async (world) => {
      const { service, owner } = world;
      moveToLastMomentOfMonth(service);
      await recordCall(service, owner, { charge: '1', inputTokens: 3, outputTokens: 4 });
      const last = { requests: 1, tokens: 7, cost: 1 };
      expect((await summary(world)).body).toEqual({
        today: last,
        this_month: last,
        all_time: last,
        balance: 9,
      });
      service.clock.advance(1);
      await recordCall(service, owner, { charge: '0.000000001' });
      const first = { requests: 1, tokens: 0, cost: 1e-9 };
      expect((await summary(world)).body).toEqual({
        today: first,
        this_month: first,
        all_time: { requests: 2, tokens: 7, cost: 1.000000001 },
        balance: 8.999999999,
      });
      service.clock.advance(24 * 3_600_000);
      expect((await summary(world)).body).toMatchObject({ today: NOTHING, this_month: first });
    });
    status(200, 'counts failed calls, which cost nothing', async (world) => {
      await recordCall(world.service, world.owner, { charge: '4', status: 500 });
      expect((await summary(world)).body).toMatchObject({ today: { requests: 1, cost: 0 }, balance: 10 });
    });
    status(200, 'has nothing of another account', async (world) => {
      await recordCall(world.service, world.owner, { charge: '1' });
      const { body } = await callAs('getUsageSummary', world, {}, world.stranger);
      expect(body).toMatchObject({ all_time: NOTHING, balance: 10 });
    });
  },
);

function summary(world: World) {
  return callAs('getUsageSummary', world, { credential: freshToken(world.service, world.owner) });
}
