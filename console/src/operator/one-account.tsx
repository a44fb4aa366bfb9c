import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { AdminUserDetails } from '../../../generated/types';
import { answer, api } from '../api/client';
import { queries } from '../api/session';
import { t } from '../texts/texts';
import { Button, buttonClass } from '../ui/controls';
import { Empty, Loaded } from '../ui/feedback';
import { useFilters } from '../ui/filters';
import { Card, Facts, Figure, Figures, Page, Time, Usd } from '../ui/layout';
import { Table } from '../ui/table';
import { RateTable } from '../views/limits';
import { Cursor, receiptColumns } from '../views/requests';
import { AddCredit, EditAccount, LogOutAccount, ResetLink } from './account-forms';
import { AccountBadge } from './accounts';
import { PaymentTable } from './payments';

type Shown = 'edit' | 'credit' | 'reset' | 'logout';
const PAGE = 20;

export function OneAccount() {
  const { id = '' } = useParams({ strict: false });
  const query = useQuery({
    queryKey: ['operator', 'user', id],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/admin/users/{user_id}', { params: { path: { user_id: id } }, signal })),
  });
  return (
    <Page
      title={query.data?.email ?? t.operator.accounts.account}
      actions={
        <Link to="/operator/accounts" className={buttonClass()}>
          {t.operator.accounts.back}
        </Link>
      }
    >
      <Loaded query={query} lines={6}>
        {(user) => <Content user={user} />}
      </Loaded>
      <Calls userId={id} />
      <Payments userId={id} />
    </Page>
  );
}

function Content({ user }: { user: AdminUserDetails }) {
  const [shown, setShown] = useState<Shown>();
  const texts = t.operator.accounts;
  const close = () => {
    setShown(undefined);
    void queries.invalidateQueries({ queryKey: ['operator'] });
  };
  const isOwnRate = Object.values(user.rate_limits ?? {}).some((rate) => rate !== null);
  return (
    <>
      <Figures>
        <Figure
          label={texts.balance}
          note={
            user.reserved > 0 ? (
              <>
                {texts.reserved}: <Usd amount={user.reserved} />
              </>
            ) : undefined
          }
        >
          <Usd amount={user.balance} />
        </Figure>
        <Figure label={t.limits.tier} note={isOwnRate ? texts.own : undefined}>
          {t.limits.tiers[user.tier]}
        </Figure>
        <Figure
          label={texts.keys}
          note={texts.keysText(user.keys.active, user.keys.expired, user.keys.revoked)}
        >
          {user.keys.active}
        </Figure>
        <Figure label={texts.review}>{user.payments_in_review}</Figure>
      </Figures>
      <Card
        title={texts.account}
        actions={
          <div className="flex flex-wrap gap-2">
            <Button small look="primary" onClick={() => setShown('credit')}>
              {texts.credit}
            </Button>
            <Button small onClick={() => setShown('edit')}>
              {texts.edit}
            </Button>
            <Button small onClick={() => setShown('reset')}>
              {texts.resetLink}
            </Button>
            <Button small onClick={() => setShown('logout')}>
              {texts.logout}
            </Button>
          </div>
        }
      >
        <Facts
          facts={[
            [
              t.common.status,
              <AccountBadge key="s" isActive={user.is_active} isAdmin={user.role === 'admin'} />,
            ],
            [t.account.username, user.username],
            [
              t.account.id,
              <code key="i" className="font-mono text-sm break-all">
                {user.id}
              </code>,
            ],
            [t.account.since, <Time key="t" at={user.created_at} />],
            [texts.lastUsed, <Time key="l" at={user.keys.last_used_at} />],
            [
              texts.webhooks,
              texts.webhooksText(user.webhooks.active, user.webhooks.inactive, user.webhooks.switched_off),
            ],
            [
              texts.pending,
              user.pending_upgrade_request_id === null ? null : (
                <Link
                  key="u"
                  to="/operator/upgrades"
                  search={{ user: user.id }}
                  className="text-accent hover:underline"
                >
                  {texts.pendingOpen}
                </Link>
              ),
            ],
          ]}
        />
      </Card>
      <Card title={texts.rates} isFlush>
        <RateTable kinds={[{ name: t.limits.tiers[user.tier], rates: user.rates }]} />
      </Card>
      {shown === 'edit' && <EditAccount user={user} onClose={close} />}
      {shown === 'credit' && <AddCredit user={user} onClose={close} />}
      {shown === 'reset' && <ResetLink user={user} onClose={close} />}
      {shown === 'logout' && <LogOutAccount user={user} onClose={close} />}
    </>
  );
}

function Calls({ userId }: { userId: string }) {
  const [{ cursor }, setSearch] = useFilters();
  const query = useQuery({
    queryKey: ['operator', 'requests', userId, cursor],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/admin/requests', {
          params: { query: { user_id: userId, limit: PAGE, cursor } },
          signal,
        }),
      ),
  });
  return (
    <Card title={t.operator.accounts.calls} isFlush>
      <Loaded query={query}>
        {({ requests, next_cursor }) => (
          <>
            <Table
              label={t.operator.accounts.calls}
              rows={requests.map(({ receipt }) => receipt)}
              keyOf={({ request_id }) => request_id}
              empty={<Empty title={t.requests.empty} />}
              columns={receiptColumns(({ key_id }) => key_id?.slice(0, 8) ?? t.requests.token, userId)}
            />
            <Cursor
              isFirst={cursor === undefined}
              next={next_cursor}
              onMove={(moved) => setSearch({ cursor: moved })}
            />
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Payments({ userId }: { userId: string }) {
  const query = useQuery({
    queryKey: ['operator', 'payments', 'of', userId],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/admin/payments', { params: { query: { user_id: userId, limit: PAGE } }, signal })),
  });
  return (
    <Card title={t.operator.accounts.payments} isFlush>
      <Loaded query={query}>{({ payments }) => <PaymentTable payments={payments} />}</Loaded>
    </Card>
  );
}
