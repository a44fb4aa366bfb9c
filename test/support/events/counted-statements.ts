import type { DataSource } from 'typeorm';

/** How many statements that match the service sends meanwhile, outside of transactions. */
export async function statementsDuring(
  database: DataSource,
  matching: RegExp,
  during: () => Promise<unknown>,
): Promise<number> {
  const { query } = database;
  let count = 0;
  database.query = ((...parameters: Parameters<typeof query>) => {
    count += matching.test(parameters[0]) ? 1 : 0;
    return query.apply(database, parameters);
  }) as typeof query;
  try {
    await during();
  } finally {
    database.query = query;
  }
  return count;
}
