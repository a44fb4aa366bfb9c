import { AccountTokens } from '../../../src/accounts/credentials';
import { Accounts } from '../../../src/accounts/accounts';
import { AuthService } from '../../../src/modules/account/auth';
import { callAs } from '../../support/api/call-as';
import { tokenVerdict } from '../../support/api/credential-verdict';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';

describeOperation(
  'refreshToken',
  async (world) => ({ credential: await newToken(world) }),
  (status) => {
    status(401, 'exchanges a token once: of ten refreshes at once one succeeds', async (world) => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => callAs('refreshToken', world, {})));
      const winners = answers.filter((answer) => answer.status === 200);
      expect(winners).toHaveLength(1);
      expect(
        answers.filter((answer) => answer.status === 401 && answer.body.error === 'Invalid token'),
      ).toHaveLength(9);
      expect(await tokenVerdict(world, winners[0]?.body.token ?? '')).toBe('accepted');
    });
    status(401, 'exchanges a token once, also when two replicas are asked at once', async (world) => {
      const replica = await world.service.startReplica();
      try {
        const credential = world.owner.token;
        const answers = await Promise.all(
          [world.service, replica, world.service, replica].map((service) =>
            service.call('refreshToken', { credential }),
          ),
        );
        expect(answers.map((answer) => answer.status).sort()).toEqual([200, 401, 401, 401]);
      } finally {
        await replica.stop();
      }
    });
    status(401, 'refuses the token of a disabled account', async (world) => {
      await world.service.app.get(Accounts).update(world.owner.id, () => ({ isActive: false }));
      const answer = await callAs('refreshToken', world, {});
      expect([answer.status, answer.body.error]).toEqual([401, 'Invalid token']);
    });

    status(
      200,
      'returns a token for 24 hours from now, and ends the old one on every replica',
      async (world) => {
        const { service, owner } = world;
        const replica = await service.startReplica();
        try {
          expect(await tokenVerdict(world, owner.token, replica)).toBe('accepted');
          service.clock.advance(23 * 3_600_000);
          const answer = await callAs('refreshToken', world, {});
          expect([answer.status, answer.body.user]).toMatchObject([
            200,
            { id: owner.id, email: owner.email },
          ]);
          expect(Date.parse(answer.body.expires_at) - service.clock.now().getTime()).toBe(24 * 3_600_000);
          expect(await tokenVerdict(world, owner.token)).toBe('Invalid token');
          expect(await tokenVerdict(world, owner.token, replica)).toBe('Invalid token');
          service.clock.advance(24 * 3_600_000 - 1);
          expect(await tokenVerdict(world, answer.body.token, replica)).toBe('accepted');
          service.clock.advance(1);
          expect(await tokenVerdict(world, answer.body.token)).toBe('Token expired');
        } finally {
          await replica.stop();
        }
      },
    );
    status(200, 'leaves the other tokens of the account in force', async (world) => {
      const other = await newToken(world);
      expect((await callAs('refreshToken', world, {})).status).toBe(200);
      expect(await tokenVerdict(world, other)).toBe('accepted');
    });
    status(200, 'gives no token that outlives a password change which came between', async (world) => {
      const { app } = world.service;
      const { token } = world.owner;
      const claims = JSON.parse(
        Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
      ) as PresentedToken;
      const { email, password } = world.owner;
      const body = { current_password: password, new_password: 'seven silver trains at dawn' };
      expect((await callAs('changePassword', world, { body })).status).toBe(200);
      const refreshed = await app.get(AuthService, { strict: false }).refresh(world.owner.id, claims);
      expect(refreshed.account.email).toBe(email);
      expect(await tokenVerdict(world, refreshed.token)).toBe('Invalid token');
    });
  },
);

type PresentedToken = Parameters<AuthService['refresh']>[1];

async function newToken({ service, owner }: World): Promise<string> {
  const account = await service.app.get(Accounts).get(owner.id);
  return service.app.get(AccountTokens).issue(account).token;
}
