import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { Metrics } from '../../observability/metrics';
import { gaugeStages } from '../../work/stage-gauge';

const FRESH_MS = 1_000;
const ACCOUNTS_MAX = 1_000;
/** More are not counted: counting them all would take longer the more there are. */
const COUNTED_MAX = 100_000;

/** How many tasks there are. `waiting` counts up to 100,000. */
export interface TaskNumbers {
  /** Tasks of all accounts that no worker has. */
  waiting: number;
  /** Tasks of all accounts that a worker has. */
  running: number;
  ownWaiting: number;
  ownRunning: number;
}

interface Counted {
  waiting: number;
  running: number;
}

/** Counts the tasks that are not finished. What it says may be a second old, so asking often costs nothing. */
@Injectable()
export class TaskCounts {
  private readonly counted = new LRUCache<string, Promise<Counted>>({ max: ACCOUNTS_MAX, ttl: FRESH_MS });

  constructor(private readonly database: DataSource) {}

  /** @throws the error of the database */
  async of(accountId: string): Promise<TaskNumbers> {
    const [all, own] = await Promise.all([this.fresh('all', null), this.fresh(accountId, accountId)]);
    const { waiting: ownWaiting, running: ownRunning } = own;
    return { ...all, ownWaiting, ownRunning };
  }

  private fresh(name: string, accountId: string | null): Promise<Counted> {
    let counted = this.counted.get(name);
    if (!counted) {
      counted = this.count(accountId);
      this.counted.set(name, counted);
      counted.catch(() => this.counted.delete(name));
    }
    return counted;
  }

  private async count(accountId: string | null): Promise<Counted> {
    const [row]: Counted[] = await this.database.query(accountId === null ? COUNT_ALL : COUNT_OWN, [
      ...(accountId === null ? [] : [accountId]),
      COUNTED_MAX,
    ]);
    return row ?? { waiting: 0, running: 0 };
  }
}

const NUMBERS = `count(*) FILTER (WHERE stage <> 'running')::integer AS waiting,
  count(*) FILTER (WHERE stage = 'running')::integer AS running`;

// What runs is few and counted wholly.
const COUNT_ALL = `
  SELECT ${NUMBERS} FROM (
    (SELECT stage FROM tasks WHERE stage = 'waiting' LIMIT $1)
    UNION ALL SELECT stage FROM tasks WHERE stage IN ('handed', 'running')
  ) AS unfinished`;

const COUNT_OWN = `
  SELECT ${NUMBERS} FROM (SELECT stage FROM tasks WHERE account_id = $1 AND stage <> 'over' LIMIT $2) AS unfinished`;

/** How many tasks are not finished, for the metrics. */
@Injectable()
export class TaskFigures {
  constructor(metrics: Metrics, database: DataSource) {
    const help = 'Tasks that are not finished, by their stage.';
    gaugeStages(metrics, database, { table: 'tasks', name: 'tasks_unfinished', help });
  }
}
