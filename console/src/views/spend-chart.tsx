import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Overview, UsagePoint } from '../../../generated/types';
import { answer, api } from '../api/client';
import { dayOf, daysBetween, zone } from '../api/days';
import { sumOf, toNano, type NanoUsd } from '../api/money';
import { operationTitle } from '../texts/operations';
import { t } from '../texts/texts';
import { BarChart, SERIES_MAX, type Bar } from '../ui/chart';
import { Segments } from '../ui/controls';
import { Loaded } from '../ui/feedback';
import { Card, count } from '../ui/layout';

const SPLITS = ['none', 'key', 'model', 'operation'] as const;
type Split = (typeof SPLITS)[number];

/** What was spent on each day: as one sum, which the overview brings, or by what it was spent on, which is asked for then. */
export function SpendChart({ data }: { data: Overview }) {
  const [split, setSplit] = useState<Split>('none');
  const { start_date, end_date, timezone } = data;
  const series = useQuery({
    queryKey: ['usage-series', split, start_date, timezone],
    enabled: split !== 'none',
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/monitoring/usage/series', {
          params: { query: { start_date, timezone: zone, [`by_${split}`]: true } },
          signal,
        }),
      ),
  });
  const names = new Map(data.by_key.map(({ key_id, name }) => [key_id, name]));
  const nameOf = ({ key_id, model, operation }: UsagePoint): string => {
    switch (split) {
      case 'key':
        return names.get(key_id ?? null) ?? (key_id ? t.overview.deletedKey : t.overview.noKey);
      case 'model':
        return model ?? t.overview.noModel;
      default:
        return operation === undefined || operation === null ? t.overview.spent : operationTitle(operation);
    }
  };
  const days = daysBetween(start_date, end_date);
  return (
    <Card
      title={t.overview.byDay}
      actions={
        <Segments
          label={t.overview.split}
          value={split}
          choices={SPLITS.map((value) => ({ value, text: t.overview.splits[value] }))}
          onChange={setSplit}
        />
      }
    >
      {split === 'none' ? (
        <Chart days={days} points={data.by_day} nameOf={() => t.overview.spent} />
      ) : (
        <Loaded query={series} lines={6}>
          {({ points }) => <Chart days={days} points={points} nameOf={nameOf} />}
        </Loaded>
      )}
      <p className="mt-3 text-sm text-muted">{t.overview.zone(timezone)}</p>
    </Card>
  );
}

function Chart({
  days,
  points,
  nameOf,
}: {
  days: readonly { date: string; label: string }[];
  points: readonly UsagePoint[];
  nameOf: (point: UsagePoint) => string;
}) {
  const totals = new Map<string, NanoUsd>();
  for (const point of points) {
    const name = nameOf(point);
    totals.set(name, (totals.get(name) ?? 0n) + toNano(point.cost));
  }
  const ranked = [...totals].sort(([, one], [, other]) => (one < other ? 1 : -1)).map(([name]) => name);
  const shown = ranked.slice(0, SERIES_MAX);
  const series = ranked.length > shown.length ? [...shown, t.overview.others] : shown;
  const seriesOf = (point: UsagePoint) => (shown.includes(nameOf(point)) ? nameOf(point) : t.overview.others);
  const bars: Bar[] = days.map(({ date, label }) => {
    const those = points.filter(({ start }) => dayOf(start) === date);
    return {
      label,
      amounts: series.map((name) =>
        sumOf(those.filter((point) => seriesOf(point) === name).map(({ cost }) => toNano(cost))),
      ),
      note: t.overview.calls(count(those.reduce((sum, { requests }) => sum + requests, 0))),
    };
  });
  return <BarChart label={t.overview.byDay} series={series} bars={bars} />;
}
