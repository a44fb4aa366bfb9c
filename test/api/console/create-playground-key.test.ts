import { BrowserSession } from '../../support/api/browser-session';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { keyVerdict } from '../../support/api/credential-verdict';

const MINUTE_MS = 60_000;

describeOperation(
  'createPlaygroundKey',
  () => ({ body: {} }),
  (status) => {
    status(400, 'refuses more than 10 USD, more than an hour, and nothing', async (world) => {
      for (const body of [{ cap_usd: 10.01 }, { cap_usd: 0 }, { expires_in_minutes: 61 }]) {
        expect((await callAs('createPlaygroundKey', world, { body })).status).toBe(400);
      }
    });
    status(409, 'refuses a sixth that works, and removes those that have ended', async (world) => {
      const create = () => callAs('createPlaygroundKey', world, { body: { expires_in_minutes: 5 } });
      for (let made = 0; made < 5; made += 1) {
        expect((await create()).status).toBe(200);
      }
      expect((await create()).status).toBe(409);
      world.service.clock.advance(5 * MINUTE_MS);
      expect((await create()).status).toBe(200);
      // That of the test's own account is no key of the playground, and stays.
      expect((await callAs('listKeys', world, {})).body).toHaveLength(2);
    });
    status(
      200,
      'gives a session a key that ends in minutes and spends no more than its cap',
      async (world) => {
        const session = await BrowserSession.start(world);
        const body = { cap_usd: 0.003, expires_in_minutes: 2 };
        const { body: made } = await session.call('createPlaygroundKey', { body });
        const chat = (maxTokens: number) =>
          world.service.call('createChatCompletion', {
            ip: world.ip,
            credential: made.key_value,
            body: {
              model: 'embedded-extractive-1',
              messages: [{ role: 'user', content: 'Hi' }],
              max_tokens: maxTokens,
            },
          });
        expect(made.cap_usd).toBe(0.003);
        const refused = await chat(2000);
        expect([refused.status, refused.body.error]).toEqual([402, 'Spending limit exceeded']);
        expect(await keyVerdict(world, made.key_value)).toBe('accepted');
        world.service.clock.advance(2 * MINUTE_MS);
        expect(await keyVerdict(world, made.key_value)).toBe('API key expired');
      },
    );
    status(200, 'gives a key whose free calls are counted apart from those of programs', async (world) => {
      const { body: made } = await callAs('createPlaygroundKey', world, { body: {} });
      await world.setRates(world.owner, { requests_per_minute: 2 });
      const read = async (credential: string) =>
        (await world.service.call('listTasks', { ip: world.ip, credential })).status;
      expect([await read(world.owner.key), await read(world.owner.key)]).toEqual([200, 200]);
      expect(await read(world.owner.key)).toBe(429);
      expect([await read(made.key_value), await read(made.key_value)]).toEqual([200, 200]);
      const paid = { model: 'embedded-extractive-1', messages: [{ role: 'user' as const, content: 'Hi' }] };
      const chat = { ip: world.ip, credential: made.key_value, body: paid };
      expect((await world.service.call('createChatCompletion', chat)).status).toBe(429);
    });
  },
);
