import type { EntityManager } from 'typeorm';
import { Conflict } from '../../errors/request-errors';

/** How many replaced secrets of a key may work at once, beside its present one. */
const OVERLAPS_MAX = 5;

export interface ReplacedSecret {
  keyId: string;
  secretHash: Buffer;
  now: Date;
  /** For how long it works on; 0 ends it at once, and with it every older secret of the key. */
  overlapSeconds: number;
}

/**
 * Keeps a secret that is being replaced for its overlap, beside older ones whose overlap still runs. Must be called in
 * the transaction that gives the key its new secret, with the key's row locked: rotations that race must count each
 * other's secrets.
 * @throws Conflict when five older secrets work already: ending one of them before its time would break the promise
 * of its own rotation
 */
export async function keepReplacedSecret(manager: EntityManager, replaced: ReplacedSecret): Promise<void> {
  const { keyId, secretHash, now, overlapSeconds } = replaced;
  if (overlapSeconds === 0) {
    return endReplacedSecrets(manager, keyId);
  }
  await manager.query('DELETE FROM replaced_secrets WHERE key_id = $1 AND valid_until <= $2', [keyId, now]);
  const [overlaps]: { count: string; first_end: Date }[] = await manager.query(
    'SELECT count(*), min(valid_until) AS first_end FROM replaced_secrets WHERE key_id = $1',
    [keyId],
  );
  if (overlaps && Number(overlaps.count) >= OVERLAPS_MAX) {
    throw new Conflict(
      `${OVERLAPS_MAX} older secrets of the access key still work; the first of them ends at ` +
        `${overlaps.first_end.toISOString()}. Rotate then, or with overlap_seconds 0, which ends them all at once.`,
    );
  }
  await manager.query('INSERT INTO replaced_secrets (secret_hash, key_id, valid_until) VALUES ($1, $2, $3)', [
    secretHash,
    keyId,
    new Date(now.getTime() + overlapSeconds * 1000),
  ]);
}

/** Ends every secret of a key but the present one. To be called with the key's row locked, or deleted, by now. */
export async function endReplacedSecrets(manager: EntityManager, keyId: string): Promise<void> {
  await manager.query('DELETE FROM replaced_secrets WHERE key_id = $1', [keyId]);
}
