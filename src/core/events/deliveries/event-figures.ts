import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Metrics } from '../../../infrastructure/metrics/metrics';

/** More are not counted: whoever reads this has long been woken. */
const COUNTED_MAX = 100_000;
const STAGES = ['due', 'handed', 'later'] as const;

interface Figures {
  waiting: number;
  oldest_seconds: number;
  due: number;
  handed: number;
  later: number;
}

/** What waits in the outbox and on its way to receivers, for the metrics: of all processes together, from the tables. */
@Injectable()
export class EventFigures {
  constructor(metrics: Metrics, database: DataSource) {
    const none: Figures = { waiting: 0, oldest_seconds: 0, due: 0, handed: 0, later: 0 };
    const figures = metrics.poll(none, async () => {
      const [row] = await database.query<Figures[]>(COUNTS, [COUNTED_MAX]);
      return row ?? none;
    });
    metrics.gauge(
      'events_outbox_rows',
      'Events of which no deliveries are made yet.',
      () => figures.latest.waiting,
    );
    metrics.gauge(
      'events_outbox_oldest_seconds',
      'Age of the oldest of these events.',
      () => figures.latest.oldest_seconds,
    );
    metrics.gauges('webhook_deliveries_open', 'Deliveries that are not over, by their stage.', () =>
      STAGES.map((stage) => ({ labels: { stage }, value: figures.latest[stage] })),
    );
  }
}

// Each part has an index that holds these rows alone.
const COUNTS = `
  SELECT waiting, oldest_seconds,
    (SELECT count(*)::integer FROM (SELECT FROM deliveries WHERE stage = 'due' LIMIT $1) AS d) AS due,
    (SELECT count(*)::integer FROM (SELECT FROM deliveries WHERE stage = 'handed' LIMIT $1) AS d) AS handed,
    (SELECT count(*)::integer FROM (SELECT FROM deliveries WHERE stage = 'later' LIMIT $1) AS d) AS later
  FROM (
    SELECT count(*)::integer AS waiting,
      greatest(0, coalesce(extract(epoch FROM clock_timestamp() - min(occurred_at)), 0))::float8 AS oldest_seconds
    FROM (SELECT occurred_at FROM events WHERE relayed_at IS NULL LIMIT $1) AS e
  ) AS outbox`;
