import type { DataSource, EntityManager } from 'typeorm';

/** @param rows FROM and conditions, from the code, never from a caller */
export async function countOf(
  database: Pick<EntityManager, 'query'>,
  rows: string,
  values: unknown[] = [],
): Promise<number> {
  const [row]: { count: string }[] = await database.query(`SELECT count(*) FROM ${rows}`, values);
  return Number(row?.count);
}

/** SQL with `$` for the value; null and undefined values drop it. */
export type Conditions = Readonly<Record<string, unknown>>;

export function meeting(conditions: Conditions): { where: string; values: unknown[] } {
  const values: unknown[] = [];
  const where = Object.entries(conditions)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([condition, value]) => {
      const place = condition.includes('$') ? `$${values.push(value)}` : '';
      return condition.replaceAll('$', () => place);
    });
  return { where: where.join(' AND ') || 'true', values };
}

export function inPeriod(
  { start, end }: { start: Date | null; end: Date | null },
  column = 'created_at',
): Conditions {
  return { [`${column} >= $`]: start, [`${column} < $`]: end };
}

/** Columns under their properties' names: `webhook_id AS "webhookId"`. */
export function asProperties(columns: string): string {
  const propertyOf = (name: string) => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return columns.replaceAll(/\w+/g, (name) => `${name} AS "${propertyOf(name)}"`);
}

/** The driver gives bigints as texts. */
export type StoredRow<Row> = {
  [Name in keyof Row]: Row[Name] extends bigint
    ? string
    : Row[Name] extends bigint | null
      ? string | null
      : Row[Name];
};

type Bigints<Row, Name extends keyof Row> = { [Each in Name]: bigint | Extract<Row[Each], null> };

export function withBigints<Row extends object, Name extends keyof Row>(
  row: Row,
  ...names: readonly Name[]
): Omit<Row, Name> & Bigints<Row, Name> {
  const bigints = names.map((name) => [name, row[name] === null ? null : BigInt(row[name] as string)]);
  return { ...row, ...(Object.fromEntries(bigints) as Bigints<Row, Name>) };
}

export interface RowPage<Row> {
  items: Row[];
  total: number;
  limit: number;
  offset: number;
}

/** All SQL comes from the code; the order must have no ties. */
export async function listRows<Row>(
  database: Pick<EntityManager, 'query'>,
  { columns, from, order }: Record<'columns' | 'from' | 'order', string>,
  { limit, offset }: { limit: number; offset: number },
  conditions: Conditions,
): Promise<RowPage<Row>> {
  const { where, values } = meeting(conditions);
  const total = await countOf(database, `${from} WHERE ${where}`, values);
  const items: Row[] = await database.query(
    `SELECT ${columns} FROM ${from} WHERE ${where} ORDER BY ${order}
     LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, limit, offset],
  );
  return { items, total, limit, offset };
}

/** Pages stay in memory until read; a hundred of the largest items would be 100 MB. */
const PAGE_BYTES_MAX = 1024 * 1024;

export interface PageSize {
  /** A rough lower bound of its size, known without reading large values. */
  storedBytes: string;
  /** An upper bound of its JSON size, read only for rows that may fit. */
  jsonBytes: string;
}

type PageSql = PageSize & Record<'rows' | 'columns' | 'order', string>;

/** As many rows as fit, at least one; `listed` counts all. SQL is from the code, and the order has no ties. */
export function boundedPage({ rows, columns, order, storedBytes, jsonBytes }: PageSql): string {
  return `
    SELECT ${columns}, listed FROM (
      SELECT *, sum(json_bytes) OVER (ORDER BY ${order}) AS json_bytes_through FROM (
        SELECT *, ${jsonBytes} AS json_bytes FROM (
          SELECT *, sum(${storedBytes}) OVER (ORDER BY ${order}) - (${storedBytes}) AS stored_bytes_before,
            count(*) OVER ()::integer AS listed
          FROM (${rows}) AS page
        ) AS roughly_measured WHERE stored_bytes_before < ${PAGE_BYTES_MAX}
      ) AS measured
    ) AS summed
    WHERE json_bytes_through <= ${PAGE_BYTES_MAX} OR json_bytes_through = json_bytes ORDER BY ${order}`;
}

export interface BoundedPage<Item> {
  items: Item[];
  isTruncated: boolean;
}

export function pageOf<Item extends object>(rows: readonly (Item & { listed: number })[]): BoundedPage<Item> {
  const items = rows.map(({ listed: _, ...item }) => item as unknown as Item);
  return { items, isTruncated: items.length < (rows[0]?.listed ?? 0) };
}

export interface BatchBounds {
  /** So few that nobody waits long for their locks. */
  sizeMax: number;
  /** Ends a run even if rows are added as fast as they are handled. */
  batchesMax: number;
  signal?: AbortSignal | undefined;
}

export async function inBatches(
  { sizeMax, batchesMax, signal }: BatchBounds,
  batch: (sizeMax: number) => Promise<number>,
): Promise<number> {
  let handled = 0;
  for (let batches = 0; batches < batchesMax && !signal?.aborted; batches += 1) {
    const count = await batch(sizeMax);
    handled += count;
    if (count < sizeMax) {
      break;
    }
  }
  return handled;
}

export async function deleteInBatches(
  database: Pick<DataSource, 'query'>,
  statement: string,
  before: Date,
  bounds: BatchBounds,
): Promise<number> {
  return inBatches(bounds, async (sizeMax) => {
    const [, deleted]: [unknown, number] = await database.query(statement, [before, sizeMax]);
    return deleted;
  });
}

/** NULLS LAST on a column without nulls would keep its index from being used. */
export function orderBy(column: string, order: 'asc' | 'desc', isNullable: boolean, id = 'id'): string {
  const first = `${column} ${order}${isNullable ? ' NULLS LAST' : ''}`;
  return column === id ? first : `${first}, ${id} ${order}`;
}
