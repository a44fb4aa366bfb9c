import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer, api } from '../api/client';
import { t } from '../texts/texts';
import { Badge, Loaded } from '../ui/feedback';
import { ChoiceField, Filters, SearchField, useFilters } from '../ui/filters';
import { Card, Page, Time, Usd } from '../ui/layout';
import { Pages, Table } from '../ui/table';

const PAGE = 50;
export const TIERS = ['free', 'basic', 'pro', 'enterprise'] as const;
const ROLES = ['user', 'admin'] as const;
const STATES = ['active', 'disabled'] as const;

export function Accounts() {
  const [search] = useFilters();
  const { offset = 0, q } = search;
  const tier = TIERS.find((known) => known === search.type);
  const role = ROLES.find((known) => known === search.key);
  const status = STATES.find((known) => known === search.status);
  const query = useQuery({
    queryKey: ['operator', 'users', q, tier, role, status, offset],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/admin/users', {
          params: { query: { limit: PAGE, offset, search: q, tier, role, status } },
          signal,
        }),
      ),
  });
  return (
    <Page title={t.nav.accounts} lead={t.operator.accounts.lead}>
      <Card isFlush>
        <Filters>
          <SearchField label={t.operator.accounts.search} name="q" />
          <ChoiceField label={t.limits.tier} name="type" choices={TIERS} texts={t.limits.tiers} />
          <ChoiceField label={t.operator.accounts.role} name="key" choices={ROLES} texts={t.account.roles} />
          <ChoiceField
            label={t.common.status}
            name="status"
            choices={STATES}
            texts={t.operator.accounts.states}
          />
        </Filters>
        <Loaded query={query} lines={8}>
          {({ users, total }) => (
            <>
              <Table
                label={t.nav.accounts}
                rows={users}
                keyOf={({ id }) => id}
                columns={[
                  {
                    name: t.operator.accounts.account,
                    cell: ({ id, email, username }) => (
                      <div className="min-w-18 wrap-anywhere">
                        <Link
                          to="/operator/accounts/$id"
                          params={{ id }}
                          className="font-medium hover:text-accent hover:underline"
                        >
                          {email}
                        </Link>
                        <span className="block text-muted">{username}</span>
                      </div>
                    ),
                  },
                  { name: t.limits.tier, isSecondary: true, cell: (user) => t.limits.tiers[user.tier] },
                  {
                    name: t.operator.accounts.balance,
                    isNumber: true,
                    cell: ({ balance }) => <Usd amount={balance} />,
                  },
                  {
                    name: t.common.status,
                    cell: ({ is_active, role: has }) => (
                      <AccountBadge isActive={is_active} isAdmin={has === 'admin'} />
                    ),
                  },
                  {
                    name: t.account.since,
                    isSecondary: true,
                    cell: ({ created_at }) => <Time at={created_at} day />,
                  },
                ]}
              />
              <Pages total={total} limit={PAGE} />
            </>
          )}
        </Loaded>
      </Card>
    </Page>
  );
}

export function AccountBadge({ isActive, isAdmin }: { isActive: boolean; isAdmin: boolean }) {
  const { active, disabled } = t.operator.accounts.states;
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={isActive ? 'good' : 'bad'}>{isActive ? active : disabled}</Badge>
      {isAdmin && <Badge tone="accent">{t.account.roles.admin}</Badge>}
    </span>
  );
}
