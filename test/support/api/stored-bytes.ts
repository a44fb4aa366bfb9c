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

/** How many bytes an account's rows have that are there, by what the triggers of the tables count of a row. */
export async function recountedBytes(world: World, account: TestAccount = world.owner): Promise<number> {
  const { database } = world.service;
  const counted: { name: string; expression: string }[] = await database.query(COUNTED);
  let bytes = 0;
  for (const { name, expression } of counted) {
    const [row]: { bytes: string }[] = await database.query(
      `SELECT coalesce(sum(${expression}), 0) AS bytes FROM ${name} WHERE account_id = $1`,
      [account.id],
    );
    bytes += Number(row?.bytes);
  }
  return bytes;
}

// The arguments of a trigger are kept one after the other, each with a zero byte behind it.
const COUNTED = `
  SELECT tgrelid::regclass::text AS name,
    convert_from(substring(tgargs FOR position('\\x00'::bytea IN tgargs) - 1), 'UTF8') AS expression
  FROM pg_trigger WHERE tgname = 'storage_delete'`;
