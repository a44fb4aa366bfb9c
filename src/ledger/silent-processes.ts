import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { inBatches } from '../database/bounded-statements';
import { longQuery } from '../database/connection-pool';
import { SILENT_FOR_SECONDS, VALID_FOR_MS } from '../database/process-statements';

const LOOKED_FOR_EVERY_MS = 200;
const FENCED_WITHIN_MS = 60_000;
const PROCESSES = { sizeMax: 100, batchesMax: 10 };
const FORGOTTEN_AFTER_SECONDS = 600;
/** Beyond `valid_until`. */
const SILENT_BEYOND_SECONDS = SILENT_FOR_SECONDS - VALID_FOR_MS / 1000;

/** Heard of in the future, by a clock that was set back since: they count as heard of now. */
const SET_BACK = `
  UPDATE processes SET heartbeat_at = clock_timestamp(),
    valid_until = least(valid_until, clock_timestamp() + ${VALID_FOR_MS} * interval '1 millisecond')
  WHERE heartbeat_at > clock_timestamp()`;

/** Dead ones with leases were ended in another schema. */
const GONE = `
  SELECT id FROM processes AS p WHERE heartbeat_at <= clock_timestamp() - $1 * interval '1 second'
    AND (NOT is_dead OR EXISTS (SELECT FROM leases WHERE process_id = p.id))
  ORDER BY random() LIMIT $2`;

const FENCE = "SELECT ledger_fence($1, $2 * interval '1 second') AS ended";

const FORGET = `
  DELETE FROM processes AS p WHERE is_dead AND heartbeat_at <= clock_timestamp() - $1 * interval '1 second'
    AND NOT EXISTS (SELECT FROM leases WHERE process_id = p.id)`;

const HOLDERS = `
  SELECT DISTINCT p.id FROM leases AS l JOIN processes AS p ON p.id = l.process_id
  WHERE l.account_id = $1 AND l.amount_nano > 0 AND p.valid_until < clock_timestamp()`;

/** Ends processes without heartbeat, so that others can use the credit lent to them. */
export class SilentProcesses {
  private readonly logger = new Logger('Ledger');
  private lookedForAtMs = -Infinity;

  /** @param everyone finds the leases of all accounts, `database` those of one schema */
  constructor(
    private readonly database: DataSource,
    private readonly everyone: DataSource,
  ) {}

  /** Ends processes silent for 40 seconds. @returns how many of their calls had a row */
  async end(): Promise<number> {
    let ended = 0;
    await this.database.query(SET_BACK);
    await inBatches(PROCESSES, async (sizeMax) => {
      const gone: { id: string }[] = await this.database.query(GONE, [SILENT_FOR_SECONDS, sizeMax]);
      for (const { id } of gone) {
        ended += await this.fence(id, SILENT_BEYOND_SECONDS).catch((error: unknown) => {
          this.logger.error({
            message: 'a silent process could not be ended',
            process: id,
            error: String(error),
          });
          return 0;
        });
      }
      return gone.length;
    });
    await this.everyone.query(FORGET, [FORGOTTEN_AFTER_SECONDS]);
    return ended;
  }

  async endHolders(accountId: string): Promise<void> {
    const holders: { id: string }[] = await this.database.query(HOLDERS, [accountId]);
    for (const { id } of holders) {
      await this.fence(id, 0);
    }
  }

  endSoon(accountId: string): void {
    if (performance.now() - this.lookedForAtMs > LOOKED_FOR_EVERY_MS) {
      this.lookedForAtMs = performance.now();
      this.endHolders(accountId).catch((error: unknown) =>
        this.logger.warn({ message: 'a silent process could not be ended', error: String(error) }),
      );
    }
  }

  private async fence(processId: string, silentSeconds: number): Promise<number> {
    const values = [processId, silentSeconds];
    const [row] = await longQuery<{ ended: string | null }>(this.database, FENCED_WITHIN_MS, FENCE, values);
    return Number(row?.ended ?? 0);
  }
}
