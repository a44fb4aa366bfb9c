import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../../infrastructure/clock/clock';
import { ACCOUNTS_PER_ROUND_MAX, HANDED_MS, IN_HAND_MAX, PER_ACCOUNT_MAX } from './task-bounds';

/** Where a round of the hand-over ended. */
export interface HandOver {
  /** The tasks that are to be put in the queue, in their order. */
  handed: string[];
  /** The account to go on after; null when there was none after those looked at. */
  lastAccount: string | null;
  /** Whether all that may be in hand are. */
  isFull: boolean;
  /** How many tasks nobody held any more. */
  lost: number;
}

/** The step of the relay. It may run on all replicas at once: what one has handed the others do not see. */
@Injectable()
export class HandOvers {
  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Hands waiting tasks of the accounts after the given one (sql/tasks_hand_over.sql). */
  async handOver(after: string | null): Promise<HandOver> {
    const now = this.clock.now();
    const [row] = await this.database.query<
      { handed: string[]; last_account: string | null; is_full: boolean; lost: number }[]
    >('SELECT * FROM tasks_hand_over($1, $2, $3, $4, $5, $6)', [
      now,
      new Date(now.getTime() + HANDED_MS),
      after,
      ACCOUNTS_PER_ROUND_MAX,
      PER_ACCOUNT_MAX,
      IN_HAND_MAX,
    ]);
    if (!row) {
      throw new Error('tasks_hand_over gave no row');
    }
    return { handed: row.handed, lastAccount: row.last_account, isFull: row.is_full, lost: row.lost };
  }
}
