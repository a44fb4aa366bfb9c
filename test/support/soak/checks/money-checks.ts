import type { DataSource } from 'typeorm';
import { ReconciliationRepository } from '../../../../src/ledger/reconciliation';
import { formatUsd } from '../../../../src/ledger/money';
import { faultsInAnswers } from '../../api/faults-in-answers';
import type { TestService } from '../../api/service';
import { answerCounts } from '../../ledger/answer-counts';
import { ledgerFaults } from '../../ledger/ledger-faults';
import { chargedCalls, type ChargedCall } from '../../ledger/charged-calls';
import type { PaidLoad, ClientCall } from '../../ledger/paid-load';
import type { SoakCall } from '../soak-calls';
import type { ClientStream } from '../socket-stream-load';
import type { Check } from './check';

const SUMMED_WITHIN_MS = 600_000;

/** Every status that a client may be told of a paid call; which of them when, the table of errors judges. */
const ANY_STATUS: readonly (number | null)[] = [
  ...[200, 201, 204, 400, 401, 402, 403, 404, 409, 413, 415, 422, 429, 500, 502, 503, 504],
  null,
];

/** What the books say of themselves. */
export async function checkBooks({ app, database }: TestService): Promise<Check[]> {
  const reconciliation = await app.get(ReconciliationRepository).reconcile(SUMMED_WITHIN_MS);
  const entries = await count(database, 'SELECT 1 FROM ledger_entries');
  const charges = await count(database, "SELECT 1 FROM ledger_entries WHERE type = 'charge'");
  const mismatches = reconciliation.mismatches.map(
    ({ accountId }) => `the balance of ${accountId} is not its entries' sum`,
  );
  const left = await rows(database, 'SELECT id, operation, created_at FROM reservations');
  const overCap = await rows(database, OVER_CAP);
  return [
    {
      name: 'balance = credits − charges',
      figure:
        `${reconciliation.accounts} accounts, ${entries} entries (${charges} charges), ` +
        `balances ${formatUsd(reconciliation.balanceNanoUsd)} USD, ledger ${formatUsd(reconciliation.ledgerNanoUsd)} USD`,
      faults: [...mismatches, ...(await ledgerFaults(database))],
    },
    {
      name: 'no cap is passed',
      figure: `${await count(database, LIMITED)} keys with a limit`,
      faults: overCap,
    },
    { name: 'no reservation is left', figure: `${left.length} open`, faults: left },
  ];
}

/** What clients were told of their calls, beside the books. */
export async function checkAnswers(
  { database }: TestService,
  load: PaidLoad,
  mixed: readonly SoakCall[],
): Promise<Check[]> {
  const keyless = mixed.filter(({ isPriced }) => isPriced);
  const told: ClientCall[] = [...load.calls, ...keyless];
  const calls = await chargedCalls(database, told);
  const free = await chargedCalls(
    database,
    mixed.filter(({ isPriced, operation }) => !isPriced && operation !== 'runOmmBatch'),
  );
  const counts = answerCounts(calls).map((line) => `\n       ${line}`);
  return [
    {
      name: 'each served call is charged once, as its header and its receipt say; nothing else is',
      figure: `${told.length} paid calls${counts.join('')}`,
      faults: faultsInAnswers(calls, ANY_STATUS),
    },
    {
      name: 'free operations cost nothing',
      figure: `${free.size} calls`,
      faults: [...free].filter(isCharged).map(([call]) => `${call.order.path} ${call.requestId} was charged`),
    },
  ];
}

/** What streams over sockets said that they cost, beside their receipts. */
export async function checkStreams(
  { database }: TestService,
  told: readonly ClientStream[],
  faults: readonly string[],
): Promise<Check> {
  const receipts: { id: string; charged: string }[] = await database.query(
    'SELECT request_id AS id, charged_nano AS charged FROM calls WHERE request_id = ANY($1)',
    [told.map(({ requestId }) => requestId)],
  );
  const charged = new Map(receipts.map(({ id, charged: amount }) => [id, Number(amount) / 1e9]));
  const wrong = told.filter(({ requestId, cost }) => charged.get(requestId) !== cost);
  return {
    name: 'streams over sockets cost what their last message says',
    figure: `${told.length} streams ended with a cost`,
    faults: [
      ...faults,
      ...wrong.map(({ requestId, cost }) => `${requestId} said ${cost}, charged ${charged.get(requestId)}`),
    ],
  };
}

/** Credits of admins and from payments, each once. */
export async function checkCredits({ database }: TestService, mixed: readonly SoakCall[]): Promise<Check[]> {
  const orders = mixed.filter(({ operation }) => operation === 'addCredits');
  const keys = [...new Set(orders.map(({ order }) => order.idempotencyKey))];
  const answered = new Set(
    orders.filter(({ status }) => status === 201).map(({ order }) => order.idempotencyKey),
  );
  const found: { key: string; count: number }[] = await database.query(
    'SELECT description AS key, count(*)::integer AS count FROM ledger_entries WHERE description = ANY($1) GROUP BY 1',
    [keys],
  );
  const counts = new Map(found.map(({ key, count: entries }) => [key, entries]));
  const wrong = keys.filter((key) => (counts.get(key ?? '') ?? 0) !== (answered.has(key) ? 1 : 0));
  const payments = await count(database, "SELECT 1 FROM payments WHERE status = 'confirmed'");
  return [
    {
      name: 'each credit of an admin is given once',
      figure: `${keys.length} orders in ${orders.length} calls, ${answered.size} answered`,
      faults: wrong.map((key) => `${key}: ${counts.get(key ?? '') ?? 0} entries`),
    },
    {
      name: 'each payment is credited once',
      figure: `${payments} confirmed`,
      faults: await rows(database, WRONG_PAYMENTS),
    },
  ];
}

function isCharged([, { chargesNanoUsd }]: [ClientCall, ChargedCall]): boolean {
  return chargesNanoUsd.length > 0;
}

const LIMITED = 'SELECT 1 FROM access_keys WHERE daily_limit_nano IS NOT NULL';
const OVER_CAP = `
  SELECT 'a key is above its limit' AS fault, id, day_spent_nano, daily_limit_nano FROM access_keys
  WHERE day_spent_nano > daily_limit_nano
  UNION ALL SELECT 'a balance was below zero', account_id, min(balance_after_nano), 0 FROM ledger_entries
  WHERE balance_after_nano < 0 GROUP BY account_id`;
const WRONG_PAYMENTS = `
  SELECT p.id, p.status, p.credited_nano, sum(t.credited_nano) AS of_transfers, sum(l.amount_nano) AS in_ledger, count(l.id) AS entries
  FROM payments AS p LEFT JOIN payment_transfers AS t ON t.payment_id = p.id LEFT JOIN ledger_entries AS l ON l.id = t.entry_id
  GROUP BY p.id HAVING p.credited_nano <> coalesce(sum(l.amount_nano), 0) OR (p.status = 'confirmed') <> (count(l.id) = 1)`;

async function rows(database: DataSource, sql: string): Promise<string[]> {
  const found: unknown[] = await database.query(sql);
  return found.map((row) => JSON.stringify(row));
}

async function count(database: DataSource, sql: string): Promise<number> {
  const [row]: { count: number }[] = await database.query(
    `SELECT count(*)::integer AS count FROM (${sql}) AS found`,
  );
  return row?.count ?? 0;
}
