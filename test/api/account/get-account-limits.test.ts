import { Accounts } from '../../../src/accounts/accounts';
import { BrowserSession } from '../../support/api/browser-session';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';

describeOperation(
  'getAccountLimits',
  () => ({}),
  (status) => {
    status(200, 'has the rates of the reference for every tier', async (world) => {
      const rates = [];
      for (const tier of ['free', 'basic', 'pro', 'enterprise']) {
        await setTier(world, tier);
        world.service.clock.advance(60_000);
        const { body } = await callAs('getAccountLimits', world, {});
        const { requests_per_second, requests_per_minute, requests_per_hour, requests_per_day } = body;
        rates.push([
          body.tier,
          requests_per_second,
          requests_per_minute,
          requests_per_hour,
          requests_per_day,
        ]);
      }
      expect(rates).toEqual([
        ['free', 1, 10, 100, 1_000],
        ['basic', 5, 100, 1_000, 10_000],
        ['pro', 20, 1_000, 10_000, 100_000],
        ['enterprise', null, null, null, null],
      ]);
    });
    status(200, 'has the part of the tier that each category may use', async (world) => {
      await setTier(world, 'pro');
      const { body } = await callAs('getAccountLimits', world, {});
      const categories = body.categories.map(({ category, multiplier, requests_per_second }) => [
        category,
        multiplier,
        requests_per_second,
      ]);
      expect(categories).toEqual([
        ['health', null, null],
        ['read', 1, 20],
        ['write', 0.5, 10],
        ['llm', 0.2, 4],
        ['heavy', 0.1, 2],
      ]);
    });
    status(200, "has an enterprise account's own rates, as they are counted", async (world) => {
      await world.setRates(world.owner, { requests_per_minute: 3 });
      const answer = await callAs('getAccountLimits', world, {});
      expect(answer.body).toMatchObject({ requests_per_second: null, requests_per_minute: 3 });
      expect(answer.body.categories.at(-1)).toMatchObject({ category: 'heavy', requests_per_minute: 0.3 });
      expect(answer.headers).toMatchObject({
        'x-ratelimit-limit': '3',
        'x-ratelimit-remaining': '2',
        'x-ratelimit-window': '60',
      });
    });
    status(
      200,
      'has no rate of the console above what an admin has set, as sessions are counted',
      async (world) => {
        await world.setRates(world.owner, {
          requests_per_minute: 3,
          requests_per_day: 500,
          requests_per_hour: 9_000,
        });
        const session = await BrowserSession.start(world);
        const { body } = await session.call('getAccountLimits');
        expect(body.console).toEqual({
          requests_per_second: 10,
          requests_per_minute: 3,
          requests_per_hour: 5_000,
          requests_per_day: 500,
        });
        const further = [];
        for (let call = 0; call < 4; call += 1) {
          further.push((await session.call('getSession')).status);
        }
        expect(further).toEqual([200, 200, 429, 429]);
      },
    );
  },
);

async function setTier({ service, owner }: World, tier: string): Promise<void> {
  await service.app.get(Accounts).update(owner.id, () => ({ tier, rateLimits: null }));
}
