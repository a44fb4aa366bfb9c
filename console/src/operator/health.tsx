import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../api/client';
import { fromNow } from '../api/days';
import { t } from '../texts/texts';
import { Badge, Empty, Loaded, Note } from '../ui/feedback';
import { Card, count, Page, Time } from '../ui/layout';
import { Table } from '../ui/table';

export function Health() {
  const texts = t.operator.health;
  const query = useQuery({
    queryKey: ['operator', 'health'],
    queryFn: ({ signal }) => answer(api.GET('/api/admin/health', { signal })),
    refetchInterval: 15_000,
  });
  return (
    <Page title={t.nav.health} lead={texts.lead}>
      <Loaded query={query} lines={8}>
        {(health) => (
          <>
            <Note
              tone={health.status === 'ok' ? 'good' : 'bad'}
              title={health.status === 'ok' ? texts.ok : texts.unavailable}
            >
              {texts.version} {health.version} · <Time at={health.checked_at} seconds />
            </Note>
            <Card title={texts.checks} isFlush>
              <Table
                label={texts.checks}
                rows={health.checks}
                keyOf={({ name }) => name}
                columns={[
                  { name: texts.check, cell: ({ name }) => name },
                  { name: t.common.status, cell: ({ status }) => <StateBadge status={status} /> },
                  {
                    name: texts.detail,
                    cell: ({ detail }) => <span className="break-words">{detail ?? '—'}</span>,
                  },
                ]}
              />
            </Card>
            <Card title={texts.chains} isFlush>
              <Table
                label={texts.chains}
                rows={health.chains}
                keyOf={({ currency, network }) => `${currency} ${network}`}
                empty={<Empty title={texts.noChains}>{texts.noChainsText}</Empty>}
                columns={[
                  {
                    name: texts.chain,
                    cell: ({ currency, network, is_sandbox }) => (
                      <span className="flex flex-wrap items-center gap-2">
                        {currency} {network}
                        {is_sandbox && <Badge tone="warn">{t.topUp.sandbox}</Badge>}
                      </span>
                    ),
                  },
                  {
                    name: texts.looked,
                    cell: ({ succeeded_at }) =>
                      succeeded_at === null ? t.common.never : fromNow(succeeded_at),
                  },
                  {
                    name: texts.tip,
                    isNumber: true,
                    isSecondary: true,
                    cell: ({ tip_height }) => (tip_height === null ? '—' : count(tip_height)),
                  },
                  {
                    name: texts.open,
                    isNumber: true,
                    isSecondary: true,
                    cell: ({ open_payments }) => count(open_payments),
                  },
                  {
                    name: texts.fault,
                    cell: ({ fault }) =>
                      fault === null ? (
                        <StateBadge status="ok" />
                      ) : (
                        <span className="break-words text-bad">{fault}</span>
                      ),
                  },
                ]}
              />
            </Card>
            <Card title={texts.upstreams} isFlush>
              <Table
                label={texts.upstreams}
                rows={health.upstreams}
                keyOf={({ name }) => name}
                empty={<Empty title={texts.noUpstreams}>{texts.noUpstreamsText}</Empty>}
                columns={[
                  { name: t.common.name, cell: ({ name }) => name },
                  { name: t.common.status, cell: ({ status }) => <StateBadge status={status} /> },
                  { name: texts.detail, cell: ({ detail }) => detail ?? '—' },
                  {
                    name: texts.models,
                    isSecondary: true,
                    cell: ({ models }) => models?.join(', ') ?? texts.anyModel,
                  },
                ]}
              />
            </Card>
            <Card title={texts.latencies} isFlush>
              <Table
                label={texts.latencies}
                rows={health.latencies}
                keyOf={({ rate_class }) => rate_class}
                empty={<Empty title={texts.noLatencies}>{texts.noLatenciesText}</Empty>}
                columns={[
                  { name: t.limits.kind, cell: ({ rate_class }) => classOf(rate_class) },
                  { name: texts.calls, isNumber: true, cell: ({ requests }) => count(requests) },
                  { name: 'p50', isNumber: true, cell: ({ p50_ms }) => texts.ms(p50_ms) },
                  { name: 'p95', isNumber: true, cell: ({ p95_ms }) => texts.ms(p95_ms) },
                  { name: 'p99', isNumber: true, cell: ({ p99_ms }) => texts.ms(p99_ms) },
                ]}
              />
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function classOf(name: string): string {
  return (t.limits.categories as Record<string, string>)[name] ?? name;
}

function StateBadge({ status }: { status: 'ok' | 'unavailable' }) {
  const texts = t.operator.health;
  return (
    <Badge tone={status === 'ok' ? 'good' : 'bad'}>{status === 'ok' ? texts.ok : texts.unavailable}</Badge>
  );
}
