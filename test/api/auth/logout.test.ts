import { AccountTokens } from '../../../src/accounts/credentials';
import { Accounts } from '../../../src/accounts/accounts';
import { Sweeper } from '../../../src/ledger/ledger.module';
import { callAs } from '../../support/api/call-as';
import { keyVerdict, tokenVerdict } from '../../support/api/credential-verdict';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';

const DAY_MS = 24 * 3_600_000;
const BODIES = {
  'application/json': '{"token":',
  'text/plain': 'bye',
  'application/x-www-form-urlencoded': '',
};

describeOperation(
  'logout',
  async (world) => ({ credential: await newToken(world) }),
  (status) => {
    status(401, 'refuses a second logout with the same token', async (world) => {
      expect((await callAs('logout', world, {})).status).toBe(204);
      const again = await callAs('logout', world, {});
      expect([again.status, again.body.error]).toEqual([401, 'Invalid token']);
    });

    status(204, 'ends the token at once, here and on every replica', async (world) => {
      const replica = await world.service.startReplica();
      try {
        const { token } = world.owner;
        expect(await tokenVerdict(world, token, replica)).toBe('accepted');
        const answer = await callAs('logout', world, {});
        expect([answer.status, answer.text]).toEqual([204, '']);
        expect(await tokenVerdict(world, token)).toBe('Invalid token');
        expect(await tokenVerdict(world, token, replica)).toBe('Invalid token');
        expect((await replica.call('refreshToken', { credential: token, ip: world.ip })).status).toBe(401);
      } finally {
        await replica.stop();
      }
    });
    status(204, 'takes no body, so that none can be wrong', async (world) => {
      for (const [type, body] of Object.entries(BODIES)) {
        const headers = { 'content-type': type };
        const answer = await callAs('logout', world, { credential: await newToken(world), headers, body });
        expect([type, answer.status]).toEqual([type, 204]);
      }
    });
    status(204, 'leaves other tokens, keys and accounts alone', async (world) => {
      const other = await newToken(world);
      expect((await callAs('logout', world, {})).status).toBe(204);
      expect(await tokenVerdict(world, other)).toBe('accepted');
      expect(await tokenVerdict(world, world.stranger.token)).toBe('accepted');
      expect(await keyVerdict(world, world.owner.key)).toBe('accepted');
    });
    status(
      204,
      'is remembered for an hour longer than the token could have lived, and no longer',
      async (world) => {
        const { app, clock } = world.service;
        expect((await callAs('logout', world, {})).status).toBe(204);
        clock.advance(DAY_MS - 1);
        await app.get(Sweeper, { strict: false }).sweep();
        expect(await tokenVerdict(world, world.owner.token)).toBe('Invalid token');
        expect(await remembered(world)).toBeGreaterThan(0);
        clock.advance(1);
        await app.get(Sweeper, { strict: false }).sweep();
        expect(await tokenVerdict(world, world.owner.token)).toBe('Token expired');
        // A replica whose clock is behind may still be shown the token.
        expect(await remembered(world)).toBeGreaterThan(0);
        world.service.clock.advance(3_600_000);
        await app.get(Sweeper, { strict: false }).sweep();
        expect(await remembered(world)).toBe(0);
      },
    );
  },
);

async function newToken({ service, owner }: World): Promise<string> {
  const account = await service.app.get(Accounts).get(owner.id);
  return service.app.get(AccountTokens).issue(account).token;
}

async function remembered({ service }: World): Promise<number> {
  const rows: unknown[] = await service.database.query('SELECT FROM ended_tokens');
  return rows.length;
}
