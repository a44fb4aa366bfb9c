import { Client } from 'pg';
import { AccountDatabases } from '../../../src/database/account-databases';
import { BrowserSession } from '../../support/api/browser-session';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { keyVerdict } from '../../support/api/credential-verdict';
import type { TestService } from '../../support/api/service';
import type { World } from '../../support/api/world';
import { until } from '../../support/until';

const MINUTE_MS = 60_000;

describeOperation(
  'createPlaygroundKey',
  () => ({ body: {} }),
  (status) => {
    status(401, 'makes none where the session ends while it waits', async (world) => {
      const session = await BrowserSession.start(world);
      const databases = world.service.app.get(AccountDatabases);
      const schema = databases.numberOf(world.owner.id);
      const lock = new Client(databases.urlOf(schema, world.service.databaseUrl));
      await lock.connect();
      await lock.query('BEGIN');
      await lock.query('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [world.owner.id]);
      const asked = session.call('createPlaygroundKey', { body: {} });
      await until('it waits for the account', async () => {
        const waiting: unknown[] = await world.service.database.query(WAITING);
        return waiting.length > 0;
      });
      await lock.query('DELETE FROM console_sessions WHERE id = $1', [session.id]);
      await lock.query('COMMIT');
      await lock.end();
      expect((await asked).status).toBe(401);
      expect((await callAs('listKeys', world, {})).body).toHaveLength(1);
    });
    status(400, 'refuses more than 10 USD, more than an hour, and nothing', async (world) => {
      for (const body of [{ cap_usd: 10.01 }, { cap_usd: 0 }, { expires_in_minutes: 61 }]) {
        expect((await callAs('createPlaygroundKey', world, { body })).status).toBe(400);
      }
    });
    status(422, 'refuses a cap of less than a nano-dollar', async (world) => {
      const answer = await callAs('createPlaygroundKey', world, { body: { cap_usd: 1e-10 } });
      expect(answer.status).toBe(422);
    });
    status(
      200,
      'ends for a sixth the one unused for longest, and removes those that have ended',
      async (world) => {
        const made: string[] = [];
        const create = async () => {
          const { body } = await callAs('createPlaygroundKey', world, { body: { expires_in_minutes: 5 } });
          made.push(body.key_value);
          world.service.clock.advance(1_000);
        };
        for (let count = 0; count < 5; count += 1) {
          await create();
        }
        await world.service.database.query(
          `UPDATE access_keys SET last_used_at = $1 WHERE id IN (
           SELECT id FROM access_keys WHERE account_id = $2 AND is_playground ORDER BY created_at LIMIT 1)`,
          [world.service.clock.now(), world.owner.id],
        );
        await create();
        const verdicts = await Promise.all(made.map((secret) => keyVerdict(world, secret)));
        expect(verdicts.map((verdict) => verdict === 'accepted')).toEqual([
          true,
          false,
          true,
          true,
          true,
          true,
        ]);
        world.service.clock.advance(5 * MINUTE_MS);
        await create();
        // That of the test's own account is no key of the playground, and stays.
        expect((await callAs('listKeys', world, {})).body).toHaveLength(2);
      },
    );
    status(
      200,
      'lets no more than five work, however many are asked for at once on two replicas',
      async (world) => {
        const replica = await world.service.startReplica();
        try {
          const ask = (service: TestService) =>
            service.call('createPlaygroundKey', { credential: world.owner.token, ip: world.ip, body: {} });
          const answers = await Promise.all(
            [world.service, replica].flatMap((service) => Array.from({ length: 6 }, () => ask(service))),
          );
          const verdicts = await Promise.all(
            answers.map(({ body }) => keyVerdict(world, body.key_value, replica)),
          );
          expect(verdicts.filter((verdict) => verdict === 'accepted')).toHaveLength(5);
          expect((await callAs('listKeys', world, {})).body).toHaveLength(6);
        } finally {
          await replica.stop();
        }
      },
    );
    status(
      409,
      'gives the keys of a day no more than 50 USD together, whoever removes them and wherever',
      async (world) => {
        const replica = await world.service.startReplica();
        try {
          const ask = (service: TestService, capUsd = 10) =>
            service.call('createPlaygroundKey', {
              credential: world.owner.token,
              ip: world.ip,
              body: { cap_usd: capUsd },
            });
          for (let made = 0; made < 4; made += 1) {
            const { body } = await ask(made % 2 === 0 ? world.service : replica);
            expect((await callAs('deleteKey', world, { params: { key_id: body.id } })).status).toBe(204);
          }
          const answers = await Promise.all(
            [world.service, replica, world.service].map((service) => ask(service)),
          );
          expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409]);
          expect((await ask(replica, 0.01)).status).toBe(409);
          expect((await callAs('listKeys', world, {})).body).toHaveLength(2);
          const ofStranger = await callAs('createPlaygroundKey', world, { body: {} }, world.stranger);
          expect(ofStranger.status).toBe(200);
          // Before the token ends.
          world.service.clock.advance(23 * 60 * MINUTE_MS);
          expect((await ask(replica)).status).toBe(200);
        } finally {
          await replica.stop();
        }
      },
    );
    status(200, 'removes what has ended once, whoever asks for another at that moment', async (world) => {
      const create = () => callAs('createPlaygroundKey', world, { body: { expires_in_minutes: 5 } });
      for (let made = 0; made < 4; made += 1) {
        expect((await create()).status).toBe(200);
      }
      world.service.clock.advance(5 * MINUTE_MS);
      const answers = await Promise.all(Array.from({ length: 4 }, create));
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
      expect((await callAs('listKeys', world, {})).body).toHaveLength(5);
    });
    status(200, 'ends it at midnight: no cap is spent in two months', async (world) => {
      world.service.clock.set('2026-01-31T23:30:00.000Z');
      const session = await BrowserSession.start(world);
      const { body } = await session.call('createPlaygroundKey', { body: { expires_in_minutes: 60 } });
      expect(body.expires_at).toBe('2026-02-01T00:00:00.000Z');
      world.service.clock.advance(30 * MINUTE_MS - 1);
      expect(await keyVerdict(world, body.key_value)).toBe('accepted');
      world.service.clock.advance(1);
      expect(await keyVerdict(world, body.key_value)).toBe('API key expired');
    });
    status(
      200,
      'ends it with any session of the account and with all its tokens, on every replica',
      async (world) => {
        const replica = await world.service.startReplica();
        try {
          for (const [name, end] of Object.entries(ENDS)) {
            const session = await BrowserSession.start(world);
            const { body } = await session.call('createPlaygroundKey', { body: {} });
            expect(await keyVerdict(world, body.key_value, replica)).toBe('accepted');
            // The rates of a session are of a second.
            world.service.clock.advance(1_000);
            expect([200, 204]).toContain(await end(world, session));
            const verdicts = [
              await keyVerdict(world, body.key_value, replica),
              await keyVerdict(world, body.key_value),
            ];
            expect([name, ...verdicts]).toEqual([name, 'Invalid API key', 'Invalid API key']);
            expect(await keyVerdict(world, world.owner.key, replica)).toBe('accepted');
          }
        } finally {
          await replica.stop();
        }
      },
    );
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
      await world.setRates(world.owner, { requests_per_minute: 3 });
      const read = async (credential: string) =>
        (await world.service.call('listTasks', { ip: world.ip, credential })).status;
      const reads = Array.from({ length: 4 }, () => read(world.owner.key));
      expect((await Promise.all(reads)).sort()).toEqual([200, 200, 200, 429]);
      expect(await read(made.key_value)).toBe(200);
      // Paid calls count with those of programs, also in the class of a free one and with the prices of their parts.
      const asked = { ip: world.ip, credential: made.key_value };
      const items = [{ operation: 'analyze' as const, body: { inputs: [{ type: 'text', text: 'Hi' }] } }];
      expect([
        (await world.service.call('getMemoryStats', asked)).status,
        (await world.service.call('runOmmBatch', { ...asked, body: { items } })).status,
      ]).toEqual([429, 429]);
    });
  },
);

/** Who waits for the row of an account. */
const WAITING = `
  SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'SELECT FROM accounts%'`;

const ENDS: Record<string, (world: World, session: BrowserSession) => Promise<number>> = {
  endSession: async (_, session) => (await session.call('endSession')).status,
  revokeSession: async (world) => {
    const other = await BrowserSession.start(world);
    return (await other.call('revokeSession', { params: { session_id: other.id } })).status;
  },
  logoutEverywhere: async (_, session) => (await session.call('logoutEverywhere')).status,
  changePassword: async (world, session) => {
    const current = world.owner.password;
    world.owner.password = `${current} anew`;
    const body = { current_password: current, new_password: world.owner.password };
    return (await session.call('changePassword', { body })).status;
  },
  logoutUser: async (world) => {
    const params = { user_id: world.owner.id };
    return (await callAs('logoutUser', world, { params, body: {} })).status;
  },
};
