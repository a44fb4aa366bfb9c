import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import type { Webhook, WebhookSubscription } from '../../../generated/types';
import { answer, api, ApiError, idempotencyKey } from '../api/client';
import { fromNow } from '../api/days';
import { change, queries } from '../api/session';
import { t } from '../texts/texts';
import { Button, CheckBox, CopyLine, TextField } from '../ui/controls';
import { Badge, Empty, ErrorNote, Loaded, Note } from '../ui/feedback';
import { useFilters } from '../ui/filters';
import { Card, Page } from '../ui/layout';
import { Actions, Modal } from '../ui/overlays';
import { Pages, Table } from '../ui/table';

const PAGE = 25;

export const EVENTS = [
  'payment.created',
  'payment.confirming',
  'payment.confirmed',
  'payment.failed',
  'payment.expired',
  'balance.updated',
  'balance.low',
  'balance.depleted',
  'usage.limit_exceeded',
  'usage.threshold',
  'usage.spike',
  'anomaly.detected',
  'rate_limit.exceeded',
  'key.revoked',
] as const satisfies readonly WebhookSubscription[];

export function Webhooks() {
  const [{ offset = 0 }] = useFilters();
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const query = useQuery({
    queryKey: ['webhooks', offset],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/webhooks', { params: { query: { limit: PAGE, offset } }, signal })),
  });
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      {t.webhooks.create}
    </Button>
  );
  return (
    <Page title={t.nav.webhooks} lead={t.webhooks.lead} actions={create}>
      <Card isFlush>
        <Loaded query={query}>
          {({ webhooks, total }) => (
            <>
              <Table
                label={t.nav.webhooks}
                rows={webhooks}
                keyOf={({ id }) => id}
                empty={
                  <Empty title={t.webhooks.empty} action={create}>
                    {t.webhooks.emptyText}
                  </Empty>
                }
                columns={[
                  {
                    name: t.webhooks.url,
                    cell: ({ id, url, description }) => (
                      <div className="max-w-md min-w-40 wrap-anywhere">
                        <Link
                          to="/webhooks/$id"
                          params={{ id }}
                          className="font-medium break-all hover:text-accent hover:underline"
                        >
                          {url}
                        </Link>
                        {description !== null && <span className="block text-muted">{description}</span>}
                      </div>
                    ),
                  },
                  { name: t.webhooks.state, cell: (webhook) => <WebhookBadge webhook={webhook} /> },
                  {
                    name: t.webhooks.events,
                    isSecondary: true,
                    cell: ({ events }) => (events.includes('*') ? t.webhooks.everything : events.length),
                  },
                  {
                    name: t.webhooks.delivered,
                    isSecondary: true,
                    cell: ({ last_delivered_at }) =>
                      last_delivered_at === null ? t.common.never : fromNow(last_delivered_at),
                  },
                ]}
              />
              <Pages total={total} limit={PAGE} />
            </>
          )}
        </Loaded>
      </Card>
      {isCreating && (
        <WebhookForm
          onClose={() => setCreating(false)}
          onSaved={(saved) => {
            setCreating(false);
            setSecret(saved);
          }}
        />
      )}
      {secret !== undefined && <WebhookSecret value={secret} onClose={() => setSecret(undefined)} />}
    </Page>
  );
}

export function WebhookBadge({ webhook }: { webhook: Webhook }) {
  if (!webhook.is_active) {
    return <Badge tone={webhook.disabled_reason === null ? 'neutral' : 'bad'}>{t.webhooks.states.off}</Badge>;
  }
  return webhook.failing_since === null ? (
    <Badge tone="good">{t.webhooks.states.on}</Badge>
  ) : (
    <Badge tone="warn">{t.webhooks.states.failing}</Badge>
  );
}

export function WebhookSecret({ value, onClose }: { value: string; onClose: () => void }) {
  return (
    <Modal title={t.webhooks.secretTitle} open onClose={onClose} isSticky>
      <Note tone="warn">{t.webhooks.secretText}</Note>
      <div className="mt-4">
        <CopyLine text={value} label={t.webhooks.secret} />
      </div>
      <Actions>
        <Button look="primary" onClick={onClose}>
          {t.keys.secretDone}
        </Button>
      </Actions>
    </Modal>
  );
}

/** Creates a webhook, or changes the one that is given. */
export function WebhookForm({
  webhook,
  onClose,
  onSaved,
}: {
  webhook?: Webhook;
  onClose: () => void;
  onSaved: (secret: string | undefined) => void;
}) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [events, setEvents] = useState<readonly WebhookSubscription[]>(webhook?.events ?? ['*']);
  const [header] = useState(idempotencyKey);
  const saving = useMutation({
    mutationFn: async () => {
      const body = { url: url.trim(), description: description.trim(), events: [...events] };
      if (webhook) {
        await change(() =>
          api.PUT('/api/webhooks/{webhook_id}', { params: { path: { webhook_id: webhook.id } }, body }),
        );
        return undefined;
      }
      return (await change(() => api.POST('/api/webhooks', { params: { header }, body }))).secret;
    },
    onSuccess: (secret) => {
      void queries.invalidateQueries({ queryKey: ['webhooks'] });
      void queries.invalidateQueries({ queryKey: ['webhook'] });
      onSaved(secret);
    },
  });
  const error = saving.error instanceof ApiError ? saving.error : undefined;
  function submit(event: FormEvent): void {
    event.preventDefault();
    saving.mutate();
  }
  return (
    <Modal title={webhook ? t.webhooks.editTitle : t.webhooks.createTitle} open onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={t.webhooks.url}
          hint={t.webhooks.urlHint}
          error={error?.of('url')}
          type="url"
          placeholder="https://example.com/hooks"
          required
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <TextField
          label={t.webhooks.description}
          optional
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <EventChoice events={events} onChange={setEvents} />
        <ErrorNote error={saving.error} />
        <Actions>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" look="primary" busy={saving.isPending} disabled={events.length === 0}>
            {t.common.save}
          </Button>
        </Actions>
      </form>
    </Modal>
  );
}

function EventChoice({
  events,
  onChange,
}: {
  events: readonly WebhookSubscription[];
  onChange: (events: readonly WebhookSubscription[]) => void;
}) {
  const isAll = events.includes('*');
  return (
    <fieldset className="rounded-xl border border-line p-4">
      <legend className="px-1 text-sm font-medium">{t.webhooks.events}</legend>
      <CheckBox
        label={t.webhooks.everything}
        hint={t.webhooks.everythingHint}
        checked={isAll}
        onChange={(event) => onChange(event.target.checked ? ['*'] : [...EVENTS])}
      />
      {!isAll && (
        <div className="mt-3 grid gap-2 sm:grid-cols-2">
          {EVENTS.map((name) => (
            <CheckBox
              key={name}
              label={name}
              checked={events.includes(name)}
              onChange={(event) =>
                onChange(event.target.checked ? [...events, name] : events.filter((other) => other !== name))
              }
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}
