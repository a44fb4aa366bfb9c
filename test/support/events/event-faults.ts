import { isDeepStrictEqual } from 'node:util';

interface Database {
  query(sql: string, parameters?: unknown[]): Promise<unknown>;
}

interface Entry {
  id: string;
  account_id: string;
  position: string;
  type: string;
  amount_nano: string;
  balance_after_nano: string;
  reference_id: string | null;
  request_id: string | null;
}

interface EventRow {
  account_id: string;
  event_type: string;
  data: Record<string, unknown>;
}

const LOW_NANO_USD = 10_000_000_000n;

/**
 * What is wrong with the events of the ledger, one line per fault. Every account has to have subscribed to all types
 * before its first entry. Of each account the events of its balance must be exactly those that its entries, read in the
 * order of their positions, make one expect, in that order; each previous balance is the new one of the event before.
 * No limit of a key may have told twice in one period.
 */
export async function faultsInEvents(database: Database): Promise<string[]> {
  const entries = (await database.query(
    `SELECT id, account_id, position, type, amount_nano, balance_after_nano, reference_id, request_id
     FROM ledger_entries
     WHERE account_id IN (SELECT account_id FROM event_subscriptions) ORDER BY account_id, position`,
  )) as Entry[];
  const events = (await database.query(
    'SELECT account_id, event_type, data FROM events ORDER BY account_id, position',
  )) as EventRow[];
  const expected = entries.flatMap(expectedOf);
  const written = events
    .filter((event) => event.event_type.startsWith('balance.'))
    .map(({ account_id: account, event_type: type, data }) => ({ account, type, data }));
  const wrong = written.findIndex((event, index) => !isDeepStrictEqual(event, expected[index]));
  return [
    ...(written.length === expected.length
      ? []
      : [`${written.length} events of balances, expected ${expected.length}`]),
    ...(wrong < 0 ? [] : [`expected ${show(expected[wrong])}, written ${show(written[wrong])}`]),
    ...gaps(events),
    ...twice(events),
  ];
}

function expectedOf(entry: Entry) {
  const [change, after] = [BigInt(entry.amount_nano), BigInt(entry.balance_after_nano)];
  const before = after - change;
  const account = entry.account_id;
  const base = { user_id: account, previous_balance: usd(before) };
  const of = { transaction_id: entry.id };
  return [
    {
      account,
      type: 'balance.updated',
      data: {
        ...base,
        new_balance: usd(after),
        change: usd(change),
        reason: entry.type,
        reference_id: entry.reference_id,
        ...of,
        ledger_position: Number(entry.position),
        metadata: { request_id: entry.request_id, cause: causeOf(entry) },
      },
      isWritten: change !== 0n,
    },
    {
      account,
      type: 'balance.low',
      data: { ...base, balance: usd(after), threshold: 10, ...of },
      isWritten: before >= LOW_NANO_USD && after < LOW_NANO_USD,
    },
    {
      account,
      type: 'balance.depleted',
      data: { ...base, balance: usd(after), ...of },
      isWritten: before > 0n && after === 0n,
    },
  ].flatMap(({ isWritten: isWritten, ...event }) => (isWritten ? [event] : []));
}

/** A run of a task alone has the id of its request as its own. */
function causeOf({ id, type, reference_id: reference, request_id: requestId }: Entry): string {
  if (type === 'charge') {
    return requestId === id ? 'task' : 'call';
  }
  if (type === 'deposit' && reference?.startsWith('payment:')) {
    return 'payment';
  }
  return reference === 'welcome' ? 'service' : 'admin';
}

/** Where a subscriber who sorts balance.updated by ledger_position would find a change missing. */
function gaps(events: readonly EventRow[]): string[] {
  const balances = new Map<string, unknown>();
  return events
    .filter(({ event_type: type }) => type === 'balance.updated')
    .toSorted((one, other) => Number(one.data.ledger_position) - Number(other.data.ledger_position))
    .flatMap(({ account_id: account, data }) => {
      const before = balances.get(account) ?? data.previous_balance;
      balances.set(account, data.new_balance);
      return before === data.previous_balance
        ? []
        : [`${account} had ${String(before)}, then ${show(data)} begins elsewhere`];
    });
}

function twice(events: readonly EventRow[]): string[] {
  const told = events
    .filter(({ event_type: type }) => type.startsWith('usage.'))
    .map(({ event_type: type, data }) =>
      [type, data.access_key_id, data.limit_type, data.limit, data.resets_at].join(' '),
    );
  return told.filter((text, index) => told.indexOf(text) !== index).map((text) => `told twice: ${text}`);
}

/** As JSON.parse reads the exact decimal number, which has nine places at most. */
function usd(nano: bigint): number {
  const digits = (nano < 0n ? -nano : nano).toString().padStart(10, '0');
  return Number(`${nano < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`);
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
