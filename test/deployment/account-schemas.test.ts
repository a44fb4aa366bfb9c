import { DataSource } from 'typeorm';
import { AccountDatabases, openAccountDatabases } from '../../src/database/account-databases';
import { AccountMover } from '../../src/database/account-mover';
import { DatabaseUrl } from '../../src/database/connection-pool';
import { dataSourceOptions } from '../../src/database/data-source';
import { databaseFunctions, migrate, requireMigrated } from '../../src/database/migrate';
import { ProcessRegister } from '../../src/database/process-register';
import { Metrics } from '../../src/observability/metrics';
import { SystemClock } from '../../src/runtime/clock';
import { Ledger } from '../../src/ledger/ledger';
import { ReconciliationRepository } from '../../src/ledger/reconciliation';
import { migrateQueue } from '../../src/work/queue.module';
import { TestService } from '../support/api/service';
import { createEmptyDatabase, type TestDatabase } from '../support/api/test-database';
import { runAdminCommand } from '../support/processes/admin-command';
import { createAccount, World, type TestAccount } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { until } from '../support/until';

const SCHEMAS = 8;
const MOVES = 50;
const CALLERS = 4;

describe('accounts in eight schemas', () => {
  let database: TestDatabase;
  let main: DataSource;
  let service: TestService;
  let replica: TestService;
  let before: { accounts: string[]; balanceNanoUsd: bigint };
  let world: World;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    await migrate(database.url, databaseFunctions);
    await migrateQueue(database.url);
    const single = await TestService.start(
      { ACCOUNT_SCHEMAS: '1' },
      { ...database, drop: () => Promise.resolve() },
    );
    world = await World.create(single);
    await remember(single, world.owner, 'from before');
    before = {
      accounts: (await single.database.query<{ id: string }[]>('SELECT id FROM accounts ORDER BY id')).map(
        ({ id }) => id,
      ),
      balanceNanoUsd: await world.balanceNanoUsd(),
    };
    await single.stop();
    await expect(requireMigrated(database.url, databaseFunctions, SCHEMAS)).rejects.toThrow('in 1 schemas');
    await migrate(database.url, databaseFunctions, SCHEMAS);
    await requireMigrated(database.url, databaseFunctions, SCHEMAS);
    main = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
    service = await TestService.start({ ACCOUNT_SCHEMAS: String(SCHEMAS) }, database);
    replica = await service.startReplica();
  });
  afterAll(async () => {
    await replica?.stop();
    await main?.destroy();
    await service?.stop();
  });

  function moverOf(databases: AccountDatabases): { mover: AccountMover; register: ProcessRegister } {
    const url = new DatabaseUrl(database.url);
    const register = new ProcessRegister(url, main, new SystemClock(), new Metrics(), databases);
    return { mover: new AccountMover(databases, register), register };
  }

  it('has what was there with one schema, and leaves no table of accounts in public', async () => {
    const rows = await service.database.query<{ id: string }[]>('SELECT id FROM accounts ORDER BY id');
    expect(rows.map(({ id }) => id)).toEqual(before.accounts);
    const ledger = service.app.get(Ledger);
    expect((await ledger.balance(world.owner.id)).balanceNanoUsd).toBe(before.balanceNanoUsd);
    const memories = 'SELECT key FROM memories WHERE account_id = $1';
    expect(await service.database.query(memories, [world.owner.id])).toEqual([{ key: 'from before' }]);
    await expect(main.query('SELECT FROM accounts')).rejects.toThrow('does not exist');
  });

  it('is refused by a process that was told of fewer schemas, and of more before they are made', async () => {
    await expect(requireMigrated(database.url, databaseFunctions, 2)).rejects.toThrow('in 8 schemas');
    await expect(migrate(database.url, databaseFunctions, 1)).rejects.toThrow('never fewer');
    await expect(requireMigrated(database.url, databaseFunctions, 9)).rejects.toThrow('in 8 schemas');
  });

  it('puts new accounts into all schemas, and no two with one name', async () => {
    const accounts = await Promise.all(
      Array.from({ length: 40 }, () => createAccount(service, { creditUsd: '1' })),
    );
    const databases = service.app.get(AccountDatabases);
    expect(new Set(accounts.map(({ id }) => databases.numberOf(id))).size).toBeGreaterThan(4);
    for (const { token } of accounts) {
      expect((await service.call('getBalance', { credential: token })).body.balance).toBe(1);
    }
    for (const { email } of accounts.slice(0, 4)) {
      const again = await service.call('register', {
        body: { email, username: email.slice(0, 20), password: 'correct horse battery staple' },
      });
      expect(again.status).toBe(409);
    }
  });

  it(`moves an account ${MOVES} times while two processes serve it, and nothing is lost`, async () => {
    const account = await createAccount(service, { creditUsd: '100' });
    const databases = await openAccountDatabases(main, SCHEMAS);
    const { mover, register } = moverOf(databases);
    await register.onModuleInit();
    const answers: number[] = [];
    let isOver = false;
    const callers = Array.from({ length: CALLERS }, async (_, caller) => {
      for (let calls = 0; !isOver; calls += 1) {
        const through = (caller + calls) % 2 === 0 ? service : replica;
        answers.push((await remember(through, account, `memory ${caller} ${calls}`)).status);
      }
    });
    const paused: number[] = [];
    try {
      for (let moves = 0; moves < MOVES; moves += 1) {
        const to = (databases.numberOf(account.id) + 1 + (moves % (SCHEMAS - 1))) % SCHEMAS;
        paused.push((await mover.move(account.id, to)).pausedMs);
      }
    } finally {
      isOver = true;
      await Promise.all(callers);
      await register.onApplicationShutdown();
    }
    expect(new Set(answers)).toEqual(new Set([201]));
    expect(answers.length).toBeGreaterThan(MOVES);
    // The time of the calls in flight, which a move waits for, is part of it; on a busy machine one of fifty may take longer.
    expect(median(paused)).toBeLessThan(2_000);
    const [stored]: { memories: string; charged: string }[] = await service.database.query(
      `SELECT (SELECT count(*) FROM memories WHERE account_id = $1) AS memories,
         (SELECT count(*) FROM calls WHERE account_id = $1 AND charged_nano > 0) AS charged`,
      [account.id],
    );
    expect(stored).toEqual({ memories: String(answers.length), charged: String(answers.length) });
    expect(await placesOf(account.id)).toEqual([databases.numberOf(account.id)]);
    expect(await ledgerFaults(service.database)).toEqual([]);
    process.stdout.write(
      `${MOVES} moves beside ${answers.length} calls: paused ${median(paused).toFixed(0)} ms, at most ${Math.max(...paused).toFixed(0)}\n`,
    );
  }, 120_000);

  it('moves two accounts at once, and loses no credit that an admin gives meanwhile', async () => {
    const accounts = [
      await createAccount(service, { creditUsd: '1' }),
      await createAccount(service, { creditUsd: '1' }),
    ];
    let isOver = false;
    const given = accounts.map(async ({ id }) => {
      const answers: number[] = [];
      while (!isOver) {
        const body = { user_id: id, amount_usd: 0.01, reason: 'a gift' };
        answers.push((await service.call('addCredits', { credential: world.admin.token, body })).status);
      }
      return answers;
    });
    const moved = await Promise.all(
      accounts.map(async ({ id }) => {
        const databases = await openAccountDatabases(main, SCHEMAS);
        const { mover, register } = moverOf(databases);
        await register.onModuleInit();
        const beganMs = performance.now();
        for (let moves = 1; moves <= 5; moves += 1) {
          await mover.move(id, (databases.numberOf(id) + 1) % SCHEMAS);
        }
        await register.onApplicationShutdown();
        return performance.now() - beganMs;
      }),
    );
    isOver = true;
    const answers = await Promise.all(given);
    expect(new Set([...answers.flat(), 201, 503])).toEqual(new Set([201, 503]));
    for (const [index, { id }] of accounts.entries()) {
      const gifts = BigInt(answers[index]?.filter((status) => status === 201).length ?? 0);
      expect(gifts).toBeGreaterThan(0n);
      const { balanceNanoUsd } = await service.app.get(Ledger, { strict: false }).balance(id);
      expect(balanceNanoUsd).toBe(10n ** 9n + gifts * 10n ** 7n);
    }
    expect(Math.max(...moved)).toBeLessThan(25_000);
    expect(await ledgerFaults(service.database)).toEqual([]);
  }, 60_000);

  it('counts an account once that is moved while the books are checked', async () => {
    const account = await createAccount(service, { creditUsd: '1' });
    const databases = await openAccountDatabases(main, SCHEMAS);
    const { mover, register } = moverOf(databases);
    await register.onModuleInit();
    await mover.move(account.id, 0);
    const repository = service.app.get(ReconciliationRepository);
    const { accounts, balanceNanoUsd, ledgerNanoUsd } = await repository.reconcile();
    const holder = service.database.createQueryRunner();
    await holder.startTransaction();
    // The check has read the schemas before this one, if it reads one after the other, and waits here.
    await holder.query('LOCK TABLE acc_4.credits IN ACCESS EXCLUSIVE MODE');
    const checked = repository.reconcile();
    await until('the check waits', async () => {
      const locks = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'acc_4.credits'::regclass";
      const waiting = (await holder.query(locks)) as unknown[];
      return waiting.length > 0;
    });
    await mover.move(account.id, SCHEMAS - 1);
    await holder.rollbackTransaction();
    await holder.release();
    expect(await checked).toMatchObject({ accounts, balanceNanoUsd, ledgerNanoUsd, mismatches: [] });
    await register.onApplicationShutdown();
  });

  it('tells whose role may not rest triggers what helps', async () => {
    const { id } = await createAccount(service, { creditUsd: '1' });
    const url = new URL(database.url);
    [url.username, url.password] = ['mover', 'secret'];
    await main.query(
      "DROP ROLE IF EXISTS mover; CREATE ROLE mover LOGIN PASSWORD 'secret' IN ROLE pg_read_all_data, pg_write_all_data",
    );
    const databases = await openAccountDatabases(main, SCHEMAS);
    const to = String((databases.numberOf(id) + 1) % SCHEMAS);
    const run = await runAdminCommand(['accounts', 'move', id, to], { DATABASE_URL: url.href });
    await main.query('DROP ROLE mover');
    expect(run.errors).toContain('GRANT SET ON PARAMETER session_replication_role TO');
  });

  it('moves nothing while a call lasts too long, and lets calls in again', async () => {
    const account = await createAccount(service, { creditUsd: '1' });
    const databases = await openAccountDatabases(main, SCHEMAS);
    const { mover, register } = moverOf(databases);
    await register.onModuleInit();
    await expect(mover.move(account.id, SCHEMAS)).rejects.toThrow('There is no schema 8');
    await expect(mover.move(world.owner.id.replace(/^./, 'f'), 3)).rejects.toThrow('No such account');
    await register.onApplicationShutdown();
    expect((await remember(service, account, 'still served')).status).toBe(201);
  });

  /** In which schemas rows of an account are, whatever the table. */
  async function placesOf(accountId: string): Promise<number[]> {
    const tables = await main.query<{ schema: string; name: string }[]>(
      `SELECT relnamespace::regnamespace::text AS schema, relname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
       WHERE relnamespace::regnamespace::text LIKE 'acc\\_%' AND relkind IN ('r', 'p') AND NOT relispartition AND attname = 'account_id'`,
    );
    const places = new Set<number>();
    for (const { schema, name } of tables) {
      const rows = await main.query<unknown[]>(
        `SELECT FROM ${schema}.${name} WHERE account_id = $1 LIMIT 1`,
        [accountId],
      );
      if (rows.length > 0) {
        places.add(Number(schema.slice('acc_'.length)));
      }
    }
    return [...places];
  }
});

function remember(service: TestService, account: TestAccount, key: string) {
  return service.call('createMemory', { credential: account.key, body: { key, value: 'v' } });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}
