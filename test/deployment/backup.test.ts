import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { Ledger } from '../../src/ledger/ledger';
import { newId } from '../../src/runtime/ids';
import { TestService } from '../support/api/service';
import { migrateTestDatabase } from '../support/api/test-database';
import { createAccount } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { CompiledService } from '../support/processes/compiled-service';
import { SystemPostgres } from '../support/processes/system-postgres';
import { until } from '../support/until';

const JWT_SECRET = 'a secret for tests that nobody else has: 0123456789';
const MEMORY = { key: 'k', value: 'v' };

describe('a backup, as docs/operating.md makes it', () => {
  let postgres: SystemPostgres;
  let service: TestService;
  let folder: string;
  let restored: CompiledService;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'backup-'));
    postgres = await SystemPostgres.start();
    await postgres.query('postgres', 'CREATE DATABASE app');
    const url = postgres.urlOf('app');
    const drop = () => Promise.resolve();
    await migrateTestDatabase({ url, drop });
    service = await TestService.start({}, { url, drop });
    // The restored service has the clock of the machine, and a key's counters are of one day.
    service.clock.advance(Date.now() - service.clock.now().getTime());
  });
  afterAll(async () => {
    await restored?.stop();
    await service.stop();
    await postgres.stop();
    await rm(folder, { recursive: true });
  });

  it('that is made while calls run has books that balance, and a service that starts on it and serves', async () => {
    const account = await createAccount(service, { creditUsd: '10', tier: 'enterprise' });
    const remember = async () => {
      const answer = await service.call('createMemory', {
        credential: account.key,
        body: { ...MEMORY, key: newId() },
      });
      expect(answer.status).toBe(201);
    };
    await remember();
    // A call whose process has died: its reservation is in the backup, and is swept where that is restored.
    const now = service.clock.now();
    await service.app.get(Ledger).reserve({
      callId: newId(),
      accountId: account.id,
      keyId: account.keyId,
      amountNanoUsd: 5n,
      now,
      leaseUntil: now,
      operation: 'test',
      requestId: newId(),
      price: 'test',
      priceVersion: 'test',
    });
    const file = join(folder, 'app.dump');
    const dump = { isOver: false };
    const dumping = postgres
      .run('pg_dump', '--format=custom', `--file=${file}`, postgres.urlOf('app'))
      .finally(() => (dump.isOver = true));
    const calling = (async () => {
      while (!dump.isOver) {
        await remember();
      }
    })();
    await Promise.all([dumping, calling]);

    await postgres.query('postgres', 'CREATE DATABASE restored');
    const url = postgres.urlOf('restored');
    const options = ['--exit-on-error', '--no-owner', '--no-comments'];
    await postgres.run('pg_restore', ...options, `--dbname=${url}`, file);
    const database = await new DataSource({ type: 'postgres', url }).initialize();
    expect(await ledgerFaults(database)).toEqual([]);
    const [{ charges = 0 } = {}]: { charges?: number }[] = await database.query(
      `SELECT count(*)::integer AS charges FROM ledger_entries WHERE type = 'charge'`,
    );
    expect(charges).toBeGreaterThan(0);

    restored = await CompiledService.start({ DATABASE_URL: url, JWT_SECRET });
    const call = await restored.post('/api/hub/memory', MEMORY, { 'x-api-key': account.key });
    expect(call.status).toBe(201);
    await until('the call that had died is swept', async () => {
      const open: unknown[] = await database.query('SELECT FROM reservations');
      return open.length === 0;
    });
    const [{ after = 0 } = {}]: { after?: number }[] = await database.query(
      `SELECT count(*)::integer AS after FROM ledger_entries WHERE type = 'charge'`,
    );
    expect(after).toBe(charges + 1);
    expect(await ledgerFaults(database)).toEqual([]);
    await database.destroy();
  });
});
