import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AccessKey } from '../../../generated/types';
import { answer, api, idempotencyKey } from '../api/client';
import { fromNow } from '../api/days';
import { toNano } from '../api/money';
import { change, queries } from '../api/session';
import { t } from '../texts/texts';
import { Button, CopyLine, SelectField } from '../ui/controls';
import { Badge, Empty, ErrorNote, Loaded, Note, type Tone } from '../ui/feedback';
import { ChoiceField, useFilters } from '../ui/filters';
import { Card, Meter, Page, Time, Usd } from '../ui/layout';
import { Actions, Confirm, Modal } from '../ui/overlays';
import { RowMenu } from '../ui/row-menu';
import { Pages, Table } from '../ui/table';
import { CreateKey, KeyLimits, RenameKey } from './key-forms';

const PAGE = 25;
const STATES = ['active', 'expired', 'revoked'] as const;
type Act = 'limits' | 'reset' | 'rotate' | 'rename' | 'revoke' | 'delete';

export function Keys() {
  const [{ offset = 0, status }] = useFilters();
  const state = STATES.find((known) => known === status);
  const [isCreating, setCreating] = useState(false);
  const [act, setAct] = useState<{ kind: Act; key: AccessKey }>();
  const [secret, setSecret] = useState<string>();
  const query = useQuery({
    queryKey: ['keys', state, offset],
    queryFn: async ({ signal }) => {
      const page = { limit: PAGE + 1, offset, status: state };
      // The list is a plain array: one entry more than is shown tells whether there is another page.
      return answer(api.GET('/api/keys', { params: { query: page }, signal }));
    },
  });

  function end(newSecret?: string): void {
    setCreating(false);
    setAct(undefined);
    setSecret(newSecret);
    void queries.invalidateQueries({ queryKey: ['keys'] });
  }

  return (
    <Page
      title={t.nav.keys}
      lead={t.keys.lead}
      actions={
        <Button look="primary" onClick={() => setCreating(true)}>
          {t.keys.create}
        </Button>
      }
    >
      <Card isFlush>
        <div className="border-b border-line px-4 py-4 sm:px-5">
          <div className="max-w-52">
            <ChoiceField label={t.common.status} name="status" choices={STATES} texts={t.keys.states} />
          </div>
        </div>
        <Loaded query={query} lines={6}>
          {(keys) => (
            <>
              <KeyTable
                keys={keys.slice(0, PAGE)}
                onAct={(kind, key) => setAct({ kind, key })}
                onCreate={() => setCreating(true)}
              />
              <Pages total={offset + keys.length} limit={PAGE} isOpen />
            </>
          )}
        </Loaded>
      </Card>
      {isCreating && <CreateKey onClose={() => setCreating(false)} onCreated={end} />}
      {act?.kind === 'limits' && <KeyLimits accessKey={act.key} onClose={() => end()} />}
      {act?.kind === 'rename' && <RenameKey accessKey={act.key} onClose={() => end()} />}
      {act?.kind === 'rotate' && (
        <Rotate accessKey={act.key} onClose={() => setAct(undefined)} onRotated={end} />
      )}
      {(act?.kind === 'revoke' || act?.kind === 'delete' || act?.kind === 'reset') && (
        <ConfirmAct kind={act.kind} accessKey={act.key} onClose={() => end()} />
      )}
      {secret !== undefined && <Secret value={secret} onClose={() => setSecret(undefined)} />}
    </Page>
  );
}

function stateOf({ is_active, expires_at }: AccessKey): (typeof STATES)[number] {
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) {
    return 'expired';
  }
  return is_active ? 'active' : 'revoked';
}

const TONES: Record<(typeof STATES)[number], Tone> = { active: 'good', expired: 'neutral', revoked: 'bad' };

export function KeyBadge({ accessKey }: { accessKey: AccessKey }) {
  const state = stateOf(accessKey);
  return <Badge tone={TONES[state]}>{t.keys.states[state]}</Badge>;
}

function KeyTable({
  keys,
  onAct,
  onCreate,
}: {
  keys: readonly AccessKey[];
  onAct: (kind: Act, key: AccessKey) => void;
  onCreate: () => void;
}) {
  const itemsOf = (key: AccessKey) => {
    const isActive = stateOf(key) === 'active';
    const acts: Act[] = [
      ...(isActive ? (['limits', 'reset', 'rotate', 'revoke'] as const) : []),
      'rename',
      'delete',
    ];
    return acts.map((kind) => ({
      text: t.keys.acts[kind],
      onSelect: () => onAct(kind, key),
      isDanger: kind === 'revoke' || kind === 'delete',
    }));
  };
  return (
    <Table
      label={t.nav.keys}
      rows={keys}
      keyOf={({ id }) => id}
      empty={
        <Empty
          title={t.keys.empty}
          action={
            <Button look="primary" onClick={onCreate}>
              {t.keys.create}
            </Button>
          }
        >
          {t.keys.emptyText}
        </Empty>
      }
      columns={[
        {
          name: t.common.name,
          cell: (key) => (
            <div className="min-w-22 wrap-anywhere sm:min-w-36">
              <Link
                to="/requests"
                search={{ key: key.id }}
                className="font-medium hover:text-accent hover:underline"
              >
                {key.name}
              </Link>
              <code className="block font-mono text-xs text-muted">{key.key_value_preview}</code>
            </div>
          ),
        },
        { name: t.common.status, cell: (key) => <KeyBadge accessKey={key} /> },
        { name: t.keys.limits, cell: (key) => <Limits accessKey={key} /> },
        {
          name: t.keys.lastUsed,
          isSecondary: true,
          cell: ({ last_used_at }) =>
            last_used_at === null ? (
              <span className="text-muted">{t.common.never}</span>
            ) : (
              <span title={last_used_at}>{fromNow(last_used_at)}</span>
            ),
        },
        {
          name: t.keys.expires,
          isSecondary: true,
          cell: ({ expires_at }) =>
            expires_at === null ? (
              <span className="text-muted">{t.common.never}</span>
            ) : (
              <Time at={expires_at} />
            ),
        },
      ]}
      buttons={(key) => <RowMenu label={t.common.actionsFor(key.name)} items={itemsOf(key)} />}
    />
  );
}

function Limits({ accessKey }: { accessKey: AccessKey }) {
  const { daily_limit, daily_spent, monthly_limit, monthly_spent, per_request_limit } = accessKey.limits;
  const { daily_resets_at, monthly_resets_at } = accessKey.limits;
  if (daily_limit === null && monthly_limit === null && per_request_limit === null) {
    return (
      <span className="text-muted">
        {t.common.unlimited} · <Usd amount={monthly_spent} /> {t.keys.thisMonth}
      </span>
    );
  }
  return (
    <div className="flex max-w-60 flex-col gap-2">
      {daily_limit !== null && (
        <Limit label={t.keys.day} spent={daily_spent} limit={daily_limit} resetsAt={daily_resets_at} />
      )}
      {monthly_limit !== null && (
        <Limit
          label={t.keys.month}
          spent={monthly_spent}
          limit={monthly_limit}
          resetsAt={monthly_resets_at}
        />
      )}
      {per_request_limit !== null && (
        <span className="text-sm text-muted">
          {t.keys.perCall} <Usd amount={per_request_limit} />
        </span>
      )}
    </div>
  );
}

interface LimitProps {
  label: string;
  spent: number;
  limit: number;
  resetsAt: string;
}

function Limit({ label, spent, limit, resetsAt }: LimitProps) {
  return (
    <div>
      <Meter label={label} spent={toNano(spent)} limit={toNano(limit)} />
      {spent >= limit && (
        <p className="mt-1 text-xs text-bad">
          {t.keys.usedUp} <Time at={resetsAt} />
        </p>
      )}
    </div>
  );
}

/** The one time that a secret is seen. */
export function Secret({ value, onClose }: { value: string; onClose: () => void }) {
  return (
    <Modal title={t.keys.secretTitle} open onClose={onClose} isSticky>
      <Note tone="warn">{t.keys.secretText}</Note>
      <div className="mt-4">
        <CopyLine text={value} label={t.keys.secret} />
      </div>
      <Actions>
        <Button look="primary" onClick={onClose}>
          {t.keys.secretDone}
        </Button>
      </Actions>
    </Modal>
  );
}

const OVERLAPS = [0, 3_600, 21_600, 86_400];

function Rotate({
  accessKey,
  onClose,
  onRotated,
}: {
  accessKey: AccessKey;
  onClose: () => void;
  onRotated: (secret: string) => void;
}) {
  const [overlap, setOverlap] = useState(3_600);
  // A secret whose answer was lost is given again.
  const [header] = useState(idempotencyKey);
  const rotation = useMutation({
    mutationFn: () =>
      change(() =>
        api.POST('/api/keys/{key_id}/rotate', {
          params: { path: { key_id: accessKey.id }, header },
          body: { overlap_seconds: overlap },
        }),
      ),
    onSuccess: ({ key_value }) => onRotated(key_value),
  });
  return (
    <Modal title={t.keys.rotateTitle(accessKey.name)} description={t.keys.rotateText} open onClose={onClose}>
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
          {t.keys.acts.rotate}
        </Button>
      </Actions>
    </Modal>
  );
}

function ConfirmAct({
  kind,
  accessKey,
  onClose,
}: {
  kind: 'revoke' | 'delete' | 'reset';
  accessKey: AccessKey;
  onClose: () => void;
}) {
  const params = { path: { key_id: accessKey.id } };
  const action = useMutation({
    mutationFn: async () => {
      switch (kind) {
        case 'revoke':
          await change(() => api.POST('/api/keys/{key_id}/revoke', { params }));
          return;
        case 'delete':
          await change(() => api.DELETE('/api/keys/{key_id}', { params }));
          return;
        case 'reset':
          await change(() => api.POST('/api/keys/{key_id}/limits/reset', { params }));
      }
    },
    onSuccess: onClose,
  });
  return (
    <Confirm
      title={t.keys.confirm[kind](accessKey.name)}
      description={t.keys.confirmText[kind]}
      confirm={t.keys.acts[kind]}
      isDanger={kind !== 'reset'}
      open
      busy={action.isPending}
      error={action.error}
      onConfirm={() => action.mutate()}
      onClose={onClose}
    />
  );
}
