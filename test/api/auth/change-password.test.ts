import { Accounts } from '../../../src/accounts/accounts';
import { AccountTokens } from '../../../src/accounts/credentials';
import { hashPassword, verifyPassword } from '../../../src/accounts/password-jobs';
import { callAs } from '../../support/api/call-as';
import { keyVerdict, tokenVerdict } from '../../support/api/credential-verdict';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';

const NEXT = 'seven silver trains at dawn';

describeOperation(
  'changePassword',
  async (world, variant) => {
    const credential = await withOriginalPassword(world);
    return {
      credential,
      body: { current_password: world.owner.password, new_password: `${NEXT} ${variant}` },
    };
  },
  (status) => {
    status(
      400,
      'refuses a new password of 7 characters and one of 129, and changes nothing',
      async (world) => {
        const { owner } = world;
        for (const password of ['1234567', 'x'.repeat(129), 'twelve\0letters', null, undefined]) {
          const answer = await change(world, owner.password, password);
          expect([answer.status, answer.body.details.map(({ field }) => field)]).toEqual([
            400,
            ['new_password'],
          ]);
        }
        await expectUnchanged(world);
      },
    );
    status(400, 'refuses a body without the current password', async (world) => {
      expect((await callAs('changePassword', world, { body: { new_password: NEXT } })).status).toBe(400);
      await expectUnchanged(world);
    });

    status(401, 'refuses a wrong current password, and changes nothing', async (world) => {
      const answer = await change(world, 'not the password', NEXT);
      expect([answer.status, answer.body.error, answer.body.message]).toEqual([
        401,
        'Invalid credentials',
        'The current password is wrong.',
      ]);
      await expectUnchanged(world);
    });
    status(
      401,
      'lets one of ten changes win when they race, and its password is the one that counts',
      async (world) => {
        const passwords = Array.from({ length: 10 }, (_, index) => `${NEXT} ${index}`);
        const answers = await Promise.all(
          passwords.map((password) => change(world, world.owner.password, password)),
        );
        const winners = passwords.filter((_, index) => answers[index]?.status === 200);
        expect(winners).toHaveLength(1);
        // Those that are judged after the change have guessed wrongly, and more than three of these have to wait.
        expect(answers.filter(({ status: code }) => ![200, 401, 429].includes(code))).toEqual([]);
        expect(await logIn(world, winners[0] ?? '')).toBe(200);
      },
    );

    status(422, 'refuses the current password as the new one, and changes nothing', async (world) => {
      const { password } = world.owner;
      const answer = await change(world, password, password);
      expect([answer.status, answer.body.error]).toEqual([422, 'Unprocessable']);
      await expectUnchanged(world);
    });

    status(
      429,
      'does not serve to guess the current password: each guess has to wait longer, but not the login',
      async (world) => {
        for (let failures = 0; failures < 3; failures += 1) {
          expect((await change(world, `guess ${failures}`, NEXT)).status).toBe(401);
        }
        expect((await change(world, world.owner.password, NEXT)).status).toBe(429);
        expect(await logIn(world, world.owner.password)).toBe(200);
        world.service.clock.advance(1_000);
        expect((await change(world, 'guess 3', NEXT)).status).toBe(401);
        expect((await change(world, world.owner.password, NEXT)).body.retry_after).toBe(2);
        world.service.clock.advance(2_000);
        await expectUnchanged(world);
      },
    );

    status(200, 'puts the new password in force and the old one out of it', async (world) => {
      const answer = await change(world, world.owner.password, NEXT);
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain(NEXT);
      expect([await logIn(world, world.owner.password), await logIn(world, NEXT)]).toEqual([401, 200]);
    });
    status(
      200,
      'ends every token of the account at once, on every replica, and no token of another',
      async (world) => {
        const { owner, service } = world;
        const replica = await service.startReplica();
        try {
          const elsewhere = await callAs('login', world, {
            body: { email: owner.email, password: owner.password },
          });
          const tokens = [owner.token, elsewhere.body.token];
          expect(await tokenVerdict(world, owner.token, replica)).toBe('accepted');
          expect((await change(world, owner.password, NEXT)).status).toBe(200);
          for (const token of tokens) {
            expect(await tokenVerdict(world, token)).toBe('Invalid token');
            expect(await tokenVerdict(world, token, replica)).toBe('Invalid token');
          }
          expect(await tokenVerdict(world, world.stranger.token)).toBe('accepted');
        } finally {
          await replica.stop();
        }
      },
    );
    status(200, 'leaves access keys and the balance alone', async (world) => {
      const before = await world.balanceNanoUsd();
      expect((await change(world, world.owner.password, NEXT)).status).toBe(200);
      expect(await keyVerdict(world, world.owner.key)).toBe('accepted');
      expect(await world.balanceNanoUsd()).toBe(before);
    });
  },
);

async function change(world: World, current: unknown, next: unknown) {
  return callAs('changePassword', world, { body: { current_password: current, new_password: next } });
}

async function logIn(world: World, password: string): Promise<number> {
  return (await callAs('login', world, { body: { email: world.owner.email, password } })).status;
}

async function expectUnchanged(world: World): Promise<void> {
  expect(await tokenVerdict(world, world.owner.token)).toBe('accepted');
  expect([await logIn(world, NEXT), await logIn(world, world.owner.password)]).toEqual([401, 200]);
}

/** Takes back what an earlier variant changed, and returns a token that is in force. */
async function withOriginalPassword({ service, owner }: World): Promise<string> {
  const { app, database } = service;
  const accounts = app.get(Accounts);
  const { passwordHash } = await accounts.get(owner.id);
  if (!verifyPassword({ hash: passwordHash, password: owner.password })) {
    const hash = hashPassword(owner.password);
    await database.query('UPDATE accounts SET password_hash = $2 WHERE id = $1', [owner.id, hash]);
  }
  return app.get(AccountTokens).issue(await accounts.get(owner.id)).token;
}
