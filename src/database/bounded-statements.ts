import type { DataSource, EntityManager } from 'typeorm';

/** How many rows a FROM and its conditions have. All SQL comes from the code, never from a caller. */
export async function countOf(
  database: Pick<EntityManager, 'query'>,
  rows: string,
  values: unknown[] = [],
): Promise<number> {
  const [row]: { count: string }[] = await database.query(`SELECT count(*) FROM ${rows}`, values);
  return Number(row?.count);
}

/** SQL conditions with `$` where their value goes. One whose value is null or undefined is left out. */
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

/** From the start, and before the end. */
export function inPeriod(
  { start, end }: { start: Date | null; end: Date | null },
  column = 'created_at',
): Conditions {
  return { [`${column} >= $`]: start, [`${column} < $`]: end };
}

/** A list of columns for SELECT or RETURNING, each under the name of its property: `webhook_id AS "webhookId"`. */
export function asProperties(columns: string): string {
  const propertyOf = (name: string) => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return columns.replaceAll(/\w+/g, (name) => `${name} AS "${propertyOf(name)}"`);
}

/** A row as the driver gives it: a bigint, which a double need not hold, is a text. */
export type StoredRow<Row> = {
  [Name in keyof Row]: Row[Name] extends bigint
    ? string
    : Row[Name] extends bigint | null
      ? string | null
      : Row[Name];
};

type Bigints<Row, Name extends keyof Row> = { [Each in Name]: bigint | Extract<Row[Each], null> };

/** The row with the named texts as bigints. */
export function withBigints<Row extends object, Name extends keyof Row>(
  row: Row,
  ...names: readonly Name[]
): Omit<Row, Name> & Bigints<Row, Name> {
  const bigints = names.map((name) => [name, row[name] === null ? null : BigInt(row[name] as string)]);
  return { ...row, ...(Object.fromEntries(bigints) as Bigints<Row, Name>) };
}

/** A page as the document's lists describe it. */
export interface RowPage<Row> {
  items: Row[];
  total: number;
  limit: number;
  offset: number;
}

/** The rows of a page that meet the conditions, in an order without ties, and how many there are in all. All SQL comes from the code. */
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

/** Of JSON. A page stays in memory until its caller has read it, and a hundred of the largest items would be 100 MB. */
const PAGE_BYTES_MAX = 1024 * 1024;

export interface PageSize {
  /** The size of a row, roughly and never too high, from what Postgres knows without reading large values. */
  storedBytes: string;
  /** The size of a row as JSON, never too low. Read only for the rows that may fit. */
  jsonBytes: string;
}

type PageSql = PageSize & Record<'rows' | 'columns' | 'order', string>;

/**
 * As many rows as have PAGE_BYTES_MAX of JSON, at least one; the others stay. `listed` is how many there would be. All SQL comes from
 * the code, and no two rows have one place in the order.
 */
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
  /** How many rows one batch handles at most: so few that nobody waits long for their locks. */
  sizeMax: number;
  /** How many batches are run at most, so that a run ends even if rows are added as fast as they are handled. */
  batchesMax: number;
  signal?: AbortSignal | undefined;
}

/** Ends with the first batch that handles less than it may. @returns how many rows were handled in all */
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

/** @param statement takes the time and how many rows it deletes at most. @returns how many rows were deleted */
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

/**
 * By a column, and rows with the same value by their ids. Rows without a value come last, whichever the direction. To say so of a
 * column that always has one keeps its index from being used.
 */
export function orderBy(column: string, order: 'asc' | 'desc', isNullable: boolean, id = 'id'): string {
  const first = `${column} ${order}${isNullable ? ' NULLS LAST' : ''}`;
  return column === id ? first : `${first}, ${id} ${order}`;
}
