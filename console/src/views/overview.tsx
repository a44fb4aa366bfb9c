import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Overview as OverviewData, RunsOut } from '../../../generated/types';
import { answer, api } from '../api/client';
import { fromNow, zone } from '../api/days';
import { toNano, type NanoUsd } from '../api/money';
import { operationTitle } from '../texts/operations';
import { t } from '../texts/texts';
import { Ranking } from '../ui/chart';
import { buttonClass, Segments } from '../ui/controls';
import { Badge, Empty, Loaded, Note } from '../ui/feedback';
import { Card, count, Figure, Figures, Page, Time, Usd } from '../ui/layout';
import { SpendChart } from './spend-chart';

const PERIODS = [7, 30, 90];
const ROWS_MAX = 6;

export function Overview() {
  const { days = 30 } = useSearch({ strict: false });
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ['overview', days],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/account/overview', { params: { query: { days, timezone: zone } }, signal })),
    refetchInterval: 60_000,
  });
  return (
    <Page
      title={t.nav.overview}
      actions={
        <Segments
          label={t.overview.period}
          value={String(days)}
          choices={PERIODS.map((value) => ({ value: String(value), text: t.overview.days(value) }))}
          onChange={(value) => void navigate({ to: '/overview', search: { days: Number(value) } })}
        />
      }
    >
      <Loaded query={query} lines={8}>
        {(data) => <Content data={data} days={days} />}
      </Loaded>
    </Page>
  );
}

function Content({ data, days }: { data: OverviewData; days: number }) {
  return (
    <>
      <Figures>
        <Figure
          label={t.overview.available}
          note={
            data.reserved > 0 ? (
              <>
                {t.overview.held} <Usd amount={data.reserved} />
              </>
            ) : (
              data.available > 0 && t.overview.ready
            )
          }
        >
          <Usd amount={data.available} />
        </Figure>
        <Figure label={t.overview.today} note={t.overview.calls(count(data.today.requests))}>
          <Usd amount={data.today.cost} />
        </Figure>
        <Figure label={t.overview.month} note={t.overview.calls(count(data.this_month.requests))}>
          <Usd amount={data.this_month.cost} />
        </Figure>
        <Figure label={t.overview.lastDays(days)} note={t.overview.tokens(count(data.period.tokens))}>
          <Usd amount={data.period.cost} />
        </Figure>
      </Figures>
      {data.available <= 0 && <EmptyBalance />}
      {data.period.requests === 0 ? <FirstSteps hasCredit={data.available > 0} /> : <Spending data={data} />}
      <RunningOut rows={data.runs_out} />
    </>
  );
}

function EmptyBalance() {
  return (
    <Note tone="warn" title={t.overview.emptyTitle}>
      <p>{t.overview.emptyText}</p>
      <Link to="/top-up" className={`${buttonClass('primary', true)} mt-3`}>
        {t.nav.topUp}
      </Link>
    </Note>
  );
}

/** Three steps to the first call, in the place of charts without bars. */
function FirstSteps({ hasCredit }: { hasCredit: boolean }) {
  const steps = [
    ['/top-up', t.overview.stepCredit, hasCredit],
    ['/keys', t.overview.stepKey, false],
    ['/playground', t.overview.stepCall, false],
  ] as const;
  return (
    <Card title={t.overview.start}>
      <ol className="grid gap-3 md:grid-cols-3">
        {steps.map(([to, [title, text], isDone], index) => (
          <li key={to}>
            <Link
              to={to}
              className="flex h-full flex-col rounded-xl border border-line p-4 hover:border-edge hover:bg-raised/50"
            >
              <span className="mb-3 flex size-7 items-center justify-center rounded-full bg-tint text-sm font-semibold text-accent">
                {isDone ? '✓' : index + 1}
              </span>
              <span className="font-semibold">{title}</span>
              <span className="mt-1 text-muted">{text}</span>
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Spending({ data }: { data: OverviewData }) {
  return (
    <>
      <SpendChart data={data} />
      <div className="grid gap-6 lg:grid-cols-3">
        <Ranked title={t.overview.byKey} rows={ranksOfKeys(data.by_key)} />
        <Ranked
          title={t.overview.byModel}
          rows={data.by_model.map(({ model, cost, requests }) => ({
            name: model ?? t.overview.noModel,
            cost: toNano(cost),
            requests,
          }))}
        />
        <Ranked
          title={t.overview.byOperation}
          rows={data.by_operation.map(({ operation, cost, requests }) => ({
            name: operationTitle(operation),
            cost: toNano(cost),
            requests,
          }))}
        />
      </div>
    </>
  );
}

interface Rank {
  name: string;
  cost: NanoUsd;
  requests: number;
}

/** As the service names them. */
const CONSOLE_KEY = 'Console';

/** The keys of the console are one row, because each visit makes one, and so are those that are deleted. */
function ranksOfKeys(keys: OverviewData['by_key']): Rank[] {
  const ranks: Rank[] = [];
  for (const { key_id, name: given, cost, requests } of keys) {
    const name = given ?? (key_id === null ? t.overview.noKey : t.overview.deletedKey);
    const isOneOfMany = name === t.overview.deletedKey || name === CONSOLE_KEY;
    const before = isOneOfMany ? ranks.find((rank) => rank.name === name) : undefined;
    if (before) {
      before.cost += toNano(cost);
      before.requests += requests;
    } else {
      ranks.push({ name, cost: toNano(cost), requests });
    }
  }
  return ranks.sort((one, other) => Number(other.cost - one.cost));
}

function Ranked({ title, rows }: { title: string; rows: readonly Rank[] }) {
  const shown = rows.slice(0, ROWS_MAX);
  return (
    <Card title={title}>
      <Ranking
        label={title}
        rows={shown.map(({ name, cost, requests }) => ({
          name,
          amount: cost,
          note: t.overview.calls(count(requests)),
        }))}
      />
      {rows.length > ROWS_MAX && (
        <p className="mt-3 text-sm text-muted">{t.overview.more(rows.length - ROWS_MAX)}</p>
      )}
    </Card>
  );
}

function RunningOut({ rows }: { rows: readonly RunsOut[] }) {
  const shown = rows.filter(
    (row) => row.kind === 'balance' || row.remaining <= 0 || row.runs_out_at !== null,
  );
  return (
    <Card title={t.overview.runsOut}>
      {rows.length === 0 ? (
        <Empty title={t.overview.nothingRunsOut}>{t.overview.runsOutText}</Empty>
      ) : (
        <>
          <ul className="divide-y divide-line">
            {shown.map((row) => (
              <li
                key={`${row.kind} ${row.key_id}`}
                className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2.5 first:pt-0 last:pb-0"
              >
                <span className="min-w-0 break-words">
                  {row.key_name !== null && <strong className="font-medium">{row.key_name}: </strong>}
                  {t.overview.kinds[row.kind]}
                  <span className="text-muted">
                    {' · '}
                    <Usd amount={row.remaining} /> {t.overview.left}
                    {row.limit !== null && (
                      <>
                        {' '}
                        {t.overview.of} <Usd amount={row.limit} />
                      </>
                    )}
                  </span>
                </span>
                <RunsOutAt row={row} />
              </li>
            ))}
          </ul>
          <p className="mt-4 text-sm text-muted">
            {t.overview.runsOutText}
            {shown.length < rows.length && ` ${t.overview.othersLast}`}
          </p>
        </>
      )}
    </Card>
  );
}

const SOON_MS = 3 * 24 * 60 * 60 * 1000;

function RunsOutAt({ row }: { row: RunsOut }) {
  if (row.remaining <= 0) {
    return (
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone="bad">{t.overview.usedUp}</Badge>
        {row.resets_at !== null && (
          <span className="text-sm text-muted">
            {t.overview.resets} <Time at={row.resets_at} />
          </span>
        )}
      </span>
    );
  }
  if (row.runs_out_at === null) {
    return <span className="text-sm text-muted">{t.overview.unused}</span>;
  }
  const isSoon = Date.parse(row.runs_out_at) - Date.now() < SOON_MS;
  return (
    <span title={row.runs_out_at}>
      <Badge tone={isSoon ? 'warn' : 'neutral'}>{t.overview.outIn(fromNow(row.runs_out_at))}</Badge>
    </span>
  );
}
