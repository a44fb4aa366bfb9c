import { Ledger } from '../../../src/ledger/ledger';
import { newId } from '../../../src/runtime/ids';
import { callAs } from '../../support/api/call-as';
import { ledgerFaults } from '../../support/ledger/ledger-faults';
import { tokenVerdict } from '../../support/api/credential-verdict';
import { describeOperation } from '../../support/api/describe-operation';
import { TestService } from '../../support/api/service';
import type { World } from '../../support/api/world';

const PASSWORD = 'seven silver trains at dawn';

describeOperation(
  'register',
  () => ({ body: newcomer() }),
  (status) => {
    status(400, 'refuses a password of 7 characters and one of 129, and creates nothing', async (world) => {
      const before = await accounts(world);
      for (const password of ['1234567', '😀'.repeat(7), 'x'.repeat(129), 12345678, null]) {
        const answer = await callAs('register', world, { body: { ...newcomer(), password } });
        expect([answer.status, answer.body.details.map(({ field }) => field)]).toEqual([400, ['password']]);
      }
      const short = await callAs('register', world, { body: { ...newcomer(), password: '1234567' } });
      expect(short.body.message).toMatch(/at least 8 characters long; 12 or more are recommended$/);
      expect(await accounts(world)).toBe(before);
    });
    status(400, 'refuses what is no e-mail address and what is no username', async (world) => {
      const emails = ['ada', 'ada@', '@example.com', 'a b@example.com', `${'a'.repeat(250)}@example.com`, ''];
      const usernames = [
        'ab',
        'a'.repeat(33),
        'ada lovelace',
        'ada\n',
        "ada'; --",
        '\u0301ada',
        'ada\u{1f600}',
        '',
      ];
      for (const email of emails) {
        const answer = await callAs('register', world, { body: { ...newcomer(), email } });
        expect([email, answer.status]).toEqual([email, 400]);
      }
      for (const username of usernames) {
        const answer = await callAs('register', world, { body: { ...newcomer(), username } });
        expect([username, answer.status]).toEqual([username, 400]);
      }
    });
    status(400, 'refuses an address whose normal form is none, and creates nothing', async (world) => {
      const before = await accounts(world);
      const { email } = newcomer();
      for (const start of ['ada＠', 'ada；', 'ﷺ', `ａ${'\uFDFA'.repeat(5)}`]) {
        const answer = await callAs('register', world, { body: { ...newcomer(), email: start + email } });
        expect([start, answer.status]).toEqual([start, 400]);
        expect(answer.body.details.map(({ field }) => field)).toEqual(['email']);
      }
      expect(await accounts(world)).toBe(before);
    });
    status(
      400,
      'refuses what looks like another address or name: unseen characters, mixed scripts',
      async (world) => {
        const before = await accounts(world);
        const [email, username] = [newcomer().email, newId().slice(-12)];
        const looks = [
          '\u0430dmin',
          'adm\u200Bin',
          'admin\u00AD',
          '\u202Eadmin',
          '\u3164admin',
          '\u13AAdmin',
        ];
        const texts = [
          ...looks.map((look) => ({ email: look + email })),
          { email: `${username}@adm\u0456n.example.com` },
          ...looks.map((look) => ({ username: `${look}_${username}` })),
        ];
        for (const text of texts) {
          const answer = await callAs('register', world, { body: { ...newcomer(), ...text } });
          expect([text, answer.status]).toEqual([text, 400]);
          expect(answer.body.details.map(({ field }) => field)).toEqual(Object.keys(text));
        }
        expect(await accounts(world)).toBe(before);
      },
    );
    status(400, 'lets nobody choose a role, a tier or an id', async (world) => {
      for (const wish of [
        { role: 'admin' },
        { tier: 'enterprise' },
        { id: newId() },
        { is_email_verified: true },
      ]) {
        const answer = await callAs('register', world, { body: { ...newcomer(), ...wish } });
        expect([wish, answer.status]).toEqual([wish, 400]);
      }
    });
    status(400, 'refuses an incomplete body, none at all and text that cannot be stored', async (world) => {
      const { email, username, password } = newcomer();
      const bodies = [{ email, username }, { email, password }, { username, password }, undefined, []];
      for (const body of [...bodies, { email, username, password: 'twelve\0letters' }]) {
        expect((await callAs('register', world, { body })).status).toBe(400);
      }
    });

    status(
      409,
      'refuses an e-mail address that is taken in other letters, and creates nothing',
      async (world) => {
        const first = newcomer();
        expect((await callAs('register', world, { body: first })).status).toBe(201);
        const before = await accounts(world);
        const answer = await callAs('register', world, {
          body: { ...newcomer(), email: first.email.toUpperCase() },
        });
        expect([answer.status, answer.body.error]).toEqual([409, 'Conflict']);
        expect(answer.body.message).toContain('e-mail');
        expect(await accounts(world)).toBe(before);
      },
    );
    status(409, 'refuses a username that is taken in other letters, and creates nothing', async (world) => {
      const first = newcomer();
      expect((await callAs('register', world, { body: first })).status).toBe(201);
      const before = await accounts(world);
      const answer = await callAs('register', world, {
        body: { ...newcomer(), username: first.username.toUpperCase() },
      });
      expect([answer.status, answer.body.error]).toEqual([409, 'Conflict']);
      expect(answer.body.message).toContain('username');
      expect(await accounts(world)).toBe(before);
    });
    status(
      409,
      'refuses a username that is taken in another form of Unicode or other letters',
      async (world) => {
        const tail = newId().slice(-8);
        const register = async (username: string) =>
          callAs('register', world, { body: { ...newcomer(), username: `${username}${tail}` } });
        const first = await register('Zo\u00eb');
        expect([first.status, first.body.username]).toEqual([201, `Zo\u00eb${tail}`]);
        for (const spelling of ['Zoe\u0308', 'ZOË', '\uff3aoë']) {
          expect((await register(spelling)).status).toBe(409);
        }
      },
    );
    status(409, 'knows small and capital letters beyond ASCII', async (world) => {
      const { email } = newcomer();
      expect((await callAs('register', world, { body: { ...newcomer(), email: `é${email}` } })).status).toBe(
        201,
      );
      expect((await callAs('register', world, { body: { ...newcomer(), email: `É${email}` } })).status).toBe(
        409,
      );
    });
    status(409, 'knows an address in every spelling with the same normal form', async (world) => {
      const { email } = newcomer();
      expect(
        (await callAs('register', world, { body: { ...newcomer(), email: `fik${email}` } })).status,
      ).toBe(201);
      for (const spelling of ['FIK', 'ﬁk', 'ｆｉｋ', 'fi\u212A']) {
        const answer = await callAs('register', world, {
          body: { ...newcomer(), email: spelling + email },
        });
        expect([spelling, answer.status, answer.body.error]).toEqual([spelling, 409, 'Conflict']);
      }
    });
    status(409, 'creates one account when ten registrations of one address race', async (world) => {
      const { email } = newcomer();
      const before = await accounts(world);
      const spellings = Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0 ? email : email.toUpperCase(),
      );
      const answers = await Promise.all(
        spellings.map((spelling) => callAs('register', world, { body: { ...newcomer(), email: spelling } })),
      );
      expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
      expect(await accounts(world)).toBe(before + 1);
      expect(await ledgerFaults(world.service.database)).toEqual([]);
    });

    status(201, 'takes letters and digits of any script for a username', async (world) => {
      for (const name of ['Søren', 'Иван', '山田太郎', 'नमस्ते', 'علي٧']) {
        const username = `${name}_${newId().slice(-8)}`;
        const answer = await callAs('register', world, { body: { ...newcomer(), username } });
        expect([answer.status, answer.body.username]).toEqual([201, username.normalize('NFKC')]);
      }
    });
    status(201, 'creates a user without any privilege, who can log in at once', async (world) => {
      const body = newcomer();
      const answer = await callAs('register', world, { body });
      expect(answer.status).toBe(201);
      const { email, username } = body;
      expect(answer.body).toMatchObject({ email, username, role: 'user', is_email_verified: false });
      expect(answer.body.created_at).toBe(world.service.clock.now().toISOString());
      expect(await stored(world, answer.body.id)).toMatchObject({
        role: 'user',
        tier: 'free',
        is_active: true,
      });
      const session = await callAs('login', world, { body: { email, password: PASSWORD } });
      expect(await tokenVerdict(world, session.body.token)).toBe('accepted');
    });
    status(201, 'stores and shows the normal form of the address', async (world) => {
      const { email } = newcomer();
      const body = { ...newcomer(), email: `ＡＤＡ.É.${email.toUpperCase()}` };
      const answer = await callAs('register', world, { body });
      expect([answer.status, answer.body.email]).toEqual([201, `ada.é.${email}`]);
      expect(await stored(world, answer.body.id)).toMatchObject({ email: `ada.é.${email}` });
    });
    status(201, 'takes letters that are only alike for different addresses', async (world) => {
      const { email } = newcomer();
      for (const start of ['i', 'ı', 'İ', 'í']) {
        const answer = await callAs('register', world, { body: { ...newcomer(), email: start + email } });
        expect([start, answer.status]).toEqual([start, 201]);
      }
    });
    status(201, 'keeps the password as an argon2id hash only', async (world) => {
      const answer = await callAs('register', world, { body: newcomer() });
      expect(answer.text).not.toMatch(/password|argon|silver/);
      const account = await stored(world, answer.body.id);
      expect(account.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      expect(JSON.stringify(account)).not.toContain(PASSWORD);
    });
    status(201, 'accepts passwords of 8 and of 128 characters, whatever the characters', async (world) => {
      for (const password of ['12345678', 'x'.repeat(128), '😀'.repeat(8), '        ']) {
        const body = { ...newcomer(), password };
        expect((await callAs('register', world, { body })).status).toBe(201);
        const { email } = body;
        expect((await callAs('login', world, { body: { email, password } })).status).toBe(200);
      }
    });
    status(201, 'credits the welcome credit once, as a bonus', async (world) => {
      const answer = await callAs('register', world, { body: newcomer() });
      expect(await entries(world, answer.body.id)).toEqual([{ type: 'bonus', amount_nano: '2500000000' }]);
      expect((await world.service.app.get(Ledger).balance(answer.body.id)).balanceNanoUsd).toBe(
        2_500_000_000n,
      );
      expect(await ledgerFaults(world.service.database)).toEqual([]);
    });
    status(201, 'credits nothing where no welcome credit is configured', async (world) => {
      const service = await TestService.start();
      try {
        const answer = await service.call('register', { body: newcomer(), ip: world.ip });
        const written: unknown[] = await service.database.query('SELECT FROM ledger_entries');
        expect([answer.status, written.length]).toEqual([201, 0]);
        expect((await service.app.get(Ledger).balance(answer.body.id)).balanceNanoUsd).toBe(0n);
      } finally {
        await service.stop();
      }
    });
  },
  { WELCOME_CREDIT_USD: '2.5' },
);

function newcomer() {
  const username = newId().replaceAll('-', '').slice(-20);
  return { email: `${username}@example.com`, username, password: PASSWORD };
}

async function accounts(world: World): Promise<number> {
  const [row]: { count: string }[] = await world.service.database.query(
    'SELECT count(*) FROM accounts JOIN balances ON account_id = id',
  );
  return Number(row?.count);
}

async function stored(world: World, id: string): Promise<Record<string, unknown>> {
  const [row]: Record<string, unknown>[] = await world.service.database.query(
    'SELECT * FROM accounts WHERE id = $1',
    [id],
  );
  return row ?? {};
}

async function entries(world: World, accountId: string): Promise<unknown[]> {
  return world.service.database.query('SELECT type, amount_nano FROM ledger_entries WHERE account_id = $1', [
    accountId,
  ]);
}
