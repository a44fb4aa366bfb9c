import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callAs } from '../support/api/call-as';
import { keyVerdict, tokenVerdict } from '../support/api/credential-verdict';
import { recordCall } from '../support/api/recorded-call';
import { TestService } from '../support/api/service';
import { storeUpgradeRequest } from '../support/api/store-upgrade-request';
import { storeDelivery, storeWebhook } from '../support/api/store-webhook';
import { switchOff } from '../support/api/switched-off-webhook';
import { World } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { runAdminCommand, startAdminCommand, type CommandRun } from '../support/processes/admin-command';
import { CompiledService } from '../support/processes/compiled-service';
import { lossyProxy } from '../support/processes/lossy-proxy';

const ADMIN = { email: 'operator@example.com', password: 'a long and lovely password' };

describe('the command of operators, on a running service', () => {
  let service: TestService;
  let server: CompiledService;
  let world: World;
  let token: string;
  let printed = '';

  /** Runs it with a token: so many logins from one address would have to wait for their rate. */
  async function admin(...args: string[]): Promise<CommandRun> {
    const run = await runAdminCommand(args, { ADMIN_URL: server.url, ADMIN_TOKEN: token });
    printed += run.output + run.errors;
    return run;
  }

  /** The answer that it prints. */
  async function json(...args: string[]): Promise<Record<string, unknown>> {
    const { exitCode, output, errors } = await admin(...args, '--json');
    expect([exitCode, errors]).toEqual([0, '']);
    return JSON.parse(output) as Record<string, unknown>;
  }

  beforeAll(async () => {
    service = await TestService.start();
    server = await CompiledService.start({
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ROLE: 'api',
    });
    const login = await server.post('/api/auth/login', ADMIN, {});
    ({ token } = (await login.json()) as { token: string });
  });
  afterAll(async () => {
    await server.stop();
    await service.stop();
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(() => {
    expect(printed).not.toMatch(/lovely password|eyJ|whsec_|svc_test_\w{20}/);
  });

  it('says what is wrong with a command, or with who runs it', async () => {
    const run = async (args: string[], environment: Record<string, string> = {}) => {
      const { exitCode, output, errors } = await runAdminCommand(args, {
        ADMIN_URL: server.url,
        ...environment,
      });
      return [exitCode, output, errors.trim().split('\n')[0]];
    };
    const { email, password } = world.owner;
    expect(await run(['users', 'lost'])).toEqual([2, '', "error: unknown command 'lost'"]);
    expect(await run(['users', 'list'], { DATA_DIR: '/nowhere' })).toEqual([
      2,
      '',
      expect.stringContaining('No credentials: /nowhere/admin.json'),
    ]);
    expect(await run(['users', 'list'], { ADMIN_EMAIL: email, ADMIN_PASSWORD: 'not that one' })).toEqual([
      3,
      '',
      expect.stringContaining('401 Invalid credentials'),
    ]);
    expect(await run(['users', 'list'], { ADMIN_EMAIL: email, ADMIN_PASSWORD: password })).toEqual([
      3,
      '',
      expect.stringContaining('403 Access denied'),
    ]);
    expect(await run(['users', 'list'], { ADMIN_TOKEN: 't', ADMIN_URL: 'http://127.0.0.1:1' })).toEqual([
      4,
      '',
      expect.stringContaining('no answer, trying again'),
    ]);
  });

  it('names where refused credentials came from', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'operator-'));
    const file = join(folder, 'admin.json');
    await writeFile(file, JSON.stringify({ ...ADMIN, password: 'of another service' }), { mode: 0o600 });
    const { email, password } = world.owner;
    const refused = async (environment: Record<string, string>) => {
      const run = await runAdminCommand(['users', 'list'], { ADMIN_URL: server.url, ...environment });
      return [run.exitCode, run.errors.trim().split('\n').at(-1)];
    };
    expect(await refused({ DATA_DIR: folder })).toEqual([3, `The credentials were taken from ${file}.`]);
    expect(await refused({ ADMIN_TOKEN: 'none' })).toEqual([
      3,
      'The credentials were taken from ADMIN_TOKEN.',
    ]);
    expect(await refused({ ADMIN_EMAIL: email, ADMIN_PASSWORD: password })).toEqual([
      3,
      'The credentials were taken from ADMIN_EMAIL and ADMIN_PASSWORD.',
    ]);
    await rm(folder, { recursive: true, force: true });
  });

  it('logs in by the file of an embedded service, and leaves no token behind', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'operator-'));
    await writeFile(join(folder, 'admin.json'), JSON.stringify(ADMIN), { mode: 0o600 });
    const before = await endedTokens();
    const environment = { ADMIN_URL: server.url, DATA_DIR: folder };
    const { exitCode, output } = await startAdminCommand(['users', 'show', world.owner.email], environment)
      .ended;
    await rm(folder, { recursive: true, force: true });
    expect([exitCode, output]).toEqual([
      0,
      expect.stringContaining(`id                  ${world.owner.id}\n`),
    ]);
    expect(await endedTokens()).toBe(before + 1);
  });

  it('lists the accounts as a table, as JSON and over all pages', async () => {
    const { owner } = world;
    const { output, errors } = await admin('users', 'list', '--search', owner.email);
    const [titles, row, ...others] = output.trim().split('\n');
    expect(titles).toMatch(/^ID +E-MAIL +ROLE +TIER +ACTIVE +BALANCE USD +CREATED$/);
    expect(row).toMatch(new RegExp(`^${owner.id} +${owner.email} +user +enterprise +yes +10 `));
    expect([others, errors.trim()]).toEqual([[], '1 in all']);
    await storeAccounts(Array.from({ length: 230 }, (_, index) => `many-${index + 1}@example.com`));
    const all = await json('users', 'list', '--search', 'many-', '--all');
    const emails = (all.users as { email: string }[]).map(({ email }) => email);
    expect([all.total, emails[0], emails.at(-1), new Set(emails).size]).toEqual([
      230,
      'many-230@example.com',
      'many-1@example.com',
      230,
    ]);
  });

  it('does what it was asked though nobody reads what it prints any more, as after head', async () => {
    const before = await world.balanceNanoUsd();
    const order = ['users', 'credit', world.owner.id, '5', '--reason', 'Nobody reads on.'];
    const { child, ended } = startAdminCommand(order, { ADMIN_URL: server.url, ADMIN_TOKEN: token });
    child.stdout?.destroy();
    expect(await ended).toEqual({ exitCode: 0, output: '', errors: '' });
    expect(await world.balanceNanoUsd()).toBe(before + 5_000_000_000n);
  });

  it('takes the account that is spelled as it was named, and none where several could be meant', async () => {
    const [older, newer] = await storeAccounts(['Twice@example.com', 'twice@example.com']);
    const idOf = async (named: string) => (await json('users', 'show', named)).id;
    expect(await idOf('Twice@example.com')).toBe(older);
    expect(await idOf('twice@example.com')).toBe(newer);
    const refused = await admin('users', 'credit', 'TWICE@example.com', '5', '--reason', 'For which?');
    expect([refused.exitCode, refused.output]).toEqual([1, '']);
    expect(refused.errors).toBe(
      `TWICE@example.com may be any of these accounts, so name one by its id: ${older} (Twice@example.com), ${newer} (twice@example.com).\n`,
    );
    expect(await idOf(world.owner.email.toUpperCase())).toBe(world.owner.id);
    expect(await idOf(world.owner.email.replace('@', '＠'))).toBe(world.owner.id);
  });

  it('finds an account behind any number of newer ones whose addresses contain its own', async () => {
    const [wanted] = await storeAccounts(['hidden@example.com']);
    await storeAccounts(Array.from({ length: 120 }, (_, index) => `un${index}-hidden@example.com`));
    expect(await json('users', 'show', 'hidden@example.com')).toMatchObject({ id: wanted });
    expect(await json('users', 'show', 'Hidden@example.com')).toMatchObject({ id: wanted });
    const none = await admin('users', 'show', 'idden@example.com');
    expect([none.exitCode, none.errors]).toEqual([
      1,
      'No account has the id, e-mail address or username idden@example.com.\n',
    ]);
  });

  it('disables an account only where that was confirmed', async () => {
    const { owner } = world;
    const refused = await admin('users', 'disable', owner.email);
    expect([refused.exitCode, refused.output]).toEqual([5, '']);
    expect(refused.errors).toContain(`Disable ${owner.email} (${owner.id})?`);
    expect(await keyVerdict(world, owner.key)).toBe('accepted');
    const disabled = await json('users', 'disable', owner.email, '--yes', '--reason', 'Chargebacks.');
    expect(disabled).toMatchObject({ id: owner.id, is_active: false });
    expect(await keyVerdict(world, owner.key)).toBe('Invalid API key');
    expect(await tokenVerdict(world, owner.token)).toBe('Invalid token');
    expect(await json('users', 'enable', owner.id)).toMatchObject({ is_active: true });
    const audit = await admin('audit', '--user', owner.id, '--order', 'asc');
    expect(audit.output).toMatch(/updateUser .* is_active: true → false +Chargebacks\.\n/);
    expect(audit.output).toMatch(/updateUser .* is_active: false → true/);
    expect(audit.errors.trim()).toBe('2 in all');
  });

  it('sets tiers and own limits, and adds credit', async () => {
    const { owner } = world;
    expect(await json('users', 'tier', owner.email, 'pro')).toMatchObject({ tier: 'pro' });
    const refused = await admin('users', 'limits', owner.email, '--per-day', '5');
    expect([refused.exitCode, refused.errors]).toEqual([1, expect.stringContaining('422 Unprocessable')]);
    await json('users', 'tier', owner.email, 'enterprise');
    expect(await json('users', 'limits', owner.email, '--per-day', '5')).toMatchObject({
      rates: { requests_per_day: 5, requests_per_second: null },
    });
    expect(await json('users', 'limits', owner.email, '--none')).toMatchObject({ rate_limits: null });
    const { output } = await admin('users', 'credit', owner.email, '0.000000001', '--reason', 'A test.');
    expect(output).toMatch(/balance USD +10\.000000001\n/);
  });

  it('decides requests for another tier', async () => {
    const id = await storeUpgradeRequest(world);
    const list = await admin('upgrades', 'list', '--status', 'pending', '--user', world.owner.email);
    expect(list.output).toMatch(
      new RegExp(`\n${id} +${world.owner.email} +enterprise +pro +50000 +pending `),
    );
    expect(await json('upgrades', 'approve', id, '--note', 'Welcome.')).toMatchObject({
      user: { tier: 'pro' },
      request: { status: 'approved' },
    });
    const again = await admin('upgrades', 'reject', id, '--note', 'No.');
    expect([again.exitCode, again.errors]).toEqual([1, expect.stringContaining('is approved already')]);
  });

  it('credits once where the answer breaks off', async () => {
    const path = '/api/payments/credits/add';
    const broken = await lossyProxy(server.url, path, (response) => {
      response
        .writeHead(201, { 'content-type': 'application/json', 'content-length': '1000' })
        .write('{"id":');
      setImmediate(() => response.destroy());
    });
    const { exitCode, errors, output } = await credit('--url', broken.url);
    broken.server.close();
    expect([exitCode, broken.lost()]).toEqual([0, 1]);
    expect(errors).toMatch(/^no answer, trying again for 25 s; .* --idempotency-key [\da-f-]{36}\n$/);
    expect(output).toMatch(/balance USD +15\n/);
    expect(await world.balanceNanoUsd()).toBe(15_000_000_000n);
  });

  it('credits once where the replica died before it kept its answer, and its claim is still open', async () => {
    const path = '/api/payments/credits/add';
    const killed = await lossyProxy(server.url, path, async (response) => {
      await service.database.query(
        `UPDATE idempotency_claims SET status = NULL, answer = NULL, lease_until = now() + interval '2 seconds'
         WHERE account_id = (SELECT id FROM accounts WHERE email = $1)`,
        [ADMIN.email],
      );
      response.destroy();
    });
    const { exitCode, errors, output } = await credit('--url', killed.url);
    killed.server.close();
    expect([exitCode, killed.lost(), errors.trim().split('\n').length]).toEqual([0, 1, 1]);
    expect(output).toMatch(/balance USD +15\n/);
    expect(await world.balanceNanoUsd()).toBe(15_000_000_000n);
    expect(await ledgerFaults(service.database)).toEqual([]);
  });

  it('names the key to who breaks it off before there is an answer', async () => {
    let key: unknown;
    const silent = createServer((request) => {
      key = request.headers['idempotency-key'];
      run.child.kill('SIGINT');
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const run = startAdminCommand(['webhooks', 'enable', 'an-id', '--url', url], { ADMIN_TOKEN: 'a token' });
    const { exitCode, errors } = await run.ended;
    silent.close();
    expect([exitCode, errors]).toEqual([
      4,
      expect.stringContaining(`--idempotency-key ${String(key)}: it is`),
    ]);
  });

  it('finds webhooks that were switched off, and what was given up', async () => {
    const webhookId = await switchOff(world, await storeWebhook(world), 'It failed for 5 days.');
    const abandonedAt = service.clock.now();
    const delivery = await storeDelivery(world, { webhookId, stage: 'over', status: 'failed', abandonedAt });
    const { email } = world.owner;
    const list = await admin('webhooks', 'list', '--status', 'switched_off', '--user', email);
    expect(list.output).toMatch(new RegExp(`\n${webhookId} .* It failed for 5 days\\.\n`));
    expect((await admin('webhooks', 'abandoned', '--user', email)).output).toContain(delivery);
    expect((await admin('webhooks', 'health')).output).toMatch(/switched off webhooks +1\n/);
    expect(await json('webhooks', 'enable', webhookId, '--reason', 'Fixed.')).toMatchObject({
      webhook: { is_active: true },
    });
    expect((await admin('webhooks', 'enable', webhookId)).exitCode).toBe(1);
  });

  it('tells the story of a call, and whether the books balance', async () => {
    const requestId = await recordCall(service, world.owner, { charge: '0.000000001' });
    const { output } = await admin('request', requestId, '--user', world.owner.email);
    expect((await admin('request', requestId)).output).toBe(output);
    expect((await admin('request', requestId, '--user', world.stranger.id)).exitCode).toBe(1);
    expect(output).toMatch(/charged USD +0\.000000001\n/);
    expect(output).toMatch(/transactions +\S+ charge -0\.000000001, balance 9\.999999999\n/);
    expect(await json('reconcile')).toMatchObject({ difference_usd: 0, mismatches: [] });
    await shiftBalance(1);
    const broken = await admin('reconcile');
    await shiftBalance(-1);
    expect([broken.exitCode, broken.errors.trim()]).toEqual([1, 'The books do not balance.']);
    expect(broken.output).toContain(world.owner.id);
  });

  it('tells no call of an id that two accounts chose, until one is named', async () => {
    const id = `checkout-${world.owner.keyId}`;
    for (const account of [world.owner, world.stranger]) {
      const request = { body: { key: 'k', value: 'v' }, headers: { 'x-request-id': id } };
      await callAs('createMemory', world, request, account);
    }
    const refused = await admin('request', id);
    expect([refused.exitCode, refused.output, refused.errors]).toEqual([
      1,
      '',
      expect.stringContaining('409 Conflict: Calls of several accounts were given this id'),
    ]);
    expect(await json('request', id, '--user', world.stranger.email)).toMatchObject({
      user: { id: world.stranger.id },
      receipt: { client_request_id: id },
    });
  });

  function credit(...args: string[]): Promise<CommandRun> {
    return admin('users', 'credit', world.owner.id, '5', '--reason', 'An answer got lost.', ...args);
  }

  /** As the table may hold them since earlier builds, each newer than the one before. Returns their ids. */
  async function storeAccounts(emails: string[]): Promise<string[]> {
    const ids = emails.map(() => randomUUID());
    await service.database.query(
      `WITH made AS (
         INSERT INTO accounts (id, email, username, password_hash, created_at)
         SELECT id, email, id, '', now() + n * interval '1 second'
         FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS named (id, email, n) RETURNING id
       ) INSERT INTO balances (account_id) SELECT id FROM made`,
      [ids, emails],
    );
    return ids;
  }

  async function endedTokens(): Promise<number> {
    const [row]: { count: string }[] = await service.database.query('SELECT count(*) FROM ended_tokens');
    return Number(row?.count);
  }

  /** What no code path of the service does. */
  async function shiftBalance(nanoUsd: number): Promise<void> {
    await service.database.query(
      'UPDATE balances SET balance_nano = balance_nano + $2 WHERE account_id = $1',
      [world.owner.id, nanoUsd],
    );
  }
});
