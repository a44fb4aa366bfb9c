import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import type { AdminUserDetails } from '../../../generated/types';
import { api, ApiError, apiRoot, idempotencyKey } from '../api/client';
import { readUsd, toJson } from '../api/money';
import { change } from '../api/session';
import { t } from '../texts/texts';
import { Button, CheckBox, CopyLine, SelectField, TextField, UsdField } from '../ui/controls';
import { ErrorNote, Note } from '../ui/feedback';
import { Actions, Confirm, Modal } from '../ui/overlays';
import { WINDOWS } from '../views/limits';
import { TIERS } from './accounts';

interface FormProps {
  user: AdminUserDetails;
  onClose: () => void;
}

export function AddCredit({ user, onClose }: FormProps) {
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  // One form adds once, however often it is sent.
  const [header] = useState(idempotencyKey);
  const amount = readUsd(text);
  const adding = useMutation({
    mutationFn: () =>
      change(() =>
        api.POST('/api/payments/credits/add', {
          params: { header },
          body: { user_id: user.id, amount_usd: toJson(amount ?? 0n), reason: reason.trim() },
        }),
      ),
    onSuccess: onClose,
  });
  const error = adding.error instanceof ApiError ? adding.error : undefined;
  const isUnreadable = text !== '' && amount === undefined;
  function submit(event: FormEvent): void {
    event.preventDefault();
    adding.mutate();
  }
  return (
    <Modal title={t.operator.accounts.creditTitle(user.email)} open onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <UsdField
          label={t.common.amount}
          error={isUnreadable ? t.common.amountError : error?.of('amount_usd')}
          required
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Reason value={reason} onChange={setReason} isRequired error={error?.of('reason')} />
        <ErrorNote error={adding.error} />
        <Actions>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button
            type="submit"
            look="primary"
            busy={adding.isPending}
            disabled={amount === undefined || amount === 0n}
          >
            {t.operator.accounts.credit}
          </Button>
        </Actions>
      </form>
    </Modal>
  );
}

export function EditAccount({ user, onClose }: FormProps) {
  const [tier, setTier] = useState(user.tier);
  const [isActive, setActive] = useState(user.is_active);
  const [reason, setReason] = useState('');
  const [rates, setRates] = useState(() =>
    WINDOWS.map(([window]) => user.rate_limits?.[window]?.toString() ?? ''),
  );
  const saving = useMutation({
    mutationFn: () =>
      change(() =>
        api.PUT('/api/admin/users/{user_id}', {
          params: { path: { user_id: user.id } },
          body: {
            tier,
            is_active: isActive,
            rate_limits: Object.fromEntries(
              WINDOWS.map(([window], index) => [window, rates[index] ? Number(rates[index]) : null]),
            ),
            ...(reason.trim() !== '' && { reason: reason.trim() }),
          },
        }),
      ),
    onSuccess: onClose,
  });
  const error = saving.error instanceof ApiError ? saving.error : undefined;
  function submit(event: FormEvent): void {
    event.preventDefault();
    saving.mutate();
  }
  return (
    <Modal title={t.operator.accounts.editTitle(user.email)} open onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <SelectField
          label={t.limits.tier}
          value={tier}
          options={TIERS.map((value) => ({ value, text: t.limits.tiers[value] }))}
          onChange={(event) => setTier(TIERS.find((known) => known === event.target.value) ?? tier)}
        />
        <fieldset className="rounded-xl border border-line p-4">
          <legend className="px-1 text-sm font-medium">{t.operator.accounts.own}</legend>
          <div className="grid grid-cols-2 gap-3">
            {WINDOWS.map(([window, text], index) => (
              <TextField
                key={window}
                label={text}
                error={error?.of(`rate_limits.${window}`)}
                type="number"
                min={0.001}
                step="any"
                value={rates[index]}
                onChange={(event) =>
                  setRates(rates.map((rate, at) => (at === index ? event.target.value : rate)))
                }
              />
            ))}
          </div>
          <p className="mt-2 text-sm text-muted">{t.operator.accounts.rateHint}</p>
        </fieldset>
        <CheckBox
          label={t.operator.accounts.active}
          hint={t.operator.accounts.activeHint}
          checked={isActive}
          onChange={(event) => setActive(event.target.checked)}
        />
        <Reason value={reason} onChange={setReason} error={error?.of('reason')} />
        <ErrorNote error={saving.error} />
        <Actions>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" look="primary" busy={saving.isPending}>
            {t.common.save}
          </Button>
        </Actions>
      </form>
    </Modal>
  );
}

function Reason({
  value,
  onChange,
  error,
  isRequired = false,
}: {
  value: string;
  onChange: (value: string) => void;
  error?: string;
  isRequired?: boolean;
}) {
  return (
    <TextField
      label={t.operator.accounts.reason}
      hint={t.operator.accounts.reasonHint}
      error={error}
      optional={!isRequired}
      required={isRequired}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

export function ResetLink({ user, onClose }: FormProps) {
  const [reason, setReason] = useState('');
  const making = useMutation({
    mutationFn: () =>
      change(() =>
        api.POST('/api/admin/users/{user_id}/password-reset', {
          params: { path: { user_id: user.id } },
          body: reason.trim() === '' ? {} : { reason: reason.trim() },
        }),
      ),
  });
  const link = making.data && (making.data.url ?? `${apiRoot}/${making.data.path.replace(/^\//, '')}`);
  return (
    <Modal title={t.operator.accounts.resetTitle} open onClose={onClose} isSticky={link !== undefined}>
      <Note tone="warn">{t.operator.accounts.resetText}</Note>
      <div className="mt-4">
        {link === undefined ? (
          <Reason value={reason} onChange={setReason} />
        ) : (
          <CopyLine text={link} label={t.operator.accounts.resetLabel} />
        )}
      </div>
      <ErrorNote error={making.error} />
      <Actions>
        <Button onClick={onClose}>{link === undefined ? t.common.cancel : t.common.done}</Button>
        {link === undefined && (
          <Button look="primary" busy={making.isPending} onClick={() => making.mutate()}>
            {t.operator.accounts.resetMake}
          </Button>
        )}
      </Actions>
    </Modal>
  );
}

export function LogOutAccount({ user, onClose }: FormProps) {
  const ending = useMutation({
    mutationFn: (reason: string) =>
      change(() =>
        api.POST('/api/admin/users/{user_id}/logout', {
          params: { path: { user_id: user.id } },
          body: { reason },
        }),
      ),
    onSuccess: onClose,
  });
  return (
    <Confirm
      title={t.operator.accounts.logoutTitle}
      description={t.operator.accounts.logoutText}
      confirm={t.operator.accounts.logout}
      reasonLabel={t.operator.accounts.reason}
      open
      busy={ending.isPending}
      error={ending.error}
      onConfirm={(reason) => ending.mutate(reason)}
      onClose={onClose}
    />
  );
}
