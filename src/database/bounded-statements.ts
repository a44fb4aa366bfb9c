import type { DataSource } from 'typeorm';

/**
 * How many bytes of JSON the items of one page may have. A page is made in memory and stays there until its caller has
 * read it, and a hundred of the largest items would be 100 MB.
 */
const PAGE_BYTES_MAX = 1024 * 1024;

/** How large the rows of a page are, in SQL. */
export interface PageSize {
  /** The size of a row, roughly and never too high, from what Postgres knows without reading large values. */
  storedBytes: string;
  /** The size of a row as JSON, never too low. Read only for the rows that may fit. */
  jsonBytes: string;
}

/** The SQL of a page. All of it comes from the code, never from a caller. */
interface PageSql extends PageSize {
  /** A query of the rows that the page would have without the bound. */
  rows: string;
  /** What to select of them. */
  columns: string;
  /** Their order, which puts no two rows at the same place. */
  order: string;
}

/**
 * A query of the first rows of a page: as many as have PAGE_BYTES_MAX bytes of JSON together, and the first in any case.
 * The others do not leave the database. Each row says as `listed` how many there would be without the bound.
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

/** A page as a query of `boundedPage` found it. */
export interface BoundedPage<Item> {
  items: Item[];
  /** Whether items are left out because they did not fit. */
  isTruncated: boolean;
}

/** Makes a page of the rows that such a query gave. */
export function pageOf<Item extends object>(rows: readonly (Item & { listed: number })[]): BoundedPage<Item> {
  const items = rows.map(({ listed: _, ...item }) => item as unknown as Item);
  return { items, isTruncated: items.length < (rows[0]?.listed ?? 0) };
}

interface BatchBounds {
  /** How many rows one batch handles at most: so few that nobody waits long for their locks. */
  sizeMax: number;
  /** How many batches are run at most, so that a run ends even if rows are added as fast as they are handled. */
  batchesMax: number;
  /** Once it is aborted, no further batch is begun. Aborted when the process ends. */
  signal?: AbortSignal | undefined;
}

/**
 * Repeats a statement that handles at most `sizeMax` rows until it handles fewer, at most `batchesMax` times.
 * @param batch handles at most `sizeMax` rows and returns how many it has handled
 * @returns how many rows were handled in all
 * @throws whatever the statement throws; the batches before it stay done
 */
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

/**
 * Deletes in batches what became old before a time.
 * @param statement takes the time and how many rows it deletes at most
 * @returns how many rows were deleted
 */
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

/** Rows without a value come last, whichever the direction. To say so of a column that always has one keeps its index from being used. */
export function inDirection(column: string, order: 'asc' | 'desc', isNullable: boolean): string {
  return `${column} ${order === 'asc' ? 'ASC' : 'DESC'}${isNullable ? ' NULLS LAST' : ''}`;
}
