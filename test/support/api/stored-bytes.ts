import type { TestAccount, World } from './world';

/** How many bytes an account stores, as they are counted. */
export async function storedBytes(world: World, account: TestAccount = world.owner): Promise<number> {
  const [row]: { bytes: string }[] = await world.service.database.query(
    'SELECT coalesce(sum(bytes), 0) AS bytes FROM stored_bytes WHERE account_id = $1',
    [account.id],
  );
  return Number(row?.bytes);
}

/** Lets an account store so many bytes, whatever it has paid; null for what follows from that. */
export async function boundStorage(
  world: World,
  bytesMax: number | null,
  account: TestAccount = world.owner,
): Promise<void> {
  await world.service.database.query('UPDATE accounts SET storage_bytes_max = $2 WHERE id = $1', [
    account.id,
    bytesMax,
  ]);
}

/** How many bytes an account's rows have that are there. */
export async function recountedBytes(world: World, account: TestAccount = world.owner): Promise<number> {
  const { database } = world.service;
  const tables: { name: string }[] = await database.query(COUNTED);
  const sums = tables.map(
    ({ name }) => `SELECT sum(counted_bytes) AS bytes FROM ${name} WHERE account_id = $1`,
  );
  const [row]: { bytes: string }[] = await database.query(
    `SELECT coalesce(sum(bytes), 0) AS bytes FROM (${sums.join(' UNION ALL ')}) AS sums`,
    [account.id],
  );
  return Number(row?.bytes);
}

const COUNTED = "SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname = 'storage_delete'";
