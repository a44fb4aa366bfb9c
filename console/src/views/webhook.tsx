import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Webhook } from '../../../generated/types';
import { answer, api, idempotencyKey } from '../api/client';
import { change, queries } from '../api/session';
import { t } from '../texts/texts';
import { Button, buttonClass, SelectField, TextField } from '../ui/controls';
import { ErrorNote, Loaded, Note } from '../ui/feedback';
import { Card, Facts, Page, Time } from '../ui/layout';
import { Actions, Confirm, Modal } from '../ui/overlays';
import { DeliveryList } from './deliveries';
import { EVENTS, WebhookBadge, WebhookForm, WebhookSecret } from './webhooks';

type Shown = 'edit' | 'test' | 'replay' | 'rotate' | 'remove';

export function WebhookView() {
  const { id = '' } = useParams({ strict: false });
  const query = useQuery({
    queryKey: ['webhook', id],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/webhooks/{webhook_id}', { params: { path: { webhook_id: id } }, signal })),
  });
  return (
    <Page
      title={t.webhooks.titleOne}
      actions={
        <Link to="/webhooks" className={buttonClass()}>
          {t.webhooks.back}
        </Link>
      }
    >
      <Loaded query={query}>{(webhook) => <Content webhook={webhook} />}</Loaded>
    </Page>
  );
}

function Content({ webhook }: { webhook: Webhook }) {
  const [shown, setShown] = useState<Shown>();
  const [secret, setSecret] = useState<string>();
  const close = () => setShown(undefined);
  return (
    <>
      {webhook.disabled_reason !== null && (
        <Note tone="bad" title={t.webhooks.offBecause}>
          {webhook.disabled_reason}
        </Note>
      )}
      <Card title={t.webhooks.settings} actions={<Buttons webhook={webhook} onShow={setShown} />}>
        <Facts
          facts={[
            [
              t.webhooks.url,
              <code key="u" className="font-mono text-sm break-all">
                {webhook.url}
              </code>,
            ],
            [t.webhooks.description, webhook.description],
            [t.webhooks.state, <WebhookBadge key="s" webhook={webhook} />],
            [
              t.webhooks.events,
              webhook.events.includes('*') ? t.webhooks.everything : webhook.events.join(', '),
            ],
            [t.webhooks.failingSince, <Time key="f" at={webhook.failing_since} />],
            [t.webhooks.delivered, <Time key="d" at={webhook.last_delivered_at} />],
            [t.common.created, <Time key="c" at={webhook.created_at} />],
          ]}
        />
      </Card>
      <DeliveryList webhookId={webhook.id} onTest={() => setShown('test')} />
      {shown === 'edit' && <WebhookForm webhook={webhook} onClose={close} onSaved={close} />}
      {shown === 'test' && <Test webhookId={webhook.id} onClose={close} />}
      {shown === 'replay' && <Replay webhookId={webhook.id} onClose={close} />}
      {shown === 'rotate' && (
        <RotateSecret
          webhookId={webhook.id}
          onClose={close}
          onRotated={(rotated) => {
            close();
            setSecret(rotated);
          }}
        />
      )}
      {shown === 'remove' && <Remove webhookId={webhook.id} onClose={close} />}
      {secret !== undefined && <WebhookSecret value={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

function Buttons({ webhook, onShow }: { webhook: Webhook; onShow: (shown: Shown) => void }) {
  const switching = useMutation({
    mutationFn: () =>
      change(() =>
        api.PUT('/api/webhooks/{webhook_id}', {
          params: { path: { webhook_id: webhook.id } },
          body: { is_active: !webhook.is_active },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['webhook', webhook.id] }),
  });
  return (
    <div className="flex flex-wrap gap-2">
      <Button small look="primary" onClick={() => onShow('test')}>
        {t.webhooks.test}
      </Button>
      <Button small onClick={() => onShow('replay')}>
        {t.webhooks.replay}
      </Button>
      <Button small onClick={() => onShow('edit')}>
        {t.webhooks.edit}
      </Button>
      <Button small onClick={() => onShow('rotate')}>
        {t.webhooks.rotate}
      </Button>
      <Button small busy={switching.isPending} onClick={() => switching.mutate()}>
        {webhook.is_active ? t.webhooks.turnOff : t.webhooks.turnOn}
      </Button>
      <Button small look="danger" onClick={() => onShow('remove')}>
        {t.webhooks.remove}
      </Button>
      <ErrorNote error={switching.error} />
    </div>
  );
}

interface ActProps {
  webhookId: string;
  onClose: () => void;
}

function Test({ webhookId, onClose }: ActProps) {
  const [type, setType] = useState<(typeof EVENTS)[number]>('payment.confirmed');
  const test = useMutation({
    mutationFn: () =>
      change(() =>
        api.POST('/api/webhooks/{webhook_id}/test', {
          params: { path: { webhook_id: webhookId } },
          body: { event_type: type },
        }),
      ),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['deliveries', webhookId] });
      onClose();
    },
  });
  return (
    <Modal title={t.webhooks.testTitle} description={t.webhooks.testText} open onClose={onClose}>
      <SelectField
        label={t.webhooks.eventType}
        value={type}
        options={EVENTS.map((value) => ({ value, text: value }))}
        onChange={(event) => setType(EVENTS.find((known) => known === event.target.value) ?? type)}
      />
      <ErrorNote error={test.error} />
      <Actions>
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button look="primary" busy={test.isPending} onClick={() => test.mutate()}>
          {t.webhooks.test}
        </Button>
      </Actions>
    </Modal>
  );
}

function Replay({ webhookId, onClose }: ActProps) {
  const [since, setSince] = useState('');
  const replay = useMutation({
    mutationFn: () =>
      change(() =>
        api.POST('/api/webhooks/{webhook_id}/replay', {
          params: { path: { webhook_id: webhookId } },
          body: { since: new Date(since).toISOString() },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deliveries', webhookId] }),
  });
  return (
    <Modal title={t.webhooks.replayTitle} description={t.webhooks.replayText} open onClose={onClose}>
      <TextField
        label={t.webhooks.replaySince}
        type="datetime-local"
        required
        value={since}
        onChange={(event) => setSince(event.target.value)}
      />
      <ErrorNote error={replay.error} />
      <div aria-live="polite" className="mt-3">
        {replay.data && <Note tone="good">{t.webhooks.replayed(replay.data.replayed)}</Note>}
      </div>
      <Actions>
        <Button onClick={onClose}>{replay.data ? t.common.done : t.common.cancel}</Button>
        <Button
          look="primary"
          busy={replay.isPending}
          disabled={since === ''}
          onClick={() => replay.mutate()}
        >
          {t.webhooks.replay}
        </Button>
      </Actions>
    </Modal>
  );
}

const OVERLAPS = [0, 3_600, 86_400];

function RotateSecret({ webhookId, onClose, onRotated }: ActProps & { onRotated: (secret: string) => void }) {
  const [overlap, setOverlap] = useState(3_600);
  // A secret whose answer was lost is given again.
  const [header] = useState(idempotencyKey);
  const rotation = useMutation({
    mutationFn: () =>
      change(() =>
        api.POST('/api/webhooks/{webhook_id}/rotate-secret', {
          params: { path: { webhook_id: webhookId }, header },
          body: { overlap_seconds: overlap },
        }),
      ),
    onSuccess: ({ secret }) => onRotated(secret),
  });
  return (
    <Modal title={t.webhooks.rotateTitle} description={t.webhooks.rotateText} open onClose={onClose}>
      <SelectField
        label={t.keys.overlap}
        value={String(overlap)}
        options={OVERLAPS.map((seconds) => ({
          value: String(seconds),
          text: t.keys.overlaps(seconds / 3_600),
        }))}
        onChange={(event) => setOverlap(Number(event.target.value))}
      />
      <ErrorNote error={rotation.error} />
      <Actions>
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button look="primary" busy={rotation.isPending} onClick={() => rotation.mutate()}>
          {t.webhooks.rotate}
        </Button>
      </Actions>
    </Modal>
  );
}

function Remove({ webhookId, onClose }: ActProps) {
  const navigate = useNavigate();
  const removal = useMutation({
    mutationFn: () =>
      change(() => api.DELETE('/api/webhooks/{webhook_id}', { params: { path: { webhook_id: webhookId } } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['webhooks'] });
      void navigate({ to: '/webhooks' });
    },
  });
  return (
    <Confirm
      title={t.webhooks.removeTitle}
      description={t.webhooks.removeText}
      confirm={t.webhooks.remove}
      open
      busy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  );
}
