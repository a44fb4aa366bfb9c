import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { Conflict, NotFound } from '../errors/api-errors';
import type { AccountDatabases } from './account-databases';
import { accountSchema } from './account-schemas';
import type { ProcessRegister } from './process-register';

/** Tables whose rows name a row of another one in the place of an account. Their rows move before those. */
const NAMED_BY: Readonly<Record<string, { column: string; table: string }>> = {
  replaced_secrets: { column: 'key_id', table: 'access_keys' },
  sightings: { column: 'key_id', table: 'access_keys' },
  task_pauses: { column: 'key_id', table: 'access_keys' },
  document_bytes: { column: 'document_id', table: 'documents' },
  document_texts: { column: 'document_id', table: 'documents' },
};

/** What a schema says of itself. */
const OF_SCHEMA = ['installed_functions', 'migrations', 'roll_ups'];

/** The columns that a row is made of again. The first sums that a process makes with moved calls begin with this transaction. */
const COLUMNS = `
  SELECT c.relname AS name,
    string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns,
    string_agg(CASE
      WHEN c.relname = 'calls' AND attname = 'written_by' THEN 'CASE WHEN written_by >= $2 THEN pg_current_xact_id() END'
      WHEN c.relname = 'rag_vectors' AND attname = 'written' THEN 'pg_current_xact_id()'
      ELSE quote_ident(attname) END, ', ' ORDER BY attnum) AS values,
    bool_or(attname = 'account_id') AS has_account
  FROM pg_class AS c JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
  WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> ALL($2)
  GROUP BY c.relname`;

interface Table {
  name: string;
  columns: string;
  values: string;
  has_account: boolean;
}

interface Sums {
  rolled_to: string;
  hours_from: string;
  ledger_days_to: string;
}

const BOOKS = `
  SELECT balance_nano = coalesce((SELECT sum(amount_nano) FROM %s.ledger_entries WHERE account_id = $1), 0)
    + coalesce((SELECT sum(amount_nano) FROM %s.carried_charges WHERE account_id = $1), 0) AS are_right, balance_nano
  FROM %s.balances WHERE account_id = $1 AND reserved_nano = 0
    AND NOT EXISTS (SELECT FROM %s.leases WHERE account_id = $1 AND amount_nano > 0)`;

/** Somebody still holds credit of the account; a moment later nobody may. */
export class StillReserved extends Error {}

/**
 * Moves all rows of an account from one schema to another. Triggers and foreign keys rest meanwhile: rows change their place and
 * nothing else. Nobody may work for the account; a row that somebody writes all the same stays behind and can be moved later.
 *
 * Locks roll_ups of both schemas and all rows of the account until the transaction of the manager ends.
 * @returns how many rows were moved
 * @throws StillReserved; NotFound; Conflict where its books do not balance, or the sums of both schemas go to different days
 * @throws the error of Postgres, also where the role may not set session_replication_role
 */
export async function moveRows(
  manager: EntityManager,
  accountId: string,
  from: number,
  to: number,
): Promise<number> {
  const [source, target] = [accountSchema(from), accountSchema(to)];
  await manager.query('SET LOCAL session_replication_role = replica');
  const sums = await lockedSums(manager, from, to);
  const before = await balanceOf(manager, source, accountId);
  const moved = await moveTables(manager, accountId, source, target, sums.rolled_to);
  await manager.query(
    `UPDATE ${target}.carried_charges AS carried SET summed_nano = coalesce((SELECT -sum(charged_nano) FROM ${target}.calls AS c
       WHERE c.account_id = carried.account_id AND position IS NOT NULL AND written_by IS NULL), 0) WHERE account_id = $1`,
    [accountId],
  );
  await numberBeyond(manager, source, target);
  if ((await balanceOf(manager, target, accountId)) !== before) {
    throw new Conflict('The balance would have changed; nothing was moved.');
  }
  return moved;
}

/** Moves what was written to the schema that the account has left. @returns how many rows */
export async function moveStrays(
  manager: EntityManager,
  accountId: string,
  from: number,
  to: number,
): Promise<number> {
  await manager.query('SET LOCAL session_replication_role = replica');
  const { rolled_to: rolledTo } = await lockedSums(manager, from, to);
  return moveTables(manager, accountId, accountSchema(from), accountSchema(to), rolledTo);
}

async function moveTables(
  manager: EntityManager,
  accountId: string,
  source: string,
  target: string,
  rolledTo: string,
): Promise<number> {
  const tables: Table[] = await manager.query(COLUMNS, [source, OF_SCHEMA]);
  const named = tables.filter(({ name }) => name in NAMED_BY);
  let moved = 0;
  for (const { name, columns, values } of [...named, ...tables.filter((table) => !named.includes(table))]) {
    const usesSums = values.includes('$2');
    const [row]: { rows: string }[] = await manager.query(
      `WITH moved AS (DELETE FROM ${source}.${name} WHERE ${conditionOf(name, source, target)} RETURNING *), placed AS (
         INSERT INTO ${target}.${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${values} FROM moved RETURNING 1
       ) SELECT count(*) AS rows FROM placed`,
      usesSums ? [accountId, rolledTo] : [accountId],
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

/** @returns how far the sums of the schema go that the account is in */
async function lockedSums(manager: EntityManager, from: number, to: number): Promise<Sums> {
  const sums = new Map<number, Sums>();
  for (const number of [from, to].toSorted((a, b) => a - b)) {
    const [row]: [Sums] = await manager.query(
      `SELECT rolled_to, hours_from::text, ledger_days_to::text FROM ${accountSchema(number)}.roll_ups FOR UPDATE`,
    );
    sums.set(number, row);
  }
  const [source, target] = [sums.get(from), sums.get(to)];
  if (
    !source ||
    source.hours_from !== target?.hours_from ||
    source.ledger_days_to !== target.ledger_days_to
  ) {
    throw new Conflict('The sums of the two schemas go to different days; try again in an hour.');
  }
  return source;
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

/** Positions grow within an account, so the numbers of the new schema have to go on beyond those of the old one. */
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

/** More than others take between the moment in which a sequence is looked at and that in which it is set. */
const NUMBERS_AHEAD = 1_000_000;

/** Carries the ids of an account and of a process in which no call of it is in flight. */
export const DRAINED = 'account_drained';

/** Longer than calls wait for the move of their account by itself: after that they would be let in, and nothing may move. */
const MOVING_FOR_MS = 2_000;
const DRAINED_WITHIN_MS = 1_000;
const AGAIN_AFTER_MS = 500;
const TRIES_MAX = 20;
const LOOKED_EVERY_MS = 10;

const BEGIN = `
  INSERT INTO account_routes (account_id, schema, moving_until)
  VALUES ($1, $2, clock_timestamp() + interval '${MOVING_FOR_MS} milliseconds')
  ON CONFLICT (account_id) DO UPDATE SET moving_until = excluded.moving_until
    WHERE account_routes.moving_until IS NULL OR account_routes.moving_until < clock_timestamp()
  RETURNING schema`;

const END = `
  UPDATE account_routes SET schema = $2, moving_until = NULL
  WHERE account_id = $1 AND moving_until > clock_timestamp() RETURNING schema`;

const RECALL = "SELECT pg_notify('ledger_recall', $1)";

const GIVE_UP = 'UPDATE account_routes SET moving_until = NULL WHERE account_id = $1';

/** One that has left has nothing in flight; one that is not heard of may have. */
const ALIVE = `
  SELECT id, valid_until > clock_timestamp() AS is_heard FROM processes
  WHERE NOT is_dead AND valid_until > '-infinity' AND id <> $1`;

interface Move {
  rows: number;
  /** For how long calls of the account waited, at most. */
  pausedMs: number;
}

/** Moves accounts to other schemas while they are served. */
export class AccountMover {
  private readonly drained = new Map<string, Set<string>>();

  /** Before the first heartbeat of the register. */
  constructor(
    private readonly databases: AccountDatabases,
    private readonly register: ProcessRegister,
  ) {
    register.listen(DRAINED, (payload) => {
      const [accountId = '', processId = ''] = payload.split(' ');
      this.drained.get(accountId)?.add(processId);
    });
  }

  /**
   * Calls of the account wait for a second at most. Where others are in flight for longer, this is tried again.
   * @throws NotFound, Conflict
   */
  async move(accountId: string, to: number): Promise<Move> {
    if (to < 0 || to >= this.databases.all.length) {
      throw new Conflict(`There is no schema ${to}; there are ${this.databases.all.length}.`);
    }
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const move = await this.tryTo(accountId, to);
      if (move) {
        return move;
      }
      await delay(AGAIN_AFTER_MS);
    }
    throw new Conflict(
      'Calls of the account were in flight all the time, or a process was not heard of; try again.',
    );
  }

  private async tryTo(accountId: string, to: number): Promise<Move | null> {
    await this.databases.readRoutes(accountId);
    const from = this.databases.numberOf(accountId);
    if (from === to) {
      return { rows: 0, pausedMs: 0 };
    }
    if ((await this.alive()).some(({ is_heard: isHeard }) => !isHeard)) {
      return null;
    }
    const beganMs = performance.now();
    const drained = new Set<string>();
    this.drained.set(accountId, drained);
    try {
      const rows = await this.pausedMove(accountId, from, to, drained);
      return rows === null ? null : { rows, pausedMs: performance.now() - beganMs };
    } finally {
      this.drained.delete(accountId);
    }
  }

  private async pausedMove(
    accountId: string,
    from: number,
    to: number,
    drained: ReadonlySet<string>,
  ): Promise<number | null> {
    const beganMs = performance.now();
    const begun = await this.change(accountId, (manager) =>
      manager.query<unknown[]>(BEGIN, [accountId, from]),
    );
    if (begun.length === 0) {
      return null;
    }
    try {
      while (performance.now() < beganMs + DRAINED_WITHIN_MS) {
        const rows = (await this.isDrained(drained)) ? await this.moved(accountId, from, to) : null;
        if (rows !== null) {
          return rows;
        }
        await delay(LOOKED_EVERY_MS);
      }
    } catch (error) {
      await this.change(accountId, (manager) => manager.query(GIVE_UP, [accountId]));
      throw error;
    }
    await this.change(accountId, (manager) => manager.query(GIVE_UP, [accountId]));
    return null;
  }

  private async isDrained(drained: ReadonlySet<string>): Promise<boolean> {
    return (await this.alive()).every(({ id }) => drained.has(id));
  }

  private alive(): Promise<{ id: string; is_heard: boolean }[]> {
    return this.databases.everyone.query(ALIVE, [this.register.id]);
  }

  /** @returns null where credit is still on its way back, or the time is over */
  private async moved(accountId: string, from: number, to: number): Promise<number | null> {
    try {
      const rows = await this.change(accountId, async (manager) => {
        const count = await moveRows(manager, accountId, from, to);
        const [ended]: [{ schema: number }[], number] = await manager.query(END, [accountId, to]);
        if (ended.length === 0) {
          throw new StillReserved();
        }
        return count;
      });
      await this.databases.readRoutes(accountId);
      return (
        rows +
        (await this.databases.everyone.transaction((manager) => moveStrays(manager, accountId, from, to)))
      );
    } catch (error) {
      if (!(error instanceof StillReserved)) {
        throw error;
      }
      // Its last calls may have been lent for after all processes were told.
      await this.databases.everyone.query(RECALL, [accountId]);
      return null;
    }
  }

  /** Of which all processes know when this returns. */
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
