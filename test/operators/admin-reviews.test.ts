import { PassThrough } from 'node:stream';
import { run } from '../../scripts/admin/main';
import { TOO_MANY_TRANSFERS } from '../../src/modules/billing/reducer';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { look, paymentInReview, REPLACED, transferOf } from '../support/payments/chain-looks';
import { openPayment } from '../support/payments/open-payment';
import { runAdminCommand, type CommandRun } from '../support/processes/admin-command';
import { CompiledService } from '../support/processes/compiled-service';
import { lossyProxy } from '../support/processes/lossy-proxy';

const HOUR_MS = 3_600_000;
const ADMIN = { email: 'operator@example.com', password: 'a long and lovely password' };
const NOTE = ['--note', 'Double spend.'];

describe('the command of operators, for reviews of payments', () => {
  let service: TestService;
  let server: CompiledService;
  let world: World;
  let token: string;

  async function admin(...args: string[]): Promise<CommandRun> {
    return runAdminCommand(args, { ADMIN_URL: server.url, ADMIN_TOKEN: token });
  }

  /** Runs it in this process, with somebody at its keyboard who says yes once the question and what is meant to come first are there. */
  async function confirmed(args: string[], meanwhile: () => Promise<unknown>): Promise<CommandRun> {
    const terminal = {
      input: Object.assign(new PassThrough(), { isTTY: true }),
      output: new PassThrough(),
      errors: new PassThrough(),
    };
    const printed = { output: '', errors: '' };
    terminal.output.on('data', (chunk: Buffer) => (printed.output += chunk.toString()));
    const isAsked = new Promise<void>((resolve) => {
      terminal.errors.on('data', (chunk: Buffer) => {
        printed.errors += chunk.toString();
        if (printed.errors.includes('[y/N]')) {
          resolve();
        }
      });
    });
    const ended = run(terminal, [...args, '--url', server.url, '--token', token]);
    await isAsked;
    await meanwhile();
    terminal.input.write('y\n');
    return { exitCode: await ended, ...printed };
  }

  async function versionOf(id: string): Promise<string> {
    const { output } = await admin('payments', 'show', id);
    return /\nversion +(\S+)\n/.exec(output)?.[1] ?? '';
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
  afterEach(async () => {
    expect(await ledgerFaults(service.database)).toEqual([]);
  });

  it('asks before any decision, and takes one of two', async () => {
    const { id } = await paymentInReview(world);
    const list = await admin('payments', 'list', '--review', '--user', world.owner.email);
    expect(list.output).toMatch(new RegExp(`\n${id} .* A credited transfer is no longer on the chain\\.\n`));
    const version = await versionOf(id);
    for (const decision of [
      ['dismiss', id],
      ['debit', id, '50'],
      ['credit', id, '50'],
    ]) {
      const refused = await admin('payments', ...decision, ...NOTE);
      expect([refused.exitCode, refused.output]).toEqual([5, '']);
      expect(refused.errors).toContain(
        `50 USD credited? A credited transfer is no longer on the chain. Its version is ${version}. Nobody can be asked here`,
      );
      const unseen = await admin('payments', ...decision, ...NOTE, '--yes');
      expect([unseen.exitCode, unseen.output]).toEqual([2, '']);
      expect(unseen.errors).toContain('--yes needs the --expected-version');
    }
    expect(await world.balanceNanoUsd()).toBe(60_000_000_000n);
    const decide = ['--yes', '--expected-version', version];
    const runs = await Promise.all(
      ['50', '49'].map((usd) => admin('payments', 'debit', id, usd, ...NOTE, ...decide)),
    );
    expect(runs.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1]);
    expect(runs.find(({ exitCode }) => exitCode === 1)?.errors).toContain('409 Conflict');
    expect([10_000_000_000n, 11_000_000_000n]).toContain(await world.balanceNanoUsd());
  });

  it('credits nothing by hand that was credited by itself since the payment was shown', async () => {
    const payment = await openPayment(world);
    service.clock.advance(HOUR_MS);
    const late = transferOf(payment.expectedBase);
    await look(world, payment, [late], { presentRateNanoUsd: null });
    service.clock.advance(7 * HOUR_MS);
    await look(world, payment, [late], { presentRateNanoUsd: null });
    const version = await versionOf(payment.id);
    await look(world, payment, [late]);
    const { exitCode, errors } = await admin(
      ...['payments', 'credit', payment.id, '120', ...NOTE, '--yes', '--expected-version', version],
    );
    expect([exitCode, errors]).toEqual([1, expect.stringContaining('409 Conflict: The payment has changed')]);
    expect(await world.balanceNanoUsd()).toBe(60_000_000_000n);
    const seen = await admin('payments', 'credit', payment.id, '120', ...NOTE);
    expect(seen.errors).toContain('50 USD in BTC, 50 USD credited?');
  });

  it('dismisses no loss that was found while the operator was asked', async () => {
    const payment = await openPayment(world);
    const transfer = transferOf(payment.expectedBase);
    await look(world, payment, [transfer], { review: TOO_MANY_TRANSFERS });
    const args = ['payments', 'dismiss', payment.id, ...NOTE];
    const refused = await confirmed(args, () =>
      look(world, payment, [{ ...transfer, ...REPLACED }], { review: TOO_MANY_TRANSFERS }),
    );
    expect([refused.exitCode, refused.output]).toEqual([1, '']);
    expect(refused.errors).toContain(`50 USD credited? ${TOO_MANY_TRANSFERS} Its version is`);
    expect(refused.errors).toContain('409 Conflict: The payment has changed');
    const { output } = await admin('payments', 'show', payment.id);
    expect(output).toMatch(/needs review +yes\nreason .* A credited transfer is no longer on the chain\.\n/);
    const done = await confirmed(args, () => Promise.resolve());
    expect([done.exitCode, done.output]).toEqual([0, expect.stringMatching(/needs review +no\n/)]);
  });

  it('changes the balance once when the answer gets lost on the way', async () => {
    const { id } = await paymentInReview(world);
    const lossy = await lossyProxy(server.url, `/api/admin/payments/${id}/resolve`);
    const version = await versionOf(id);
    const args = ['payments', 'debit', id, '50', ...NOTE, '--yes', '--expected-version', version];
    const { exitCode, errors, output } = await admin(...args, '--url', lossy.url);
    lossy.server.close();
    expect([exitCode, lossy.lost()]).toEqual([0, 1]);
    expect(errors).toContain('no answer, trying again');
    expect(output).toMatch(/needs review +no\n/);
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    const repeated = /(--idempotency-key) (\S+) (--expected-version) (\S+)\n/.exec(errors)?.slice(1) ?? [];
    const again = await admin('payments', 'debit', id, '50', ...NOTE, '--yes', ...repeated);
    expect([again.exitCode, again.output]).toEqual([0, output]);
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
  });
});
