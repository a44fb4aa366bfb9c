import { BrowserSession } from '../../support/api/browser-session';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';

const TEN_MINUTES_MS = 600_000;

describeOperation(
  'provePassword',
  ({ owner }) => ({ body: { password: owner.password } }),
  (status) => {
    status(401, 'refuses a wrong password, which opens nothing', async (world) => {
      const session = await BrowserSession.start(world);
      world.service.clock.advance(TEN_MINUTES_MS);
      const wrong = await session.call('provePassword', { body: { password: 'wrong' } });
      expect([wrong.status, wrong.body.error]).toEqual([401, 'Invalid credentials']);
      const answer = await session.call('createKey', { body: { name: 'k' } });
      expect([answer.status, answer.body.error]).toEqual([403, 'Password needed']);
    });
    status(429, 'holds back who goes on guessing, in whichever session', async (world) => {
      const guesses = [];
      for (let guess = 0; guess < 4; guess += 1) {
        const session = await BrowserSession.start(world);
        guesses.push((await session.call('provePassword', { body: { password: 'wrong' } })).status);
      }
      expect(guesses).toEqual([401, 401, 401, 429]);
    });
    status(200, 'opens what asks for it again, for ten minutes, for this session alone', async (world) => {
      const [session, other] = [
        await BrowserSession.start(world, world.admin),
        await BrowserSession.start(world, world.admin),
      ];
      const give = (by: BrowserSession) =>
        by.call('addCredits', { body: { user_id: world.owner.id, amount_usd: 1, reason: 'Gift' } });
      expect((await give(session)).status).toBe(201);
      world.service.clock.advance(TEN_MINUTES_MS);
      const before = await world.balanceNanoUsd();
      expect((await give(session)).body.error).toBe('Password needed');
      const proven = await session.call('provePassword', { body: { password: world.admin.password } });
      const until = new Date(world.service.clock.now().getTime() + TEN_MINUTES_MS).toISOString();
      expect([proven.status, proven.body.password_valid_until]).toEqual([200, until]);
      expect((await give(other)).body.error).toBe('Password needed');
      expect(await world.balanceNanoUsd()).toBe(before);
      expect((await give(session)).status).toBe(201);
      // Whoever holds a token in a header is asked for no password.
      expect((await callAs('createKey', world, { body: { name: 'k' } })).status).toBe(201);
    });
  },
);
