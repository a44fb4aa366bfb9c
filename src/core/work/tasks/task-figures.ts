import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Metrics } from '../../../infrastructure/metrics/metrics';

const COUNTED_MAX = 100_000;
const STAGES = ['waiting', 'handed', 'running'] as const;

/** How many tasks are not finished, for the metrics: of all processes together, from the table. */
@Injectable()
export class TaskFigures {
  constructor(metrics: Metrics, database: DataSource) {
    const none = { waiting: 0, handed: 0, running: 0 };
    const figures = metrics.poll(none, async () => {
      const [row] = await database.query<(typeof none)[]>(COUNTS, [COUNTED_MAX]);
      return row ?? none;
    });
    metrics.gauges('tasks_unfinished', 'Tasks that are not finished, by their stage.', () =>
      STAGES.map((stage) => ({ labels: { stage }, value: figures.latest[stage] })),
    );
  }
}

// Apart, because the waiting ones have an index of their own. The others are few.
const COUNTS = `
  SELECT (SELECT count(*)::integer FROM (SELECT FROM tasks WHERE stage = 'waiting' LIMIT $1) AS t) AS waiting,
    count(*) FILTER (WHERE stage = 'handed')::integer AS handed,
    count(*) FILTER (WHERE stage = 'running')::integer AS running
  FROM tasks WHERE stage IN ('handed', 'running')`;
