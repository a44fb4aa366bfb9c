import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { Conflict, NotFound } from '../errors/api-errors';
import { type AccountDatabases, ACCOUNT_DRAINED } from './account-databases';
import { accountSchema } from './account-schemas';
import { isUndoneForAnother } from './driver-errors';
import type { ProcessRegister } from './process-register';

const DRAINED_WITHIN_MS = 1_000;
const MOVED_WITHIN_MS = 4_000;
/** After that calls are let in, and nothing may move. */
const MOVING_FOR_MS = DRAINED_WITHIN_MS + MOVED_WITHIN_MS + 1_000;
const AGAIN_AFTER_MS = 500;
const TRIES_MAX = 20;
/** Longer than others take to end a silent process. */
const HEARD_WITHIN_MS = 60_000;
const LOOKED_EVERY_MS = 10;

const BEGIN = `
  INSERT INTO account_routes (account_id, schema, moving_until)
  VALUES ($1, $2, clock_timestamp() + interval '${MOVING_FOR_MS} milliseconds')
  ON CONFLICT (account_id) DO UPDATE SET moving_until = excluded.moving_until, version = account_routes.version + 1
    WHERE account_routes.moving_until IS NULL OR account_routes.moving_until < clock_timestamp()
  RETURNING version`;

const END = `
  UPDATE account_routes SET schema = $2, moving_until = NULL, version = version + 1
  WHERE account_id = $1 AND version = $3 AND moving_until > clock_timestamp() RETURNING version`;

const GIVE_UP = `
  UPDATE account_routes SET moving_until = NULL, version = version + 1 WHERE account_id = $1 AND version = $2`;

/** A process that left has no calls; a silent one may. */
const ALIVE = `
  SELECT id, valid_until > clock_timestamp() AS is_heard FROM processes
  WHERE NOT is_dead AND valid_until > '-infinity' AND id <> $1`;

interface Journey {
  accountId: string;
  from: number;
  to: number;
  version: string;
}

interface Move {
  rows: number;
  pausedMs: number;
}

/** Leases still hold credit of the account, for a moment. */
class StillReserved extends Error {}

export class AccountMover {
  /** `<account> <process> <version>` for processes without its calls. */
  private readonly drained = new Set<string>();

  constructor(
    private readonly databases: AccountDatabases,
    private readonly register: ProcessRegister,
  ) {
    register.listen(ACCOUNT_DRAINED, (payload) => this.drained.add(payload));
    // Other movers also wait for this process, which makes no calls.
    register.onChange(async (accountId) => {
      if (accountId !== null) {
        await databases.readRoutes(accountId);
        await databases.notifyDrained(accountId, register.id);
      }
    });
  }

  /** The account's calls wait a second plus the move of its rows. @throws NotFound, Conflict */
  async move(accountId: string, to: number): Promise<Move> {
    if (to < 0 || to >= this.databases.all.length) {
      throw new Conflict(`There is no schema ${to}; there are ${this.databases.all.length}.`);
    }
    if (this.databases.places) {
      throw new Conflict(
        'Accounts cannot be moved between schemas that are on several servers; move a schema.',
      );
    }
    await this.untilAllHeard();
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const move = await this.tryTo(accountId, to);
      if (move) {
        return move;
      }
      await delay(AGAIN_AFTER_MS);
    }
    throw new Conflict('Calls of the account were in flight all the time; try again.');
  }

  private async untilAllHeard(): Promise<void> {
    const deadlineMs = performance.now() + HEARD_WITHIN_MS;
    while ((await this.alive()).some(({ is_heard: isHeard }) => !isHeard)) {
      if (performance.now() > deadlineMs) {
        throw new Conflict(
          'A process is not heard of, and none of role all or worker has ended it; try again.',
        );
      }
      await delay(AGAIN_AFTER_MS);
    }
  }

  private async collect(accountId: string, schemas: readonly number[], to: number): Promise<number> {
    let rows = 0;
    for (const from of schemas.filter((schema) => schema !== to)) {
      rows += await this.databases.everyone.transaction((manager) =>
        moveStrays(manager, accountId, from, to),
      );
    }
    return rows;
  }

  /** @returns null where calls were in flight for too long */
  private async tryTo(accountId: string, to: number): Promise<Move | null> {
    await this.databases.readRoutes(accountId);
    const from = this.databases.numberOf(accountId);
    if (from === to) {
      return { rows: await this.collect(accountId, [...this.databases.all.keys()], to), pausedMs: 0 };
    }
    const beganMs = performance.now();
    const [begun] = await this.change(accountId, (manager) =>
      manager.query<{ version: string }[]>(BEGIN, [accountId, from]),
    );
    if (!begun) {
      return null;
    }
    try {
      const rows = await this.pausedMove({ accountId, from, to, version: begun.version }, beganMs);
      const pausedMs = performance.now() - beganMs;
      return rows === null ? null : { rows: rows + (await this.collect(accountId, [from], to)), pausedMs };
    } catch (error) {
      await this.giveUp(accountId, begun.version);
      throw error;
    } finally {
      this.drained.clear();
    }
  }

  private async pausedMove(journey: Journey, beganMs: number): Promise<number | null> {
    while (performance.now() < beganMs + DRAINED_WITHIN_MS) {
      const rows = (await this.isDrained(journey)) ? await this.moved(journey) : null;
      if (rows !== null) {
        await this.databases.readRoutes(journey.accountId);
        return rows;
      }
      await delay(LOOKED_EVERY_MS);
    }
    await this.giveUp(journey.accountId, journey.version);
    return null;
  }

  private async giveUp(accountId: string, version: string): Promise<void> {
    await this.change(accountId, (manager) => manager.query(GIVE_UP, [accountId, version]));
  }

  private async isDrained({ accountId, version }: Journey): Promise<boolean> {
    return (await this.alive()).every(({ id }) => this.drained.has(`${accountId} ${id} ${version}`));
  }

  private alive(): Promise<{ id: string; is_heard: boolean }[]> {
    return this.databases.everyone.query(ALIVE, [this.register.id]);
  }

  /** @returns null where leases are still coming back, or time is over */
  private async moved({ accountId, from, to, version }: Journey): Promise<number | null> {
    const deadlineMs = performance.now() + MOVED_WITHIN_MS;
    try {
      return await this.change(accountId, async (manager) => {
        const count = await moveRows(manager, accountId, from, to, deadlineMs);
        const [ended]: [unknown[], number] = await manager.query(END, [accountId, to, version]);
        if (ended.length === 0) {
          throw new StillReserved();
        }
        return count;
      });
    } catch (error) {
      if (!(error instanceof StillReserved) && !isUndoneForAnother(error)) {
        throw error;
      }
      // Its last calls may have got leases after the announcement.
      await this.databases.everyone.query("SELECT pg_notify('ledger_recall', $1)", [accountId]);
      return null;
    }
  }

  private change<Result>(
    accountId: string,
    change: (manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    return this.register.changing(accountId, (announce) =>
      this.databases.everyone.transaction(async (manager) => {
        const result = await change(manager);
        await announce(manager);
        return result;
      }),
    );
  }
}

/** Rows that name another row instead of an account; they move first. */
const NAMED_BY: Readonly<Record<string, { column: string; table: string }>> = {
  replaced_secrets: { column: 'key_id', table: 'access_keys' },
  sightings: { column: 'key_id', table: 'access_keys' },
  task_pauses: { column: 'key_id', table: 'access_keys' },
  document_bytes: { column: 'document_id', table: 'documents' },
  document_texts: { column: 'document_id', table: 'documents' },
};

/** Of the schema, not of an account. */
const OF_SCHEMA = ['installed_functions', 'migrations', 'roll_ups', 'room_replicas', 'slow_receivers'];

/** Columns to copy. The first sums made with moved calls begin with this transaction. */
const COLUMNS = `
  SELECT c.relname AS name,
    string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns,
    string_agg(CASE
      WHEN c.relname = 'calls' AND attname = 'written_by' THEN 'CASE WHEN written_by >= $2 THEN pg_current_xact_id() END'
      WHEN c.relname = 'rag_vectors' AND attname = 'written' THEN 'pg_current_xact_id()'
      ELSE quote_ident(attname) END, ', ' ORDER BY attnum) AS values
  FROM pg_class AS c JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
  WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> ALL($2)
  GROUP BY c.relname ORDER BY c.relname = ANY ($3) DESC`;

const BOOKS = `
  SELECT balance_nano = coalesce((SELECT sum(amount_nano) FROM %s.ledger_entries WHERE account_id = $1), 0)
    + coalesce((SELECT sum(amount_nano) FROM %s.carried_charges WHERE account_id = $1), 0) AS are_right, balance_nano
  FROM %s.balances WHERE account_id = $1 AND reserved_nano = 0
    AND NOT EXISTS (SELECT FROM %s.leases WHERE account_id = $1 AND amount_nano > 0)`;

/** Added to a row of the same key: later calls were summed where they were. */
const ADDED: Readonly<Record<string, string>> = {
  usage_hours: added('usage_hours_key', ['requests', 'successful', 'tokens', 'cost_nano']),
  usage_days: added('usage_days_key', ['requests', 'successful', 'tokens', 'cost_nano']),
  ledger_hours: `${added('ledger_hours_pkey', ['entries', 'amount_nano'])},
    first_position = least(t.first_position, excluded.first_position),
    last_position = greatest(t.last_position, excluded.last_position)`,
};

function added(constraint: string, columns: readonly string[]): string {
  const sums = columns.map((column) => `${column} = t.${column} + excluded.${column}`);
  return `ON CONFLICT ON CONSTRAINT ${constraint} DO UPDATE SET ${sums.join(', ')}`;
}

/**
 * With triggers and foreign keys off. A row written meanwhile stays and can be moved later. Locks roll_ups of
 * both schemas, the balance and the rows until the transaction ends.
 * @param deadlineMs by performance.now()
 * @throws StillReserved, NotFound; Conflict for the deadline, a wrong balance, or sums up to different days;
 * Postgres' error, also without the right to session_replication_role
 */
async function moveRows(
  manager: EntityManager,
  accountId: string,
  from: number,
  to: number,
  deadlineMs: number,
): Promise<number> {
  const [source, target] = [accountSchema(from), accountSchema(to)];
  const rolledTo = await lockedSums(manager, from, to);
  // Credits lock the balance until their entry is written.
  await manager.query(`SELECT FROM ${source}.balances WHERE account_id = $1 FOR UPDATE`, [accountId]);
  const before = await balanceOf(manager, source, accountId);
  const moved = await moveTables(manager, accountId, { source, target, rolledTo, deadlineMs });
  await manager.query(
    `INSERT INTO ${target}.carried_charges AS carried (account_id, amount_nano, summed_nano)
     SELECT $1::uuid, 0, coalesce(-sum(charged_nano), 0) FROM ${target}.calls
     WHERE account_id = $1 AND position IS NOT NULL AND written_by IS NULL
     ON CONFLICT (account_id) DO UPDATE SET summed_nano = excluded.summed_nano`,
    [accountId],
  );
  await numberBeyond(manager, source, target);
  if ((await balanceOf(manager, target, accountId)) !== before) {
    throw new Conflict('The balance would have changed; nothing was moved.');
  }
  return moved;
}

async function moveStrays(
  manager: EntityManager,
  accountId: string,
  from: number,
  to: number,
): Promise<number> {
  const rolledTo = await lockedSums(manager, from, to);
  const [source, target] = [accountSchema(from), accountSchema(to)];
  const otherwise = 'ON CONFLICT DO NOTHING';
  return moveTables(manager, accountId, { source, target, rolledTo, deadlineMs: Infinity, otherwise });
}

interface TablesMove {
  source: string;
  target: string;
  rolledTo: string;
  deadlineMs: number;
  otherwise?: string;
}

async function moveTables(
  manager: EntityManager,
  accountId: string,
  { source, target, rolledTo, deadlineMs, otherwise = '' }: TablesMove,
): Promise<number> {
  await manager.query('SET LOCAL session_replication_role = replica');
  const tables: Record<'name' | 'columns' | 'values', string>[] = await manager.query(COLUMNS, [
    source,
    OF_SCHEMA,
    Object.keys(NAMED_BY),
  ]);
  let moved = 0;
  for (const { name, columns, values } of tables) {
    if (performance.now() > deadlineMs) {
      throw new Conflict('The account has more rows than can be moved within seconds; nothing was moved.');
    }
    const [row]: { rows: string }[] = await manager.query(
      `WITH moved AS (DELETE FROM ${source}.${name} WHERE ${conditionOf(name, source, target)} RETURNING *), placed AS (
         INSERT INTO ${target}.${name} AS t (${columns}) OVERRIDING SYSTEM VALUE SELECT ${values} FROM moved
         ${ADDED[name] ?? otherwise} RETURNING 1
       ) SELECT count(*) AS rows FROM placed`,
      values.includes('$2') ? [accountId, rolledTo] : [accountId],
    );
    moved += Number(row?.rows);
  }
  return moved;
}

function conditionOf(table: string, source: string, target: string): string {
  const named = NAMED_BY[table];
  if (!named) {
    return table === 'accounts' ? 'id = $1' : 'account_id = $1';
  }
  const ids = [source, target].map(
    (schema) => `SELECT id FROM ${schema}.${named.table} WHERE account_id = $1`,
  );
  return `${named.column} IN (${ids.join(' UNION ALL ')})`;
}

/** @returns the transaction up to which the account's schema has sums */
async function lockedSums(manager: EntityManager, from: number, to: number): Promise<string> {
  const sums = new Map<number, { rolled_to: string; days: string }>();
  for (const number of [from, to].toSorted((a, b) => a - b)) {
    const [row]: [{ rolled_to: string; days: string }] = await manager.query(
      `SELECT rolled_to, (hours_from, ledger_days_to)::text AS days FROM ${accountSchema(number)}.roll_ups FOR UPDATE`,
    );
    sums.set(number, row);
  }
  const source = sums.get(from);
  if (!source || source.days !== sums.get(to)?.days) {
    throw new Conflict('The sums of the two schemas go to different days; try again in an hour.');
  }
  return source.rolled_to;
}

/** In nano-USD. @throws StillReserved, NotFound, Conflict */
async function balanceOf(manager: EntityManager, schema: string, accountId: string): Promise<string> {
  const [row]: { are_right: boolean; balance_nano: string }[] = await manager.query(
    BOOKS.replaceAll('%s', schema),
    [accountId],
  );
  if (!row) {
    const found: unknown[] = await manager.query(`SELECT FROM ${schema}.accounts WHERE id = $1`, [accountId]);
    throw found.length > 0 ? new StillReserved() : new NotFound('account');
  }
  if (!row.are_right) {
    throw new Conflict('The balance is not the sum of its entries; nothing was moved.');
  }
  return row.balance_nano;
}

/** Positions grow within an account, so the new schema's must be beyond the old one's. */
async function numberBeyond(manager: EntityManager, source: string, target: string): Promise<void> {
  await manager.query(
    `SELECT setval(t.seqrelid::regclass, s.reached + ${NUMBERS_AHEAD}) FROM (
       SELECT relname, pg_sequence_last_value(c.oid) AS reached FROM pg_class AS c
       WHERE relnamespace = '${source}'::regnamespace AND relkind = 'S' AND relname <> 'migrations_id_seq'
     ) AS s
     JOIN pg_class AS c ON c.relname = s.relname AND c.relnamespace = '${target}'::regnamespace
     JOIN pg_sequence AS t ON t.seqrelid = c.oid
     WHERE s.reached > coalesce(pg_sequence_last_value(c.oid), 0)`,
  );
}

/** More than can be taken between reading a sequence and setting it. */
const NUMBERS_AHEAD = 1_000_000;
