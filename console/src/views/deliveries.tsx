import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeliveryRequest, WebhookDelivery } from '../../../generated/types';
import { answer, api } from '../api/client';
import { change, queries } from '../api/session';
import { t } from '../texts/texts';
import { Button, CopyButton, CopyLine } from '../ui/controls';
import { Badge, Empty, ErrorNote, Loaded, Note, type Tone } from '../ui/feedback';
import { ChoiceField, useFilters } from '../ui/filters';
import { ApiName, Card, Facts, Time } from '../ui/layout';
import { Actions, Modal } from '../ui/overlays';
import { Pages, Table } from '../ui/table';

const PAGE = 25;
const STATES = ['pending', 'success', 'failed'] as const;
const TONES: Record<WebhookDelivery['status'], Tone> = { pending: 'accent', success: 'good', failed: 'bad' };

export function DeliveryBadge({ delivery }: { delivery: WebhookDelivery }) {
  const { status, abandoned_at } = delivery;
  // One that was given up may have arrived when it was tried by hand.
  return status === 'failed' && abandoned_at !== null ? (
    <Badge tone="bad">{t.webhooks.abandoned}</Badge>
  ) : (
    <Badge tone={TONES[status]}>{t.webhooks.deliveryStates[status]}</Badge>
  );
}

/** Whether an attempt is being made, or is about to be. */
function isUnderWay({ status, next_attempt_at }: WebhookDelivery): boolean {
  return status === 'pending' || (next_attempt_at !== null && Date.parse(next_attempt_at) <= Date.now());
}

export function DeliveryList({ webhookId, onTest }: { webhookId: string; onTest: () => void }) {
  const [{ offset = 0, status }] = useFilters();
  const state = STATES.find((known) => known === status);
  const [shown, setShown] = useState<WebhookDelivery>();
  const query = useQuery({
    queryKey: ['deliveries', webhookId, state, offset],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/webhooks/{webhook_id}/deliveries', {
          params: { path: { webhook_id: webhookId }, query: { limit: PAGE, offset, status: state } },
          signal,
        }),
      ),
    // Whoever looks at deliveries waits for one.
    refetchInterval: ({ state: { data } }) => (data?.deliveries.some(isUnderWay) ? 2_000 : 5_000),
  });
  return (
    <Card
      title={t.webhooks.deliveries}
      isFlush
      actions={
        <div className="w-40">
          <ChoiceField
            label={t.common.status}
            name="status"
            choices={STATES}
            texts={t.webhooks.deliveryStates}
          />
        </div>
      }
    >
      <Loaded query={query}>
        {({ deliveries, total }) => (
          <>
            <Table
              label={t.webhooks.deliveries}
              rows={deliveries}
              keyOf={({ id }) => id}
              empty={
                <Empty
                  title={t.webhooks.noDeliveries}
                  action={<Button onClick={onTest}>{t.webhooks.test}</Button>}
                >
                  {t.webhooks.noDeliveriesText}
                </Empty>
              }
              columns={[
                { name: t.common.when, cell: ({ created_at }) => <Time at={created_at} seconds /> },
                {
                  name: t.webhooks.eventType,
                  cell: ({ event_type }) => <ApiName name={event_type} />,
                },
                { name: t.common.status, cell: (delivery) => <DeliveryBadge delivery={delivery} /> },
                {
                  name: t.webhooks.answer,
                  isSecondary: true,
                  cell: ({ response_status, error_message }) => (
                    <span className="block max-w-64 truncate">{response_status ?? error_message ?? '—'}</span>
                  ),
                },
                {
                  name: t.webhooks.attempts,
                  isNumber: true,
                  isSecondary: true,
                  cell: ({ attempts }) => attempts.length,
                },
              ]}
              buttons={(delivery) => (
                <Button small onClick={() => setShown(delivery)}>
                  {t.common.details}
                </Button>
              )}
            />
            <Pages total={total} limit={PAGE} />
          </>
        )}
      </Loaded>
      {shown && <DeliveryModal listed={shown} onClose={() => setShown(undefined)} />}
    </Card>
  );
}

/**
 * One delivery: what is sent, and every attempt of it. What a receiver answered is a stranger's text, and is shown as nothing but
 * text.
 */
function DeliveryModal({ listed, onClose }: { listed: WebhookDelivery; onClose: () => void }) {
  const { id, webhook_id } = listed;
  const sent = useQuery({
    queryKey: ['deliveries', webhook_id, 'one', id],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/webhooks/{webhook_id}/deliveries/{delivery_id}', {
          params: { path: { webhook_id, delivery_id: id } },
          signal,
        }),
      ),
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? 2_000 : 5_000),
  });
  // Where it is no longer on the page of the list it is read on all the same.
  const delivery = sent.data ?? listed;
  const { attempts } = delivery;
  const retry = useMutation({
    mutationFn: () =>
      change(() =>
        api.POST('/api/webhooks/deliveries/{delivery_id}/retry', {
          params: { path: { delivery_id: id } },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deliveries', webhook_id] }),
  });
  return (
    <Modal title={`${t.webhooks.delivery}: ${delivery.event_type}`} open onClose={onClose}>
      <Facts
        facts={[
          [t.common.status, <DeliveryBadge key="s" delivery={delivery} />],
          [t.webhooks.next, <Time key="n" at={delivery.next_attempt_at} seconds />],
          [t.common.created, <Time key="c" at={delivery.created_at} seconds />],
          [
            t.webhooks.url,
            <code key="u" className="font-mono text-sm break-all">
              {delivery.url}
            </code>,
          ],
        ]}
      />
      <div className="mt-3">
        <CopyLine text={delivery.event_id} label={t.webhooks.eventId} />
      </div>
      <h3 className="mt-5 mb-2 font-semibold">{t.webhooks.sent}</h3>
      <Loaded query={sent}>{({ request }) => <Sent request={request} />}</Loaded>
      <h3 className="mt-5 mb-2 font-semibold">{t.webhooks.attempts}</h3>
      {attempts.length === 0 && <p className="text-muted">{t.webhooks.noAttempts}</p>}
      <ol className="flex flex-col gap-3">
        {attempts.map((attempt, index) => (
          <li key={index} className="rounded-xl border border-line p-3">
            <p className="flex flex-wrap gap-x-3 text-sm">
              <Time at={attempt.attempted_at} seconds />
              <span className="font-medium">{attempt.response_status ?? t.webhooks.nothing}</span>
              <span className="text-muted">{t.webhooks.took(attempt.duration_ms)}</span>
            </p>
            {attempt.error_message !== null && (
              <p className="mt-1 text-sm break-words text-bad">{attempt.error_message}</p>
            )}
            {attempt.response_body !== null && attempt.response_body !== '' && (
              <Raw label={t.webhooks.body} text={attempt.response_body} />
            )}
          </li>
        ))}
      </ol>
      <ErrorNote error={retry.error} />
      <div aria-live="polite" className="mt-3 empty:hidden">
        {retry.isSuccess && delivery.status === 'failed' && isUnderWay(delivery) && (
          <Note>{t.webhooks.retrying}</Note>
        )}
      </div>
      <Actions>
        <Button onClick={onClose}>{t.common.close}</Button>
        {delivery.status === 'failed' && (
          <Button
            look="primary"
            busy={retry.isPending || isUnderWay(delivery)}
            onClick={() => retry.mutate()}
          >
            {t.webhooks.retry}
          </Button>
        )}
      </Actions>
    </Modal>
  );
}

/** A request as it goes to the receiver: its headers, and its body laid out for reading. */
function Sent({ request }: { request: DeliveryRequest }) {
  if (request === null) {
    return <p className="text-muted">{t.webhooks.sentGone}</p>;
  }
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <Raw label={t.webhooks.sentHeaders} text={headers.join('\n')} />
      <Raw label={t.webhooks.sentBody} text={laidOut(request.body)} />
      <div className="mt-2 flex items-center justify-between gap-3">
        <p className="text-sm text-muted">{t.webhooks.sentText}</p>
        <CopyButton text={request.body} label={`${t.common.copy}: ${t.webhooks.sentBody}`} />
      </div>
    </>
  );
}

function laidOut(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

function Raw({ label, text }: { label: string; text: string }) {
  return (
    <pre
      tabIndex={0}
      aria-label={label}
      className="mt-2 max-h-40 overflow-auto rounded-lg bg-raised p-2 font-mono text-xs break-all whitespace-pre-wrap"
    >
      {text}
    </pre>
  );
}
