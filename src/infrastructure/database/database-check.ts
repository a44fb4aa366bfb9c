import type { DataSource } from 'typeorm';
import { sqlStateOf } from './driver-errors';

/** What is known of the database: it can serve, its disk takes nothing more, or it gives no answer in time. */
export type DatabaseState = 'ok' | 'disk full' | 'away';

const CHECKED_WITHIN_MS = 2_000;
/** What the disk takes is found out at most once in this time. Anybody may ask for it, as often as he likes. */
const WRITTEN_EVERY_MS = 1_000;
const DISK_FULL = '53100';
const DISK_FAILS = '58030';

/**
 * Sorts more than a statement may keep in memory, so that the server writes some 400 KiB to its disk and removes them
 * again. A database whose disk is full still answers every question; only what it must write fails.
 */
const CHECK = `
  SELECT count(*) FROM (
    SELECT number FROM generate_series(1, 20000) AS number ORDER BY md5(number::text) OFFSET 0
  ) AS sorted`;

/** Tells whether the database can be asked and, as of at most a second ago, whether it can write. */
export class DatabaseCheck {
  private checking: Promise<DatabaseState> | null = null;
  private isDiskFull = false;
  private writtenMs = -Infinity;

  constructor(private readonly database: DataSource) {}

  /**
   * Answers within two seconds; never throws. Who asks during a check gets its answer, and between two writes the
   * question is the cheapest there is: nobody can make the database work harder by asking often.
   */
  state(): Promise<DatabaseState> {
    this.checking ??= this.check().finally(() => (this.checking = null));
    return this.checking;
  }

  private async check(): Promise<DatabaseState> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<DatabaseState>((resolve) => {
      timer = setTimeout(() => resolve('away'), CHECKED_WITHIN_MS);
    });
    const asked = this.ask();
    return Promise.race([asked, late]).finally(() => clearTimeout(timer));
  }

  private async ask(): Promise<DatabaseState> {
    try {
      if (performance.now() - this.writtenMs < WRITTEN_EVERY_MS) {
        await this.database.query('SELECT 1');
      } else {
        await this.write();
      }
      return this.isDiskFull ? 'disk full' : 'ok';
    } catch {
      return 'away';
    }
  }

  /** Notes whether the disk takes something. @throws what else the database fails with */
  private async write(): Promise<void> {
    try {
      await this.database.transaction(async (manager) => {
        await manager.query(`SET LOCAL work_mem = '64kB'`);
        await manager.query(CHECK);
      });
      this.isDiskFull = false;
    } catch (error) {
      if (![DISK_FULL, DISK_FAILS].includes(sqlStateOf(error) ?? '')) {
        throw error;
      }
      this.isDiskFull = true;
    }
    this.writtenMs = performance.now();
  }
}
