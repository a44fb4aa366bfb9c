import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import type { AdminPayment } from '../../../generated/types';
import { answer, api, ApiError, idempotencyKey } from '../api/client';
import { readUsd, toJson } from '../api/money';
import { change, queries } from '../api/session';
import { t } from '../texts/texts';
import { Button, CheckBox, CopyLine, TextField, UsdField } from '../ui/controls';
import { Badge, Empty, ErrorNote, Loaded } from '../ui/feedback';
import { ChoiceField, Filters, SearchField, useFilters } from '../ui/filters';
import { Card, Facts, Page, Time, Usd } from '../ui/layout';
import { Actions, Modal } from '../ui/overlays';
import { Pages, Table } from '../ui/table';
import { PaymentBadge } from '../views/payment';

const PAGE = 25;
const COINS = ['BTC', 'ETH', 'SOL'] as const;
const STATES = ['created', 'confirming', 'confirmed', 'failed', 'expired'] as const;
const REVIEW = 'review';

export function Payments() {
  const [search] = useFilters();
  const { offset = 0, user } = search;
  const currency = COINS.find((known) => known === search.type);
  const status = STATES.find((known) => known === search.status);
  const isReview = search.status === REVIEW;
  const query = useQuery({
    queryKey: ['operator', 'payments', currency, search.status, user, offset],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/admin/payments', {
          params: {
            query: {
              limit: PAGE,
              offset,
              currency,
              status,
              user_id: user,
              ...(isReview && { needs_review: true }),
            },
          },
          signal,
        }),
      ),
  });
  const texts = t.operator.payments;
  return (
    <Page title={t.nav.payments} lead={texts.lead}>
      <Card isFlush>
        <Filters>
          <ChoiceField
            label={t.common.status}
            name="status"
            choices={[REVIEW, ...STATES]}
            texts={{ ...t.payment.statuses, [REVIEW]: texts.reviewOnly }}
          />
          <ChoiceField label={texts.currency} name="type" choices={COINS} />
          <SearchField label={t.account.id} name="user" />
        </Filters>
        <Loaded query={query}>
          {({ payments, total }) => (
            <>
              <PaymentTable payments={payments} />
              <Pages total={total} limit={PAGE} />
            </>
          )}
        </Loaded>
      </Card>
    </Page>
  );
}

/** Payments as operators see them, each of which can be opened and, where it is in review, resolved. */
export function PaymentTable({ payments }: { payments: readonly AdminPayment[] }) {
  const texts = t.operator.payments;
  const [shown, setShown] = useState<AdminPayment>();
  return (
    <>
      <Table
        label={t.nav.payments}
        rows={payments}
        keyOf={({ payment }) => payment.id}
        empty={<Empty title={texts.empty} />}
        columns={[
          { name: t.common.when, cell: ({ payment }) => <Time at={payment.created_at} /> },
          {
            name: t.operator.accounts.account,
            isSecondary: true,
            cell: ({ payment }) => (
              <Link
                to="/operator/accounts/$id"
                params={{ id: payment.user_id }}
                className="font-mono text-xs hover:text-accent hover:underline"
              >
                {payment.user_id.slice(0, 8)}
              </Link>
            ),
          },
          {
            name: t.topUp.amount,
            isNumber: true,
            cell: ({ payment }) => <Usd amount={payment.amount_usd} />,
          },
          {
            name: texts.received,
            isNumber: true,
            isSecondary: true,
            cell: ({ payment }) => `${payment.received_crypto_text} ${payment.currency}`,
          },
          {
            name: t.topUp.credited,
            isNumber: true,
            isSecondary: true,
            cell: ({ payment }) => <Usd amount={payment.credited_usd} />,
          },
          {
            name: t.common.status,
            cell: ({ payment, review }) => (
              <span className="flex flex-wrap gap-1">
                <PaymentBadge payment={payment} />
                {review.needed && <Badge tone="bad">{texts.review}</Badge>}
              </span>
            ),
          },
        ]}
        buttons={(entry) => (
          <Button small onClick={() => setShown(entry)}>
            {entry.review.needed ? texts.resolve : t.common.details}
          </Button>
        )}
      />
      {shown && <PaymentModal entry={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

function PaymentModal({ entry, onClose }: { entry: AdminPayment; onClose: () => void }) {
  const { payment, review } = entry;
  const texts = t.operator.payments;
  return (
    <Modal title={review.needed ? texts.resolveTitle : texts.details} open onClose={onClose}>
      <Facts
        facts={[
          [t.common.status, <PaymentBadge key="s" payment={payment} />],
          [t.payment.asked, <Usd key="a" amount={payment.amount_usd} />],
          [t.payment.send, `${payment.amount_crypto_text} ${payment.currency}`],
          [texts.received, `${payment.received_crypto_text} ${payment.currency}`],
          [t.topUp.credited, <Usd key="c" amount={payment.credited_usd} />],
          [t.payment.network, payment.network],
          ...(review.reason === null
            ? []
            : ([
                [texts.why, review.reason],
                [texts.since, <Time key="t" at={review.since} />],
              ] as const)),
          ...(review.resolved_at === null
            ? []
            : ([
                [texts.resolved, <Time key="r" at={review.resolved_at} />],
                [texts.note, review.note],
              ] as const)),
        ]}
      />
      <div className="mt-4">
        <CopyLine text={payment.address} label={texts.address} />
      </div>
      {review.needed ? (
        <Resolve entry={entry} onClose={onClose} />
      ) : (
        <Actions>
          <Button onClick={onClose}>{t.common.close}</Button>
        </Actions>
      )}
    </Modal>
  );
}

function Resolve({ entry, onClose }: { entry: AdminPayment; onClose: () => void }) {
  const texts = t.operator.payments;
  const [note, setNote] = useState('');
  const [text, setText] = useState('');
  const [isTaken, setTaken] = useState(false);
  const [header] = useState(idempotencyKey);
  const amount = text.trim() === '' ? 0n : readUsd(text);
  const resolving = useMutation({
    mutationFn: () =>
      change(() =>
        api.POST('/api/admin/payments/{payment_id}/resolve', {
          params: { path: { payment_id: entry.payment.id }, header },
          body: {
            note: note.trim(),
            // What somebody else has decided meanwhile is refused, and not overwritten.
            expected_version: entry.version,
            adjust_usd: toJson(isTaken ? -(amount ?? 0n) : (amount ?? 0n)),
          },
        }),
      ),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['operator'] });
      onClose();
    },
  });
  const error = resolving.error instanceof ApiError ? resolving.error : undefined;
  function submit(event: FormEvent): void {
    event.preventDefault();
    resolving.mutate();
  }
  return (
    <form onSubmit={submit} className="mt-5 flex flex-col gap-4 border-t border-line pt-5">
      <p className="text-muted">{texts.resolveText}</p>
      <TextField
        label={texts.note}
        error={error?.of('note')}
        required
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <UsdField
        label={texts.adjust}
        error={amount === undefined ? t.common.amountError : error?.of('adjust_usd')}
        optional
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <CheckBox
        label={texts.adjustTake}
        checked={isTaken}
        onChange={(event) => setTaken(event.target.checked)}
      />
      <ErrorNote error={resolving.error} />
      <Actions>
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button type="submit" look="primary" busy={resolving.isPending} disabled={amount === undefined}>
          {texts.resolve}
        </Button>
      </Actions>
    </form>
  );
}
