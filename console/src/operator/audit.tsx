import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AdminAction } from '../../../generated/types';
import { answer, api } from '../api/client';
import { operationTitle } from '../texts/operations';
import { t } from '../texts/texts';
import { Button } from '../ui/controls';
import { Empty, Loaded } from '../ui/feedback';
import { Filters, periodOf, PeriodFields, SearchField, useFilters } from '../ui/filters';
import { Card, Facts, OperationTitle, Page, Time } from '../ui/layout';
import { Actions, Modal } from '../ui/overlays';
import { Pages, Table } from '../ui/table';

const PAGE = 50;

export function Audit() {
  const texts = t.operator.audit;
  const [search] = useFilters();
  const [shown, setShown] = useState<AdminAction>();
  const { offset = 0, user } = search;
  const period = periodOf(search);
  const query = useQuery({
    queryKey: ['operator', 'audit', user, period, offset],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/admin/actions', {
          params: { query: { limit: PAGE, offset, user_id: user, ...period } },
          signal,
        }),
      ),
  });
  return (
    <Page title={t.nav.audit} lead={texts.lead}>
      <Card isFlush>
        <Filters>
          <SearchField label={t.account.id} name="user" />
          <PeriodFields />
        </Filters>
        <Loaded query={query} lines={8}>
          {({ actions, total }) => (
            <>
              <Table
                label={t.nav.audit}
                rows={actions}
                keyOf={({ id }) => id}
                empty={<Empty title={texts.empty}>{texts.emptyText}</Empty>}
                columns={[
                  { name: t.common.when, cell: ({ created_at }) => <Time at={created_at} seconds /> },
                  { name: texts.what, cell: ({ operation }) => <OperationTitle id={operation} /> },
                  {
                    name: texts.who,
                    isSecondary: true,
                    cell: ({ admin_id }) => <AccountLink id={admin_id} />,
                  },
                  { name: texts.account, cell: ({ user_id }) => <AccountLink id={user_id} /> },
                  {
                    name: texts.reason,
                    isSecondary: true,
                    cell: ({ reason }) => <span className="break-words">{reason ?? '—'}</span>,
                  },
                ]}
                buttons={(action) => (
                  <Button small onClick={() => setShown(action)}>
                    {t.common.details}
                  </Button>
                )}
              />
              <Pages total={total} limit={PAGE} />
            </>
          )}
        </Loaded>
      </Card>
      {shown && <ActionModal action={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

function AccountLink({ id }: { id: string }) {
  return (
    <Link
      to="/operator/accounts/$id"
      params={{ id }}
      className="font-mono text-xs hover:text-accent hover:underline"
    >
      {id.slice(0, 8)}
    </Link>
  );
}

function ActionModal({ action, onClose }: { action: AdminAction; onClose: () => void }) {
  const texts = t.operator.audit;
  const json = (value: unknown) => (
    <pre
      tabIndex={0}
      className="max-h-60 overflow-auto rounded-lg bg-raised p-2 font-mono text-xs break-all whitespace-pre-wrap"
    >
      {JSON.stringify(value, null, 2)}
    </pre>
  );
  return (
    <Modal title={operationTitle(action.operation)} open onClose={onClose}>
      <Facts
        facts={[
          [t.common.when, <Time key="t" at={action.created_at} seconds />],
          [texts.who, action.admin_id],
          [texts.account, action.user_id],
          [texts.reason, action.reason],
          [t.requests.id, action.request_id],
          [texts.before, json(action.before)],
          [texts.after, json(action.after)],
        ]}
      />
      <Actions>
        <Button onClick={onClose}>{t.common.close}</Button>
      </Actions>
    </Modal>
  );
}
