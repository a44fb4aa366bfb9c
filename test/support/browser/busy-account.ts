import { newId } from '../../../src/runtime/ids';
import { timedId } from '../../../bench/timed-id';
import type { TestService } from '../api/service';
import { createAccount, type TestAccount, type World } from '../api/world';
import { copyDelivery, storeDelivery, storeWebhook } from '../api/store-webhook';

const CALLS = 100_000;
const CALLS_AT_ONCE = 4_000;
const KEYS = 500;
const DELIVERIES = 10_000;
const SPAN_DAYS = 60;

export interface BusyAccount {
  account: TestAccount;
  webhookId: string;
}

/** An account with 100,000 calls of 60 days, 500 keys and 10,000 deliveries, whose charges differ by single nano-dollars. */
export async function createBusyAccount(world: World): Promise<BusyAccount> {
  const { service } = world;
  const account = await createAccount(service, { creditUsd: '100' });
  await storeKeys(service, account.id);
  for (let first = 0; first < CALLS; first += CALLS_AT_ONCE) {
    await service.database.query(ADD_CALLS, [
      account.id,
      first,
      first + CALLS_AT_ONCE - 1,
      service.clock.now(),
      CALLS,
    ]);
  }
  await service.database.query(
    `UPDATE balances SET balance_nano = (SELECT sum(amount_nano) FROM ledger_entries WHERE account_id = $1)
     WHERE account_id = $1`,
    [account.id],
  );
  for (let added = 1; added > 0;) {
    const [row]: { added: string }[] = await service.database.query('SELECT usage_roll_up(20000) AS added');
    added = Number(row?.added);
  }
  await service.database.query('ANALYZE');
  return { account, webhookId: await storeDeliveries(world, account) };
}

/** Every tenth has a limit. What they have spent counts from an earlier reset on. */
async function storeKeys({ database, clock }: TestService, accountId: string): Promise<void> {
  await database.query(
    `INSERT INTO access_keys (id, account_id, name, preview, secret_hash, created_at, daily_limit_nano, spent_epoch)
     SELECT gen_random_uuid(), $1::uuid, 'service ' || n, 'svc_test_' || lpad(n::text, 4, '0') || '…0000',
       sha256(($1::text || n)::bytea), $2::timestamptz - n * interval '1 second',
       CASE WHEN n % 10 = 0 THEN 250000000 END, 1
     FROM generate_series(1, $3::integer - 1) AS n`,
    [accountId, clock.now(), KEYS],
  );
  // So does what its first key has.
  await database.query('UPDATE access_keys SET spent_epoch = 1 WHERE account_id = $1', [accountId]);
}

async function storeDeliveries(world: World, account: TestAccount): Promise<string> {
  const webhookId = await storeWebhook(world, {}, account);
  const attempt = {
    attempted_at: world.service.clock.now().toISOString(),
    duration_ms: 90,
    response_status: 200,
    response_body: 'taken',
    error_message: null,
  };
  const delivered = { stage: 'over' as const, attemptCount: 1, attempts: [attempt] };
  const success = await storeDelivery(world, { ...delivered, webhookId, status: 'success' });
  await copyDelivery(world, success, DELIVERIES - 2_000);
  const failed = await storeDelivery(world, { ...delivered, webhookId, status: 'failed' });
  await copyDelivery(world, failed, 2_000 - 2);
  return webhookId;
}

/** A call's row is its charge. Each is later than the one before, and costs another number of nano-dollars. */
const ADD_CALLS = `
  WITH keys AS MATERIALIZED (
    SELECT id, row_number() OVER (ORDER BY created_at, id) - 1 AS number FROM access_keys WHERE account_id = $1
  ), first AS (
    SELECT balance_after_nano FROM ledger_entries WHERE account_id = $1 ORDER BY position DESC LIMIT 1
  ), made AS MATERIALIZED (
    SELECT n, (SELECT id FROM keys WHERE number = n % (SELECT count(*) FROM keys)) AS key_id,
      100001 + n % 7919 AS charged,
      date_trunc('milliseconds', $4::timestamptz - interval '${SPAN_DAYS} days' * (1 - n::float8 / $5::float8)) AS at
    FROM generate_series($2::integer, $3::integer) AS n
  )
  INSERT INTO calls (id, account_id, key_id, request_id, operation, outcome, status, price, price_version, model,
    input_tokens, output_tokens, reserved_nano, charged_nano, balance_after_nano, position, latency_ms, created_at,
    completed_at)
  SELECT ${timedId('at')}, $1, key_id, '${newId().slice(0, 8)}-' || n,
    (ARRAY['createMemory', 'searchMemories', 'createChatCompletion', 'createEmbedding'])[n % 4 + 1], 'settled', 200,
    (ARRAY['memory_operation', 'memory_operation', 'chat_completion', 'embeddings'])[n % 4 + 1], 'test',
    'model-' || n % 40, n % 97, n % 89, charged, charged,
    (SELECT balance_after_nano FROM first) - sum(charged) OVER (ORDER BY n), nextval('ledger_position'), 5, at, at
  FROM made ORDER BY n`;
