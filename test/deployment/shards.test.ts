import { AccountShards } from '../../src/database/account-shards';
import { UnchargedCalls } from '../../src/pipeline/step-8-usage-log';
import { callAs } from '../support/api/call-as';
import { TestService } from '../support/api/service';
import { createAccount, World, type TestAccount } from '../support/api/world';
import { subscribe } from '../support/events/subscribe';
import { faultsInBooks } from '../support/ledger/books';
import { createDividedDatabase } from '../support/shards/divided-database';
import { StatementLog, type SentStatement } from '../support/shards/statement-log';
import { submitTask } from '../support/tasks/task-scene';

const SHARDS = 4;
const ACCOUNTS = 12;
const QUESTION = 'The library opens at nine. When does the library open?';
const CHAT = {
  model: 'embedded-extractive-1',
  max_tokens: 50,
  messages: [{ role: 'user', content: QUESTION }],
};

/** Statements that a call sends and that name no account, each with the reason for which it needs none (docs/scaling.md). */
const WITHOUT_ACCOUNT: Record<string, { text: RegExp; because: string }> = {
  transaction: {
    text: /^(?:START TRANSACTION|COMMIT|ROLLBACK)$/,
    because: 'goes where its transaction goes',
  },
  notification: { text: /^SELECT pg_notify\(/, because: 'touches no table' },
  session: {
    text: /^\s*(?:SET|RESET) |pg_stat_activity WHERE pid = pg_backend_pid|^SELECT 1$/,
    because: 'touches no table',
  },
  processes: {
    text: /^SELECT id FROM processes WHERE valid_until/,
    because: 'who has to hear of a change of an account: the table is the same on every shard',
  },
  sighting: {
    text: /^SELECT sightings_add_address\(/,
    because:
      'beside the call, for subscribers of anomalies alone: the table has the key, and account_id is to be added',
  },
  'key look-up': {
    text: /FROM access_keys WHERE secret_hash = \$1/,
    because: 'finds the account; cached for 30 s, to be asked of a reference table',
  },
};

/** Sent by timers, whether calls come or not: that the process lives and hears, the sums of what was called, and what is over. */
const BY_TIMERS = new RegExp(
  [
    '(?:INSERT INTO|UPDATE) processes ',
    'SELECT usage_roll_up\\(',
    'SELECT id FROM processes WHERE NOT is_dead ',
    'DELETE FROM (?:processes WHERE is_dead|ended_tokens WHERE token_id IN|idempotency_claims WHERE expires_at) ',
    'DELETE FROM console_sessions WHERE id IN ',
    'LISTEN access_changed;',
  ]
    .map((text) => `^\\s*${text}`)
    .join('|'),
);

describe('a paid call on tables that are divided by account', () => {
  const shards = new AccountShards(SHARDS);
  let service: TestService;
  let world: World;
  let accounts: TestAccount[];
  let log: StatementLog;

  beforeAll(async () => {
    const database = await createDividedDatabase(SHARDS);
    service = await TestService.start({ ACCOUNT_SHARDS: String(SHARDS) }, database);
    world = await World.create(service);
    const others = Array.from({ length: ACCOUNTS }, () => createAccount(service, { creditUsd: '10' }));
    accounts = [world.owner, world.stranger, ...(await Promise.all(others))];
    await subscribe(service.database, world.owner.id, { events: ['*'] });
    log = new StatementLog();
    await makeCalls();
    log.stop();
  });
  afterAll(async () => {
    log?.stop();
    expect(await faultsInBooks(service.database)).toEqual([]);
    await service.stop();
  });

  const chat = (account: TestAccount, fields: object = {}, headers: Record<string, string> = {}) =>
    callAs('createChatCompletion', world, { body: { ...CHAT, ...fields }, headers }, account);
  /** A streamed answer is not of the form that callAs() holds it to. */
  const stream = async (account: TestAccount, headers: Record<string, string> = {}) => {
    const { statusCode: status } = await service.app.inject({
      method: 'POST',
      url: '/v1/chat/completions',
      headers: { 'x-api-key': account.key, ...headers },
      payload: { ...CHAT, stream: true },
    });
    return { status };
  };
  const statuses = async (answers: Promise<{ status: number }>[]) =>
    (await Promise.all(answers)).map(({ status }) => status);

  /** Calls of every kind: alone, and of all accounts at once, so that they share commits. */
  async function makeCalls(): Promise<void> {
    const key = { 'idempotency-key': 'a retried chat' };
    expect(await statuses([chat(world.owner)])).toEqual([200]);
    expect(await statuses([stream(world.owner)])).toEqual([200]);
    expect(await statuses([chat(world.owner, {}, key)])).toEqual([200]);
    expect((await chat(world.owner, {}, key)).headers['idempotent-replayed']).toBe('true');
    expect(await statuses([chat(world.owner, { max_tokens: 7 }, key)])).toEqual([422]);
    expect(await statuses([callAs('getMemory', world, { params: { key: 'none' } })])).toEqual([404]);
    const content = '# Tidemark\n\nIt watches the level of a river, and warns the people who live beside it.';
    const byToken = callAs('structureDocs', world, { body: { content } });
    const memory = callAs('createMemory', world, { body: { key: 'a', value: 'b' } });
    expect(await statuses([byToken, memory])).toEqual([200, 201]);
    await submitTask(world);
    const together = accounts.flatMap((account) => [
      chat(account),
      chat(account, {}, { 'idempotency-key': 'a chat' }),
      stream(account),
      stream(account, { 'idempotency-key': 'a stream' }),
    ]);
    expect(await statuses(together)).toEqual(together.map(() => 200));
    await world.setLimits(world.owner, { dailyLimitNano: 1n });
    await world.setLimits(world.stranger, { perRequestLimitNano: 1n });
    await world.setBalanceUsd(accounts[2] ?? world.owner, '0');
    const refused = accounts.slice(0, 3);
    expect(await statuses(refused.map((account) => chat(account)))).toEqual([402, 402, 402]);
    const crowd = [...refused, ...accounts].map((account) => chat(account));
    expect(new Set(await statuses(crowd))).toEqual(new Set([200, 402]));
    await callAs('listModels', world, {});
    await service.app.get(UnchargedCalls).write();
  }

  it('sends nothing that names accounts of two shards, and nothing without an account but what has a reason', () => {
    const sent = log.statements.filter(({ text }) => !BY_TIMERS.test(text));
    const found = sent.map((statement) => {
      const named = accounts.filter(({ id }) => JSON.stringify(statement.values).includes(id));
      const places = new Set(named.map(({ id }) => shards.of(id)));
      const reason = Object.keys(WITHOUT_ACCOUNT).find((name) =>
        WITHOUT_ACCOUNT[name]?.text.test(statement.text),
      );
      return { statement, accounts: named.length, shards: places.size, reason };
    });
    const wrong = found.filter(({ shards: places, reason }) => places !== 1 && reason === undefined);
    expect(wrong.map(({ statement, shards: places }) => [places, statement.text.trim()])).toEqual([]);
    const flushes = found.filter(({ statement }) => statement.text.includes('ledger_flush('));
    expect(Math.max(...flushes.map((flush) => flush.accounts))).toBeGreaterThan(1);
    const used = new Set(found.filter(({ shards: places }) => places === 0).map(({ reason }) => reason));
    expect([...used].sort()).toEqual(Object.keys(WITHOUT_ACCOUNT).sort());
    process.stdout.write(summaryOf(found));
  });

  it('keeps every transaction within a shard', () => {
    const places = new Map<number, Set<number>>();
    const crossing: string[] = [];
    for (const { text, client, touches } of log.statements.filter(({ text }) => !BY_TIMERS.test(text))) {
      if (/^START TRANSACTION/.test(text)) {
        places.set(client, new Set());
      }
      const met = places.get(client);
      touches.filter(({ hasRows }) => hasRows).forEach(({ shard }) => met?.add(shard));
      if ((met?.size ?? 0) > 1) {
        crossing.push(text);
      }
      if (/^(?:COMMIT|ROLLBACK)/.test(text)) {
        places.delete(client);
      }
    }
    expect(crossing).toEqual([]);
  });

  it('reads and writes one shard with each of them, within the functions too', () => {
    const crossing = log.statements.filter(isOfCalls).filter(touchesSeveral);
    expect(crossing.map(({ text }) => text)).toEqual([]);
    const tables = log.statements.flatMap(({ touches }) => touches.map(({ table }) => table));
    // Without that of calls in flight, where all of them were short.
    expect(new Set(tables).size).toBeGreaterThanOrEqual(11);
    const places = log.statements.flatMap(({ touches }) => touches.map(({ shard }) => shard));
    // Ids are random, so a shard may have none of so few accounts.
    expect(new Set(places).size).toBeGreaterThan(1);
  });

  it('asks for an account wherever it reads a divided table', () => {
    const unnamed = log.statements
      .filter(isOfCalls)
      .flatMap(({ touches }) => touches.filter(({ namesAccount }) => !namesAccount));
    expect([...new Set(unnamed.map(({ table, statement }) => `${table}: ${statement}`))]).toEqual([]);
  });

  it('would be found out: a statement by the id of a call alone asks every shard', async () => {
    const own = new StatementLog();
    await service.database.query(
      'SELECT FROM calls WHERE id = (SELECT id FROM calls WHERE account_id = $1 LIMIT 1)',
      [world.owner.id],
    );
    own.stop();
    const [sent] = own.statements;
    expect(sent?.touches.some(({ namesAccount }) => !namesAccount)).toBe(true);
  });
});

/** All but what timers send, and the look-up that finds the account. */
function isOfCalls({ text }: SentStatement): boolean {
  return !BY_TIMERS.test(text) && WITHOUT_ACCOUNT['key look-up']?.text.test(text) !== true;
}

function touchesSeveral({ touches }: SentStatement): boolean {
  return new Set(touches.filter(({ hasRows }) => hasRows).map(({ shard }) => shard)).size > 1;
}

function summaryOf(found: { accounts: number; shards: number; reason: string | undefined }[]): string {
  const count = (shards: number) => found.filter((one) => one.shards === shards).length;
  const reasons = Object.keys(WITHOUT_ACCOUNT).map(
    (name) => `${name} ${found.filter((one) => one.shards === 0 && one.reason === name).length}`,
  );
  const several = found.filter((one) => one.accounts > 1).length;
  return (
    `statements of paid calls: ${found.length}; of one shard ${count(1)} (${several} of them for several of its accounts), ` +
    `without an account ${count(0)} (${reasons.join(', ')}), across shards ${found.filter((one) => one.shards > 1).length}\n`
  );
}
