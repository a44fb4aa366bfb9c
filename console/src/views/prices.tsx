import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../api/client';
import { useSession } from '../api/session';
import { operationTitle } from '../texts/operations';
import { t } from '../texts/texts';
import { Badge, Loaded } from '../ui/feedback';
import { Card, count, Page, Usd } from '../ui/layout';
import { Table } from '../ui/table';
import { rateOf, WINDOWS } from './limits';

export function Prices() {
  const texts = t.prices;
  const isOperator = useSession().data?.user.role === 'admin';
  const prices = useQuery({
    queryKey: ['public-prices'],
    queryFn: ({ signal }) => answer(api.GET('/api/pricing/public', { signal })),
  });
  const tiers = useQuery({
    queryKey: ['operator', 'tiers'],
    enabled: isOperator,
    queryFn: ({ signal }) => answer(api.GET('/api/admin/tiers', { signal })),
  });
  return (
    <Page title={t.nav.prices} lead={isOperator ? texts.leadOperator : texts.lead}>
      <Card
        title={t.nav.prices}
        isFlush
        actions={prices.data && <Badge>{`${texts.version} ${prices.data.version}`}</Badge>}
      >
        <Loaded query={prices} lines={8}>
          {({ prices: list }) => (
            <Table
              label={t.nav.prices}
              rows={list}
              keyOf={({ name, model }) => `${name} ${model}`}
              columns={[
                {
                  name: texts.price,
                  cell: ({ title, model }) => (
                    <>
                      {title}
                      {model !== null && <span className="block text-muted">{model}</span>}
                    </>
                  ),
                },
                { name: texts.base, isNumber: true, cell: ({ base }) => <Usd amount={base} /> },
                { name: texts.perToken, isNumber: true, cell: ({ per_token }) => <Usd amount={per_token} /> },
                {
                  name: texts.perOutput,
                  isNumber: true,
                  isSecondary: true,
                  cell: ({ per_output_token }) => <Usd amount={per_output_token} />,
                },
                {
                  name: texts.perCached,
                  isNumber: true,
                  isSecondary: true,
                  cell: ({ per_cached_token }) => <Usd amount={per_cached_token} />,
                },
                {
                  name: texts.perWrite,
                  isNumber: true,
                  isSecondary: true,
                  cell: ({ per_cache_write_token }) => <Usd amount={per_cache_write_token} />,
                },
                {
                  name: texts.operations,
                  isSecondary: true,
                  cell: ({ operations }) => (
                    <span className="block max-w-sm text-muted">
                      {operations.map(operationTitle).join(' · ')}
                    </span>
                  ),
                },
              ]}
            />
          )}
        </Loaded>
      </Card>
      {isOperator && (
        <Card title={texts.tiers} isFlush>
          <Loaded query={tiers}>
            {({ tiers: list }) => (
              <Table
                label={texts.tiers}
                rows={list}
                keyOf={({ name }) => name}
                columns={[
                  { name: t.limits.tier, cell: ({ name }) => name },
                  ...WINDOWS.map(([window, text]) => ({
                    name: text,
                    isNumber: true,
                    cell: (tier: (typeof list)[number]) => rateOf(tier[window]),
                  })),
                  {
                    name: texts.accounts,
                    isNumber: true,
                    isSecondary: true,
                    cell: ({ accounts }) => count(accounts),
                  },
                ]}
              />
            )}
          </Loaded>
        </Card>
      )}
    </Page>
  );
}
