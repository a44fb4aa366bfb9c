import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api, idempotencyKey } from '../api/client';
import { change, queries } from '../api/session';
import { t } from '../texts/texts';
import { Button } from '../ui/controls';
import { Empty, Loaded } from '../ui/feedback';
import { useFilters } from '../ui/filters';
import { ApiName, Card, count, Figure, Figures, Page, Time } from '../ui/layout';
import { Confirm } from '../ui/overlays';
import { Pages, Table } from '../ui/table';

const PAGE = 25;

export function Deliveries() {
  const texts = t.operator.deliveries;
  const health = useQuery({
    queryKey: ['operator', 'webhooks-health'],
    queryFn: ({ signal }) => answer(api.GET('/api/admin/webhooks/health', { signal })),
    refetchInterval: 15_000,
  });
  return (
    <Page title={t.nav.deliveries} lead={texts.lead}>
      <Loaded query={health}>
        {(data) => (
          <Figures>
            <Figure
              label={texts.waiting}
              note={
                data.oldest_event_age_seconds === null
                  ? undefined
                  : texts.oldest(data.oldest_event_age_seconds)
              }
            >
              {count(data.events_waiting)}
            </Figure>
            <Figure label={texts.due}>{count(data.deliveries_due)}</Figure>
            <Figure label={texts.failed}>{count(data.failed_last_24h)}</Figure>
            <Figure label={texts.abandoned}>{count(data.abandoned_last_24h)}</Figure>
          </Figures>
        )}
      </Loaded>
      <SwitchedOff />
      <Abandoned />
    </Page>
  );
}

function Owner({ id }: { id: string }) {
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

function SwitchedOff() {
  const texts = t.operator.deliveries;
  const [enabled, setEnabled] = useState<{ id: string; header: ReturnType<typeof idempotencyKey> }>();
  const query = useQuery({
    queryKey: ['operator', 'webhooks-off'],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/admin/webhooks', { params: { query: { limit: 100, status: 'switched_off' } }, signal }),
      ),
  });
  const enabling = useMutation({
    mutationFn: ({ id, header, reason }: NonNullable<typeof enabled> & { reason: string }) =>
      change(() =>
        api.POST('/api/admin/webhooks/{webhook_id}/enable', {
          params: { path: { webhook_id: id }, header },
          body: { reason },
        }),
      ),
    onSuccess: () => {
      setEnabled(undefined);
      void queries.invalidateQueries({ queryKey: ['operator'] });
    },
  });
  return (
    <Card title={texts.webhooks} isFlush>
      <Loaded query={query}>
        {({ webhooks }) => (
          <Table
            label={texts.webhooks}
            rows={webhooks}
            keyOf={({ webhook }) => webhook.id}
            empty={<Empty title={texts.noneOff}>{texts.noneOffText}</Empty>}
            columns={[
              {
                name: t.webhooks.url,
                cell: ({ webhook }) => <span className="break-all">{webhook.url}</span>,
              },
              {
                name: t.operator.accounts.account,
                isSecondary: true,
                cell: ({ user_id }) => <Owner id={user_id} />,
              },
              {
                name: texts.why,
                cell: ({ webhook }) => <span className="break-words">{webhook.disabled_reason ?? '—'}</span>,
              },
            ]}
            buttons={({ webhook }) => (
              <Button small onClick={() => setEnabled({ id: webhook.id, header: idempotencyKey() })}>
                {texts.enable}
              </Button>
            )}
          />
        )}
      </Loaded>
      {enabled !== undefined && (
        <Confirm
          title={texts.enableTitle}
          description={texts.enableText}
          confirm={texts.enable}
          reasonLabel={t.operator.accounts.reason}
          isDanger={false}
          open
          busy={enabling.isPending}
          error={enabling.error}
          onConfirm={(reason) => enabling.mutate({ ...enabled, reason })}
          onClose={() => setEnabled(undefined)}
        />
      )}
    </Card>
  );
}

function Abandoned() {
  const texts = t.operator.deliveries;
  const [{ offset = 0 }] = useFilters();
  const query = useQuery({
    queryKey: ['operator', 'abandoned', offset],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/admin/webhooks/abandoned-deliveries', {
          params: { query: { limit: PAGE, offset } },
          signal,
        }),
      ),
  });
  return (
    <Card title={texts.given} isFlush>
      <Loaded query={query}>
        {({ deliveries, total }) => (
          <>
            <Table
              label={texts.given}
              rows={deliveries}
              keyOf={({ delivery }) => delivery.id}
              empty={<Empty title={texts.noneGiven}>{texts.noneGivenText}</Empty>}
              columns={[
                { name: t.common.when, cell: ({ delivery }) => <Time at={delivery.abandoned_at} /> },
                {
                  name: t.webhooks.eventType,
                  cell: ({ delivery }) => <ApiName name={delivery.event_type} />,
                },
                {
                  name: t.operator.accounts.account,
                  isSecondary: true,
                  cell: ({ user_id }) => <Owner id={user_id} />,
                },
                {
                  name: t.webhooks.url,
                  isSecondary: true,
                  cell: ({ delivery }) => <span className="break-all">{delivery.url}</span>,
                },
                {
                  name: t.webhooks.answer,
                  cell: ({ delivery }) => (
                    <span className="break-words">
                      {delivery.response_status ?? delivery.error_message ?? '—'}
                    </span>
                  ),
                },
              ]}
            />
            <Pages total={total} limit={PAGE} />
          </>
        )}
      </Loaded>
    </Card>
  );
}
