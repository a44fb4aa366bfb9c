import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { withLongStatements } from '../../database/connection-pool';
import { Clock, DAY_MS } from '../../runtime/clock';

const RECEIVERS_MAX = 10;
const COUNTED_WITHIN_MS = 30_000;

export interface WaitingReceiver {
  receiver: string;
  waiting: number;
  oldestDueAt: Date;
  /** Since when it is served as a slow one; null where it is not. */
  slowSince: Date | null;
}

export interface WebhooksHealth {
  eventsWaiting: number;
  oldestEventAt: Date | null;
  due: number;
  handed: number;
  later: number;
  failedLastDay: number;
  abandonedLastDay: number;
  switchedOff: number;
  /** At most 10, those with the most waiting first. */
  receivers: WaitingReceiver[];
  checkedAt: Date;
}

@Injectable()
export class WebhooksHealthRepository {
  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  async read(): Promise<WebhooksHealth> {
    const checkedAt = this.clock.now();
    const dayBefore = new Date(checkedAt.getTime() - DAY_MS);
    return withLongStatements(this.database, COUNTED_WITHIN_MS, async (runner) => {
      const [counts] = (await runner.query(COUNTS, [dayBefore])) as Omit<
        WebhooksHealth,
        'receivers' | 'checkedAt'
      >[];
      const receivers = (await runner.query(RECEIVERS, [RECEIVERS_MAX])) as WaitingReceiver[];
      if (!counts) {
        throw new Error('an aggregate gave no row');
      }
      return { ...counts, receivers, checkedAt };
    });
  }
}

// Each part has an index, for most deliveries are over and there are very many. None is abandoned before it has failed.
const COUNTS = `
  SELECT "eventsWaiting", "oldestEventAt", "failedLastDay", "abandonedLastDay",
    (SELECT count(*)::float8 FROM deliveries WHERE stage = 'due') AS due,
    (SELECT count(*)::float8 FROM deliveries WHERE stage = 'handed') AS handed,
    (SELECT count(*)::float8 FROM deliveries WHERE stage = 'later') AS later,
    (SELECT count(*)::float8 FROM webhooks WHERE NOT is_active AND disabled_reason IS NOT NULL) AS "switchedOff"
  FROM (SELECT count(*)::float8 AS "eventsWaiting", min(occurred_at) AS "oldestEventAt"
      FROM events WHERE relayed_at IS NULL) AS e,
    (SELECT count(*)::float8 AS "failedLastDay",
        count(*) FILTER (WHERE abandoned_at >= $1)::float8 AS "abandonedLastDay"
      FROM deliveries WHERE failed_at >= $1) AS d`;

// Apart, because each stage has an index of its own, and both in one condition have none.
const RECEIVERS = `
  SELECT receiver, count(*)::float8 AS waiting, min(next_attempt_at) AS "oldestDueAt", min(since) AS "slowSince"
  FROM (
    SELECT receiver, next_attempt_at FROM deliveries WHERE stage = 'due'
    UNION ALL SELECT receiver, next_attempt_at FROM deliveries WHERE stage = 'handed'
  ) AS d LEFT JOIN slow_receivers USING (receiver)
  GROUP BY receiver ORDER BY waiting DESC, receiver LIMIT $1`;
