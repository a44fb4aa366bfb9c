import { Accounts } from '../../../src/accounts/accounts';
import { PasswordResets } from '../../../src/accounts/password-resets';
import { BrowserSession } from '../../support/api/browser-session';
import { callAs } from '../../support/api/call-as';
import { keyVerdict, tokenVerdict } from '../../support/api/credential-verdict';
import { describeOperation } from '../../support/api/describe-operation';
import type { TestAccount, World } from '../../support/api/world';

const DAY_MS = 24 * 3_600_000;
const PASSWORD = 'seven silver trains at dawn';

describeOperation(
  'resetPassword',
  async (world) => ({ body: { token: await linkTo(world), new_password: PASSWORD } }),
  (status) => {
    status(400, 'refuses a short password, and leaves the link as it is', async (world) => {
      const token = await linkTo(world);
      expect((await reset(world, token, 'short')).status).toBe(400);
      expect((await reset(world, token)).status).toBe(200);
    });
    status(422, 'refuses what is no link: text, an account token, a link with another end', async (world) => {
      const token = await linkTo(world);
      for (const shown of ['nonsense', world.owner.token, `${token.slice(0, -3)}abc`]) {
        expect((await reset(world, shown)).status).toBe(422);
      }
      expect(await tokenVerdict(world, token)).toBe('Invalid token');
    });
    status(422, 'works once: of two at the same time one, and none afterwards', async (world) => {
      const token = await linkTo(world);
      const codes = (await Promise.all([reset(world, token), reset(world, token)])).map((a) => a.status);
      expect(codes.sort()).toEqual([200, 422]);
      expect((await reset(world, token)).status).toBe(422);
    });
    status(422, 'ends after 24 hours, with another link, and with logging out everywhere', async (world) => {
      const old = await linkTo(world);
      world.service.clock.advance(DAY_MS);
      expect((await reset(world, old)).status).toBe(422);
      const [first, second] = [await linkTo(world), await linkTo(world)];
      expect((await reset(world, second)).status).toBe(200);
      expect((await reset(world, first)).status).toBe(422);
      const third = await linkTo(world);
      await world.service.app.get(Accounts).update(world.owner.id, () => ({ endsTokens: true }));
      expect((await reset(world, third)).status).toBe(422);
    });
    status(200, 'sets the password of that account alone and ends its tokens and sessions', async (world) => {
      const session = await BrowserSession.start(world);
      const stranger = await BrowserSession.start(world, world.stranger);
      expect((await reset(world, await linkTo(world))).status).toBe(200);
      expect([await session.verdict(), await stranger.verdict()]).toEqual(['Invalid token', 200]);
      expect(await tokenVerdict(world, world.owner.token)).toBe('Invalid token');
      expect(await keyVerdict(world, world.owner.key)).toBe('accepted');
      const { email, password } = world.owner;
      expect((await callAs('login', world, { body: { email, password } })).status).toBe(401);
      expect((await callAs('login', world, { body: { email, password: PASSWORD } })).status).toBe(200);
    });
  },
);

async function linkTo({ service, owner }: World, account: TestAccount = owner): Promise<string> {
  const resets = service.app.get(PasswordResets);
  const { path } = resets.give(await service.app.get(Accounts).get(account.id));
  return path.split('#token=')[1] ?? '';
}

async function reset(world: World, token: string, password = PASSWORD) {
  return callAs('resetPassword', world, { body: { token, new_password: password } });
}
