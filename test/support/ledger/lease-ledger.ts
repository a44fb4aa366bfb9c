import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { ledgerFaults } from './ledger-faults';
import { createTestDatabase, type TestDatabase } from '../api/test-database';
import { AccountDatabases } from '../../../src/database/account-databases';
import { ManualClock } from '../../../src/runtime/clock';
import { dataSourceOptions } from '../../../src/database/data-source';
import type { ProcessRegister } from '../../../src/database/process-register';
import { newId } from '../../../src/runtime/ids';
import { Metrics } from '../../../src/observability/metrics';
import { AccessKeyEntity, AccessKeys } from '../../../src/accounts/access-keys';
import { Outbox } from '../../../src/events/outbox';
import { hashSecret } from '../../../src/accounts/credentials';
import type { LimitChange } from '../../../src/accounts/access-keys';
import { SpendingLimitsRepository } from '../../../src/accounts/spending-limits';
import { Account, Accounts } from '../../../src/accounts/accounts';
import { LeaseLedger } from '../../../src/ledger/lease-ledger';
import type { ReserveOrder, ReserveVerdict, SettleOrder } from '../../../src/ledger/ledger';
import { LedgerMetrics } from '../../../src/ledger/ledger.metrics';
import { registerOf } from '../database/process-register';

/** What every account of the fixture has, nano-USD. */
export const CREDIT = 1000n;
export const LEASE_MS = 20_000;

export interface Holder {
  accountId: string;
  keyId: string;
  secretHash: Buffer;
}

interface Current {
  testDatabase: TestDatabase;
  database: DataSource;
  databases: AccountDatabases;
  ledger: LeaseLedger;
  register: ProcessRegister;
  metrics: Metrics;
  clock: ManualClock;
  /** An account of the present test alone, with one key. */
  holder: Holder;
}

/** A ledger of its own for each test of a file, on one database; the books are checked after each. */
export function useLeaseLedger() {
  const current = {} as Current;

  beforeAll(async () => {
    current.testDatabase = await createTestDatabase();
    const options = {
      ...dataSourceOptions(current.testDatabase.url, 10),
      entities: [Account, AccessKeyEntity],
    };
    current.database = await new DataSource(options).initialize();
    current.databases = AccountDatabases.only(current.database);
  });
  beforeEach(async () => {
    current.metrics = new Metrics();
    current.register = registerOf(current.database, current.testDatabase.url);
    const metrics = new LedgerMetrics(current.metrics);
    current.ledger = new LeaseLedger(current.database, current.testDatabase.url, metrics, current.register);
    await current.register.onModuleInit();
    current.clock = new ManualClock();
    current.holder = await newHolder();
  });
  afterEach(async () => {
    await current.ledger.onApplicationShutdown();
    await current.register.onApplicationShutdown();
    expect(await ledgerFaults(current.database)).toEqual([]);
  });
  afterAll(async () => {
    await current.database.destroy();
    await current.testDatabase.drop();
  });

  async function newHolder(limits: LimitChange = {}, expiresAt: Date | null = null): Promise<Holder> {
    const name = newId();
    const person = { email: `${name}@example.com`, username: name, passwordHash: '' };
    const account = await new Accounts(current.databases, current.clock, current.register).create({
      ...person,
      role: 'user',
      tier: 'free',
    });
    const holder = await newKey(account.id, expiresAt);
    await new SpendingLimitsRepository(current.databases, current.clock, current.register).set(
      account.id,
      holder.keyId,
      limits,
    );
    await current.ledger.credit({
      accountId: account.id,
      type: 'deposit',
      amountNanoUsd: CREDIT,
      description: 'test',
      requestId: null,
      referenceId: null,
      now: current.clock.now(),
    });
    return holder;
  }

  async function newKey(accountId: string, expiresAt: Date | null = null): Promise<Holder> {
    const keys = new AccessKeys(current.databases, current.clock, new Outbox(), current.register);
    const fields = { accountId, name: 'k', expiresAt, environment: 'test' as const };
    const { key, secret } = await keys.create(fields);
    return { accountId, keyId: key.id, secretHash: hashSecret(secret) };
  }

  function orderOf(by: Holder, fields: Partial<ReserveOrder> = {}): ReserveOrder {
    const now = current.clock.now();
    const callId = newId();
    const names = { operation: 'createMemory', requestId: callId, price: 'test', priceVersion: 'test' };
    const leaseUntil = new Date(now.getTime() + LEASE_MS);
    return { ...by, callId, amountNanoUsd: 100n, now, leaseUntil, ...names, ...fields };
  }

  function settlementOf(order: ReserveOrder, fields: Partial<SettleOrder> = {}): SettleOrder {
    const { callId, accountId, amountNanoUsd: chargeNanoUsd, now } = order;
    const nothing = { inputTokens: 0, outputTokens: 0, answer: null, status: 200 };
    return { callId, accountId, outcome: 'settled', chargeNanoUsd, now, ...nothing, ...fields };
  }

  async function together(orders: ReserveOrder[]): Promise<PromiseSettledResult<ReserveVerdict>[]> {
    return Promise.allSettled(orders.map(async (order) => current.ledger.reserve(order)));
  }

  async function counted(series: string): Promise<number> {
    const line = (await current.metrics.text()).split('\n').find((text) => text.startsWith(`${series} `));
    return Number(line?.slice(series.length));
  }

  async function expectReserved(by: Holder, nanoUsd: bigint): Promise<void> {
    expect((await current.ledger.balance(by.accountId)).reservedNanoUsd).toBe(nanoUsd);
  }

  async function lock(accountId: string): Promise<Client> {
    const blocker = new Client(current.testDatabase.url);
    await blocker.connect();
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM balances WHERE account_id = $1 FOR UPDATE', [accountId]);
    return blocker;
  }

  async function waitingFlushes(): Promise<number> {
    const [row]: { count: string }[] = await current.database.query(
      `SELECT count(*) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%ledger_flush(%'`,
    );
    return Number(row?.count);
  }

  async function endWaitingFlushes(): Promise<number> {
    const rows: unknown[] = await current.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'ledger' AND wait_event_type = 'Lock'`,
    );
    return rows.length;
  }

  return {
    current,
    newHolder,
    newKey,
    orderOf,
    settlementOf,
    together,
    counted,
    expectReserved,
    lock,
    waitingFlushes,
    endWaitingFlushes,
  };
}
