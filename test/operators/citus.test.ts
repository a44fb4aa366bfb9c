import { AccountDatabases } from '../../src/database/account-databases';
import { ProcessesLive } from '../../src/database/account-schemas';
import { databaseFunctions, migrate, requireMigrated } from '../../src/database/migrate';
import { ReconciliationRepository } from '../../src/ledger/reconciliation';
import { UsageDays, UsagePartitions } from '../../src/ledger/usage-log';
import { PaymentWatch } from '../../src/modules/billing/payment-watch';
import { Payments } from '../../src/modules/billing/payments.repository';
import { DAY_MS } from '../../src/runtime/clock';
import { TestService } from '../support/api/service';
import { createAccount, type TestAccount, World } from '../support/api/world';
import { type CitusDatabase, createCitusDatabase } from '../support/database/citus-database';
import { describeDeliveries } from '../support/events/delivery-behaviour';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { openPayment } from '../support/payments/open-payment';
import { until } from '../support/until';
import { itForgetsDeadReplicas, itSharesRooms, roomScene } from '../support/sockets/room-behaviour';

const SCHEMAS = 4;
const CALLERS = 6;
const TWO = { ACCOUNT_SCHEMAS: '2' };
const EVERY_PAYMENT = { accountId: null, needsReview: null };
const PAYMENT_PAGE = { sort: 'created_at', order: 'desc', limit: 100, offset: 0 } as const;

describe('accounts in schemas on the workers of a Citus', () => {
  let database: CitusDatabase;
  let service: TestService;
  let replicas: TestService[];

  beforeAll(async () => {
    database = await createCitusDatabase(SCHEMAS);
    service = await TestService.start({ ACCOUNT_SCHEMAS: String(SCHEMAS) }, database);
    replicas = [service, await service.startReplica(), await service.startReplica()];
  });
  afterAll(async () => {
    const [, ...others] = replicas ?? [];
    await Promise.all(others.map((replica) => replica.stop()));
    await service?.stop();
  });

  const remember = (through: TestService, { key }: TestAccount, name: string, ip?: string) =>
    through.call('createMemory', { credential: key, ip, body: { key: name, value: 'kept' } });

  /** One for each schema. */
  async function accountsEverywhere(creditUsd: string): Promise<TestAccount[]> {
    const accounts = new Map<number, TestAccount>();
    while (accounts.size < SCHEMAS) {
      const account = await createAccount(service, { creditUsd });
      accounts.set(service.app.get(AccountDatabases).numberOf(account.id), account);
    }
    return [...accounts.values()];
  }

  async function expectBooks(): Promise<void> {
    expect(await ledgerFaults(service.database)).toEqual([]);
    expect((await service.app.get(ReconciliationRepository).reconcile()).mismatches).toEqual([]);
  }

  it('are on both workers, and a process finds the database migrated', async () => {
    await requireMigrated(database.url, databaseFunctions, SCHEMAS);
    const places = await database.ask<{ nodeport: number }>(
      "SELECT DISTINCT nodeport FROM citus_shards WHERE table_name::text LIKE '%.balances'",
    );
    expect(places.length).toBeGreaterThan(1);
  });

  it('charge calls, and tell balance, transactions and usage', async () => {
    for (const account of await accountsEverywhere('1')) {
      expect((await remember(service, account, 'one')).status).toBe(201);
      const { body: balance } = await service.call('getBalance', { credential: account.token });
      const { body: list } = await service.call('listTransactions', { credential: account.token });
      expect(balance.balance).toBeLessThan(1);
      expect(list.transactions.map(({ type }) => type)).toEqual(['charge', 'deposit']);
      expect(list.transactions[0]?.balance_after).toBe(balance.balance);
    }
    await service.app.get(UsageDays).rollUp();
    await expectBooks();
  });

  it('have a sixth key of the playground in place of the one unused for longest', async () => {
    for (const { token } of await accountsEverywhere('0')) {
      const made: string[] = [];
      for (let count = 0; count < 6; count += 1) {
        const { body } = await service.call('createPlaygroundKey', { credential: token, body: {} });
        made.push(body.key_value);
        service.clock.advance(1);
      }
      const answers = made.map((credential) => service.call('listModels', { credential }));
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([
        401, 200, 200, 200, 200, 200,
      ]);
    }
  });

  it('have no two with one name', async () => {
    const { email } = await createAccount(service, { creditUsd: '0' });
    const body = { email, username: 'another_name', password: 'correct horse battery staple' };
    expect((await service.call('register', { body })).status).toBe(409);
  });

  it('are credited once for a payment, whoever confirms it and however often, and share no address', async () => {
    const world = await World.create(service);
    const accounts = await accountsEverywhere('0');
    const payments = await Promise.all(
      accounts.flatMap((account) => [account, account]).map((account) => openPayment(world, { account })),
    );
    expect(new Set(payments.map(({ address }) => address)).size).toBe(payments.length);
    await Promise.all(
      payments.flatMap(({ id, accountId }) => {
        const credential = accounts.find((account) => account.id === accountId)?.token;
        const confirm = (through: TestService) =>
          through.call('confirmPayment', { credential, params: { payment_id: id } });
        return [
          ...replicas.map(confirm),
          ...replicas.map(confirm),
          service.app.get(PaymentWatch).pass('BTC'),
        ];
      }),
    );
    for (const account of accounts) {
      const { body } = await service.call('getBalance', { credential: account.token });
      expect(body.balance).toBe(100);
    }
    const { items: all } = await service.app.get(Payments).list(EVERY_PAYMENT, PAYMENT_PAGE);
    const transfers = all.flatMap((payment) => payment.transfers);
    expect(transfers).toHaveLength(payments.length);
    expect(new Set(transfers.map(({ entryId }) => entryId)).size).toBe(payments.length);
    expect(await service.app.get(Payments).find(all[0]?.id ?? '')).toEqual(all[0]);
    await expectBooks();
  });

  it('keep their partitions, and days of their hours', async () => {
    const [account] = await accountsEverywhere('1');
    if (!account) {
      throw new Error('there is no account');
    }
    await remember(service, account, 'a day');
    const { app } = service;
    const later = (days: number) => new Date(Date.now() + days * DAY_MS);
    const made = await app.get(UsagePartitions).keep(later(0), 13);
    expect(made.dropped).toEqual([]);
    const { added } = await app.get(UsagePartitions).keep(later(150), 13);
    expect(added.length).toBeGreaterThanOrEqual(SCHEMAS);
    await app.get(UsageDays).rollUp();
    expect(await app.get(UsageDays).addFinishedHours(later(2))).toBeGreaterThan(0);
    const requests = () =>
      service.database.query<{ hours: string; days: string; calls: string }[]>(
        `SELECT (SELECT sum(requests) FROM usage_hours WHERE in_day) AS hours, (SELECT sum(requests) FROM usage_days) AS days,
           (SELECT count(*) FROM calls) AS calls`,
      );
    const [summed] = await requests();
    expect(summed?.days).toBe(summed?.calls);
    expect(summed?.hours).toBe(summed?.calls);
    expect((await app.get(UsagePartitions).keepHours(later(150), 31)).length).toBeGreaterThan(0);
    const dropped = await app.get(UsagePartitions).keepHours(later(150), 31);
    expect(dropped.length).toBeGreaterThanOrEqual(SCHEMAS);
    await app.get(UsageDays).foldLedgerHours();
    expect(await requests()).toEqual([{ ...summed, hours: null }]);
    await expectBooks();
  });

  it('are never overspent, whichever of three processes is called', async () => {
    for (const account of await accountsEverywhere('0.001')) {
      const answers = await Promise.all(
        Array.from({ length: 300 }, (_, call) =>
          remember(replicas[call % 3] ?? service, account, `memory ${call}`),
        ),
      );
      const statuses = new Set(answers.map(({ status }) => status));
      expect([...statuses].sort()).toEqual([201, 402]);
      const { body } = await service.call('getBalance', { credential: account.token });
      expect(body.balance).toBeGreaterThanOrEqual(0);
    }
    await expectBooks();
  });

  it('run a call once under one Idempotency-Key, whichever of three processes it is sent to', async () => {
    for (const account of await accountsEverywhere('1')) {
      const send = (through: TestService) =>
        through.call('createMemory', {
          credential: account.key,
          headers: { 'idempotency-key': 'the same' },
          body: { key: 'once', value: 'kept' },
        });
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, call) => send(replicas[call % 3] ?? service)),
      );
      expect(answers.filter(({ status }) => ![201, 409].includes(status))).toEqual([]);
      const again = await send(replicas[1] ?? service);
      expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
      const { body } = await service.call('getBalance', { credential: account.token });
      expect(body.balance).toBe(0.9999);
    }
    await expectBooks();
  });

  it('have no key that is accepted anywhere once its revocation is answered, though others are charging by it', async () => {
    for (const [index, account] of (await accountsEverywhere('100')).entries()) {
      // Refused calls count for their address.
      const [callersIp, otherIp] = [`192.0.2.${index}`, `198.51.100.${index}`];
      const [one, two, three] = replicas;
      let isOver = false;
      let [calls, charged] = [0, 0];
      const callers = [one, two, one, two].map(async (through = service) => {
        while (!isOver) {
          const { status } = await remember(through, account, `memory ${(calls += 1)}`, callersIp);
          charged += status === 201 ? 1 : 0;
        }
      });
      await until('calls are charged', () => charged > 20);
      const params = { key_id: account.keyId };
      const revoked = await three?.call('revokeKey', {
        credential: account.token,
        params,
        body: { reason: 'lost' },
      });
      expect(revoked?.status).toBe(200);
      const after = await Promise.all(
        replicas.map((through) => remember(through, account, 'too late', otherIp)),
      );
      isOver = true;
      await Promise.all(callers);
      expect(after.map(({ status }) => status)).toEqual([401, 401, 401]);
      const { body } = await service.call('getBalance', { credential: account.token });
      expect(body.balance).toBeCloseTo(100 - charged / 10_000, 6);
    }
    await expectBooks();
  });

  it('are served while their schema is moved to the other worker and back', async () => {
    const [account] = await accountsEverywhere('100');
    if (!account) {
      throw new Error('there is no account');
    }
    const schema = service.app.get(AccountDatabases).numberOf(account.id);
    const statuses: number[] = [];
    let isOver = false;
    const callers = Array.from({ length: CALLERS }, async (_, caller) => {
      for (let calls = 0; !isOver; calls += 1) {
        const through = replicas[(caller + calls) % 3] ?? service;
        statuses.push((await remember(through, account, `memory ${caller} ${calls}`)).status);
      }
    });
    try {
      await database.move(schema);
      await database.move(schema);
    } finally {
      isOver = true;
      await Promise.all(callers);
    }
    const answered = statuses.filter((status) => status === 201).length;
    // What comes in the moment of the move may be told to come again; then nothing was done.
    expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
    const [stored] = await service.database.query<{ memories: string; charged: string }[]>(
      `SELECT (SELECT count(*) FROM memories WHERE account_id = $1) AS memories,
         (SELECT count(*) FROM calls WHERE account_id = $1 AND charged_nano > 0) AS charged`,
      [account.id],
    );
    expect(Number(stored?.charged)).toBe(answered);
    expect(Number(stored?.memories)).toBe(answered);
    await expectBooks();
    process.stdout.write(
      `two moves beside ${statuses.length} calls, of which ${statuses.length - answered} have to be made again\n`,
    );
  });

  it('are looked up while the worker of others is away', async () => {
    const accounts = await accountsEverywhere('1');
    const schemaOf = ({ id }: TestAccount) => service.app.get(AccountDatabases).numberOf(id);
    const places = await database.ask<{ schema: number; nodeport: number }>(
      `SELECT substr(split_part(table_name::text, '.', 1), 5)::integer AS schema, nodeport FROM citus_shards
       WHERE table_name::text LIKE '%.balances'`,
    );
    const [away] = places;
    const others = accounts.filter((account) => {
      const place = places.find(({ schema }) => schema === schemaOf(account));
      return place?.nodeport !== away?.nodeport;
    });
    expect(others.length).toBeGreaterThan(0);
    // It has none of them in its memory.
    const fresh = replicas[2] ?? service;
    await database.reach(away?.schema ?? 0, false);
    try {
      for (const account of others) {
        expect((await remember(fresh, account, 'meanwhile')).status).toBe(201);
        expect((await fresh.call('getBalance', { credential: account.token })).status).toBe(200);
        const { email, password } = account;
        expect((await fresh.call('login', { body: { email, password } })).status).toBe(200);
      }
    } finally {
      await database.reach(away?.schema ?? 0, true);
    }
    for (const account of accounts) {
      await until(
        'it is reached again',
        async () => (await remember(fresh, account, 'afterwards')).status === 201,
      );
    }
    await expectBooks();
  });

  it('drop the calls of long ago, whose charges stay in the books', async () => {
    const accounts = await accountsEverywhere('1');
    await Promise.all(accounts.map((account) => remember(service, account, 'of long ago')));
    const { app } = service;
    await app.get(UsageDays).rollUp();
    const { dropped } = await app.get(UsagePartitions).keep(new Date(Date.now() + 150 * DAY_MS), 3);
    expect(dropped.length).toBeGreaterThanOrEqual(SCHEMAS);
    expect(await service.database.query('SELECT FROM calls LIMIT 1')).toEqual([]);
    for (const account of accounts) {
      expect((await remember(service, account, 'since then')).status).toBe(201);
    }
    expect((await app.get(ReconciliationRepository).reconcile()).mismatches).toEqual([]);
  });
});

describeDeliveries(
  'on a Citus',
  () => Promise.resolve(TWO),
  () => createCitusDatabase(2),
);

describe('rooms on two replicas with one Citus', () => {
  const scene = roomScene(
    () => Promise.resolve(TWO),
    () => createCitusDatabase(2),
  );

  itSharesRooms(scene);
  itForgetsDeadReplicas(scene);
});

/** Those that make triggers. */
const OTHER_FUNCTIONS =
  "DELETE FROM installed_functions WHERE name IN ('ledger_hours_add', 'events_wake', 'storage_count', 'refuse_ledger_change')";

/** So that a build that has them finds tables of a build before it, and other functions. */
const OLDER = [
  'DROP SCHEMA IF EXISTS everyone CASCADE',
  "DELETE FROM migrations WHERE name ~ '^(ReceiversAndReplicasOfSchemas|DaysOfAllAccounts|PlaygroundCaps|SummedCharges)'",
  'DROP TABLE slow_receivers',
  'DROP TABLE room_replicas',
  'DROP INDEX usage_days_day',
  'DROP INDEX ledger_hours_hour',
  'ALTER TABLE accounts DROP COLUMN playground_day, DROP COLUMN playground_nano',
  'ALTER TABLE roll_ups DROP COLUMN summed_to',
  'ALTER TABLE carried_charges DROP COLUMN summed_nano',
  OTHER_FUNCTIONS,
];

describe('a build whose tables and triggers are others than those of a Citus', () => {
  it('changes tables while no process runs and functions at any time, and accounts go on', async () => {
    const database = await createCitusDatabase(2);
    const before = await TestService.start(TWO, database);
    const account = await createAccount(before, { creditUsd: '1' });
    const charge = (service: TestService, key: string) =>
      service.call('createMemory', { credential: account.key, body: { key, value: 'kept' } });
    expect((await charge(before, 'one')).status).toBe(201);
    await before.app.get(UsageDays).rollUp();
    await database.askInEach(OTHER_FUNCTIONS);
    await migrate(database.url, databaseFunctions, 2);
    expect((await charge(before, 'two')).status).toBe(201);
    await before.app.close();
    for (const schema of ['acc_0_here', 'acc_1_here', 'everyone']) {
      await database.ask('SELECT run_command_on_workers($1)', [`DROP SCHEMA IF EXISTS ${schema} CASCADE`]);
    }
    for (const statement of OLDER) {
      await database.askInEach(statement);
    }
    await database.ask("INSERT INTO processes SELECT gen_random_uuid(), now(), now() + interval '1 hour'");
    await expect(migrate(database.url, databaseFunctions, 2)).rejects.toThrow(ProcessesLive);
    await database.ask('DELETE FROM processes');
    await migrate(database.url, databaseFunctions, 2);
    await requireMigrated(database.url, databaseFunctions, 2);
    const after = await TestService.start(TWO, database);
    expect((await charge(after, 'three')).status).toBe(201);
    const { body } = await after.call('getBalance', { credential: account.token });
    expect(body.balance).toBe(0.9997);
    expect(await after.database.query('SELECT count(*)::integer AS count FROM memories')).toEqual([
      { count: 3 },
    ]);
    expect(await ledgerFaults(after.database)).toEqual([]);
    await after.stop();
  });
});
