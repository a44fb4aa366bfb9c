import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { OperatorOverview, Revenue } from '../../../generated/types';
import { answer, api } from '../api/client';
import { sumOf, toNano, usd } from '../api/money';
import { operationTitle } from '../texts/operations';
import { t } from '../texts/texts';
import { BarChart, Ranking } from '../ui/chart';
import { Badge, Empty, Loaded } from '../ui/feedback';
import { Card, count, Figure, Figures, Money, Page, Usd } from '../ui/layout';

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 30;
const UTC_DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

export function Business() {
  const overview = useQuery({
    queryKey: ['operator', 'overview'],
    queryFn: ({ signal }) => answer(api.GET('/api/admin/overview', { signal })),
    refetchInterval: 60_000,
  });
  const revenue = useQuery({
    queryKey: ['operator', 'revenue'],
    queryFn: ({ signal }) => answer(api.GET('/api/admin/revenue', { signal })),
  });
  return (
    <Page title={t.operator.business.title} lead={t.operator.business.lead}>
      <Loaded query={overview}>{(data) => <Now overview={data} />}</Loaded>
      <Loaded query={revenue}>{(data) => <Over revenue={data} />}</Loaded>
    </Page>
  );
}

function Now({ overview }: { overview: OperatorOverview }) {
  const texts = t.operator.business;
  const { accounts, today, last_30_days: month } = overview;
  const waiting = [
    ['/operator/upgrades', { status: 'pending' }, texts.upgrades, overview.pending_upgrade_requests],
    ['/operator/payments', { status: 'review' }, texts.review, overview.payments_in_review],
    ['/operator/payments', {}, texts.open, overview.open_payments],
    ['/operator/deliveries', {}, texts.switchedOff, overview.switched_off_webhooks],
    ['/operator/deliveries', {}, texts.abandoned, overview.abandoned_deliveries_last_24h],
  ] as const;
  return (
    <>
      <Card title={texts.waiting}>
        <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
          {waiting.map(([to, search, text, number]) => (
            <li key={text}>
              <Link
                to={to}
                search={search}
                className="flex items-center justify-between gap-3 rounded-xl border border-line px-4 py-3 hover:border-edge hover:bg-raised/50"
              >
                {text}
                <Badge tone={number > 0 ? 'warn' : 'neutral'}>{count(number)}</Badge>
              </Link>
            </li>
          ))}
        </ul>
      </Card>
      <Figures>
        <Figure
          label={texts.accounts}
          note={texts.active(count(accounts.active), count(accounts.new_last_7d))}
        >
          {count(accounts.total)}
        </Figure>
        <Figure label={texts.balances} note={texts.balancesNote}>
          <Usd amount={overview.balances} />
        </Figure>
        <Figure
          label={`${texts.deposited}, ${texts.days(DAYS)}`}
          note={texts.today(usd(toNano(today.deposited)))}
        >
          <Usd amount={month.deposited} />
        </Figure>
        <Figure
          label={`${texts.charged}, ${texts.days(DAYS)}`}
          note={texts.today(usd(toNano(today.charged)))}
        >
          <Usd amount={month.charged} />
        </Figure>
      </Figures>
    </>
  );
}

function Over({ revenue }: { revenue: Revenue }) {
  const texts = t.operator.business;
  const { totals, by_day, by_tier, by_model, by_operation, start_date, end_date } = revenue;
  if (totals.requests === 0 && totals.deposited === 0 && totals.granted === 0 && totals.adjusted === 0) {
    return (
      <Card>
        <Empty title={texts.nothing}>{texts.nothingText}</Empty>
      </Card>
    );
  }
  const days = new Map(by_day.map((day) => [Date.parse(day.date), day]));
  const starts: number[] = [];
  for (let day = Date.parse(start_date); day < Date.parse(end_date); day += DAY_MS) {
    starts.push(day);
  }
  const bars = starts.map((start) => {
    const day = days.get(start);
    return {
      label: UTC_DAY.format(start),
      amounts: [toNano(day?.charged ?? 0), toNano(day?.deposited ?? 0)],
      note: t.overview.calls(count(day?.requests ?? 0)),
    };
  });
  const usage = (name: string | null, cost: number, requests: number) => ({
    name: name ?? t.overview.noModel,
    amount: toNano(cost),
    note: t.overview.calls(count(requests)),
  });
  return (
    <>
      <Card title={texts.byDay} actions={<span className="text-sm text-muted">{texts.zone}</span>}>
        <BarChart label={texts.byDay} series={[texts.charged, texts.deposited]} bars={bars} isGrouped />
        <p className="mt-4 text-sm text-muted">
          {texts.granted}: <Money nano={sumOf([toNano(totals.granted), toNano(totals.adjusted)])} /> ·{' '}
          {t.overview.calls(count(totals.requests))} · {t.overview.tokens(count(totals.tokens))}
        </p>
      </Card>
      <div className="grid gap-6 lg:grid-cols-3">
        <Card title={texts.byTier}>
          <Ranking
            label={texts.byTier}
            rows={by_tier.map(({ tier, cost, accounts, requests }) => ({
              name: tier,
              amount: toNano(cost),
              note: texts.tierNote(count(accounts), count(requests)),
            }))}
          />
        </Card>
        <Card title={t.overview.byModel}>
          <Ranking
            label={t.overview.byModel}
            rows={by_model.slice(0, 8).map(({ model, cost, requests }) => usage(model, cost, requests))}
          />
        </Card>
        <Card title={t.overview.byOperation}>
          <Ranking
            label={t.overview.byOperation}
            rows={by_operation
              .slice(0, 8)
              .map(({ operation, cost, requests }) => usage(operationTitle(operation), cost, requests))}
          />
        </Card>
      </div>
    </>
  );
}
