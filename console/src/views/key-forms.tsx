import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import type { AccessKey, SpendingLimits } from '../../../generated/types';
import { ApiError, api, idempotencyKey } from '../api/client';
import { zone } from '../api/days';
import { decimalOf, readUsd, toJson, toNano } from '../api/money';
import { change } from '../api/session';
import { t } from '../texts/texts';
import { Button, TextField, UsdField } from '../ui/controls';
import { ErrorNote } from '../ui/feedback';
import { Actions, Modal } from '../ui/overlays';

const LIMITS = ['daily_limit', 'monthly_limit', 'per_request_limit'] as const;
type LimitTexts = Record<(typeof LIMITS)[number], string>;

const NO_LIMITS: LimitTexts = { daily_limit: '', monthly_limit: '', per_request_limit: '' };

/** The limits as they were typed, of which an empty one is none; undefined where one can't be read. */
function readLimits(texts: LimitTexts): Record<(typeof LIMITS)[number], number | null> | undefined {
  const read: Record<(typeof LIMITS)[number], number | null> = {
    daily_limit: null,
    monthly_limit: null,
    per_request_limit: null,
  };
  for (const name of LIMITS) {
    if (texts[name].trim() !== '') {
      const nano = readUsd(texts[name]);
      if (nano === undefined) {
        return undefined;
      }
      read[name] = toJson(nano);
    }
  }
  return read;
}

function LimitFields({
  texts,
  onChange,
  error,
}: {
  texts: LimitTexts;
  onChange: (texts: LimitTexts) => void;
  error: unknown;
}) {
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {LIMITS.map((name) => {
        const isUnreadable = texts[name].trim() !== '' && readUsd(texts[name]) === undefined;
        const said = error instanceof ApiError ? (error.of(name) ?? error.of(`limits.${name}`)) : undefined;
        return (
          <UsdField
            key={name}
            label={t.keys.limitNames[name]}
            placeholder={t.common.unlimited}
            error={isUnreadable ? t.common.amountError : said}
            value={texts[name]}
            onChange={(event) => onChange({ ...texts, [name]: event.target.value })}
          />
        );
      })}
    </div>
  );
}

export function CreateKey({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (secret: string) => void;
}) {
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState('');
  const [texts, setTexts] = useState(NO_LIMITS);
  const limits = readLimits(texts);
  // One form is one key, however often it is sent.
  const [header] = useState(idempotencyKey);
  const creation = useMutation({
    mutationFn: () =>
      change(() =>
        api.POST('/api/keys', {
          params: { header },
          body: {
            name: name.trim(),
            expires_at: expiry === '' ? null : new Date(expiry).toISOString(),
            ...(limits &&
              Object.values(limits).some((limit) => limit !== null) && {
                limits: { ...limits, timezone: zone },
              }),
          },
        }),
      ),
    onSuccess: ({ key_value }) => onCreated(key_value),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    creation.mutate();
  }
  return (
    <Modal title={t.keys.createTitle} description={t.keys.createText} open onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={t.common.name}
          placeholder={t.keys.namePlaceholder}
          error={creation.error instanceof ApiError ? creation.error.of('name') : undefined}
          required
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <LimitFields texts={texts} onChange={setTexts} error={creation.error} />
        <p className="text-sm text-muted">{t.keys.limitsHint(zone)}</p>
        <TextField
          label={t.keys.expires}
          hint={t.keys.expiresHint}
          optional
          type="datetime-local"
          value={expiry}
          onChange={(event) => setExpiry(event.target.value)}
        />
        <ErrorNote error={creation.error} />
        <Actions>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" look="primary" busy={creation.isPending} disabled={limits === undefined}>
            {t.keys.create}
          </Button>
        </Actions>
      </form>
    </Modal>
  );
}

export function KeyLimits({ accessKey, onClose }: { accessKey: AccessKey; onClose: () => void }) {
  const [texts, setTexts] = useState<LimitTexts>(() => textsOf(accessKey.limits));
  const limits = readLimits(texts);
  const update = useMutation({
    mutationFn: () =>
      change(() =>
        api.PUT('/api/keys/{key_id}/limits', {
          params: { path: { key_id: accessKey.id } },
          body: { ...limits, timezone: accessKey.limits.timezone },
        }),
      ),
    onSuccess: onClose,
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    update.mutate();
  }
  return (
    <Modal title={t.keys.limitsTitle(accessKey.name)} description={t.keys.limitsText} open onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <LimitFields texts={texts} onChange={setTexts} error={update.error} />
        <p className="text-sm text-muted">{t.keys.limitsHint(accessKey.limits.timezone)}</p>
        <ErrorNote error={update.error} />
        <Actions>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" look="primary" busy={update.isPending} disabled={limits === undefined}>
            {t.common.save}
          </Button>
        </Actions>
      </form>
    </Modal>
  );
}

function textsOf(limits: SpendingLimits): LimitTexts {
  const textOf = (limit: number | null) => (limit === null ? '' : decimalOf(toNano(limit)));
  return {
    daily_limit: textOf(limits.daily_limit),
    monthly_limit: textOf(limits.monthly_limit),
    per_request_limit: textOf(limits.per_request_limit),
  };
}

export function RenameKey({ accessKey, onClose }: { accessKey: AccessKey; onClose: () => void }) {
  const [name, setName] = useState(accessKey.name);
  const renaming = useMutation({
    mutationFn: () =>
      change(() =>
        api.PUT('/api/keys/{key_id}', {
          params: { path: { key_id: accessKey.id } },
          body: { name: name.trim() },
        }),
      ),
    onSuccess: onClose,
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    renaming.mutate();
  }
  return (
    <Modal title={t.keys.acts.rename} open onClose={onClose}>
      <form onSubmit={submit}>
        <TextField
          label={t.common.name}
          required
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <ErrorNote error={renaming.error} />
        <Actions>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" look="primary" busy={renaming.isPending}>
            {t.common.save}
          </Button>
        </Actions>
      </form>
    </Modal>
  );
}
