import type { DataSource, EntityManager } from 'typeorm';
import { sqlStateOf } from '../database/driver-errors';
import { Conflict } from '../errors/api-errors';

const STORAGE_FULL = 'AS001';

/** 409: the account's stored bytes of all kinds would exceed its limit. Nothing was stored. */
export class StorageFull extends Conflict {
  constructor() {
    super(
      'The account stores as much as it may: 10 MiB, and 128 MiB more for each USD that it has paid. Delete something, or ' +
        'add credit.',
    );
  }
}

export function storageRefusalOf(error: unknown): StorageFull | null {
  return sqlStateOf(error) === STORAGE_FULL ? new StorageFull() : null;
}

/** Spares work whose result could not be stored. The triggers of the tables have the last word. */
export async function refuseFullStorage(
  database: DataSource | EntityManager,
  accountId: string,
  bytes: number,
): Promise<void> {
  const [row]: { left: string | null }[] = await database.query(LEFT, [accountId]);
  if (row && row.left !== null && Number(row.left) < bytes) {
    throw new StorageFull();
  }
}

const LEFT = 'SELECT storage_left($1) AS left';
