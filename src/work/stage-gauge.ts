import type { DataSource } from 'typeorm';
import type { Metrics } from '../observability/metrics';

/** More are not counted: whoever reads this has long been woken. */
const COUNTED_MAX = 100_000;
const STAGES = ['waiting', 'handed', 'running'] as const;

/** A metric of how much leased work is not done, by its stage: of all processes together, from its table. */
export function gaugeStages(
  metrics: Metrics,
  database: DataSource,
  { table, name, help }: { table: 'documents' | 'tasks'; name: string; help: string },
): void {
  // Apart, because the waiting ones have an index of their own. The others are few.
  const counts = `
    SELECT (SELECT count(*)::integer FROM (SELECT FROM ${table} WHERE stage = 'waiting' LIMIT $1) AS t) AS waiting,
      count(*) FILTER (WHERE stage = 'handed')::integer AS handed,
      count(*) FILTER (WHERE stage = 'running')::integer AS running
    FROM ${table} WHERE stage IN ('handed', 'running')`;
  const none = { waiting: 0, handed: 0, running: 0 };
  const figures = metrics.poll(none, async () => {
    const [row] = await database.query<(typeof none)[]>(counts, [COUNTED_MAX]);
    return row ?? none;
  });
  metrics.gauges(name, help, () =>
    STAGES.map((stage) => ({ labels: { stage }, value: figures.latest[stage] })),
  );
}
