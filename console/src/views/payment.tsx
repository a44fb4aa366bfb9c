import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import type { Payment } from '../../../generated/types';
import { answer, api, apiRoot } from '../api/client';
import { usePaymentEvents } from '../api/payments';
import { toNano, usd } from '../api/money';
import { queries } from '../api/session';
import { t } from '../texts/texts';
import { Button, buttonClass, CopyLine } from '../ui/controls';
import { Badge, Empty, ErrorNote, Loaded, Note, type Tone } from '../ui/feedback';
import { Card, Facts, Page, Time, Usd } from '../ui/layout';
import { Table } from '../ui/table';

const TONES: Record<Payment['status'], Tone> = {
  created: 'accent',
  confirming: 'warn',
  confirmed: 'good',
  failed: 'bad',
  expired: 'neutral',
};
/** How often an open payment is asked for where its events don't come through. */
const POLL_MS = 5_000;

export function PaymentBadge({ payment }: { payment: Pick<Payment, 'status'> }) {
  return <Badge tone={TONES[payment.status]}>{t.payment.statuses[payment.status]}</Badge>;
}

export function PaymentView() {
  const { id = '' } = useParams({ strict: false });
  const isLive = usePaymentEvents();
  const query = useQuery({
    queryKey: ['payment', id],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/payments/payments/{payment_id}', { params: { path: { payment_id: id } }, signal }),
      ),
    refetchInterval: ({ state }) => (isLive || isEnded(state.data) ? 60_000 : POLL_MS),
  });
  return (
    <Page
      title={t.payment.title}
      lead={query.data && isOpen(query.data) ? t.payment.lead(query.data.currency) : undefined}
      actions={
        <Link to="/top-up" className={buttonClass()}>
          {t.payment.another}
        </Link>
      }
    >
      <Loaded query={query} lines={6}>
        {(payment) => <Content payment={payment} isLive={isLive} />}
      </Loaded>
    </Page>
  );
}

function isEnded(payment: Payment | undefined): boolean {
  return payment !== undefined && ['confirmed', 'failed'].includes(payment.status);
}

/** Whether coins are to be sent to it. */
function isOpen({ status }: Payment): boolean {
  return status === 'created' || status === 'confirming';
}

function Content({ payment, isLive }: { payment: Payment; isLive: boolean }) {
  return (
    <>
      <State payment={payment} />
      <div className="grid gap-6 lg:grid-cols-2">
        {isOpen(payment) && <Where payment={payment} />}
        <Card
          title={t.common.status}
          actions={isOpen(payment) && isLive && <Badge tone="good">{t.payment.live}</Badge>}
        >
          <Steps payment={payment} />
          <div className="mt-5">
            <Facts
              facts={[
                [t.payment.asked, <Usd key="a" amount={payment.amount_usd} />],
                [t.topUp.credited, <Usd key="c" amount={payment.credited_usd} />],
                [t.payment.rate, <Usd key="r" amount={payment.rate} />],
                [t.payment.network, payment.network],
                [t.payment.expires, <Expiry key="e" at={payment.expires_at} isOver={!isOpen(payment)} />],
                [t.common.created, <Time key="t" at={payment.created_at} />],
              ]}
            />
          </div>
          {isOpen(payment) && <Look payment={payment} />}
        </Card>
      </div>
      <Transfers payment={payment} />
    </>
  );
}

function State({ payment }: { payment: Payment }) {
  const { status, credited_usd, underpaid, overpaid, late, failure_reason } = payment;
  const remarks = [underpaid && t.payment.under, overpaid && t.payment.over, late && t.payment.late].filter(
    (remark) => remark !== false,
  );
  return (
    <div aria-live="polite" className="flex flex-col gap-3 empty:hidden">
      {status === 'confirmed' && (
        <Note tone="good" title={t.payment.confirmed(usd(toNano(credited_usd)))}>
          {t.payment.confirmedText}
        </Note>
      )}
      {status === 'expired' && (
        <Note tone="warn" title={t.payment.expired}>
          {t.payment.expiredText}
        </Note>
      )}
      {status === 'failed' && (
        <Note tone="bad" title={t.payment.failed}>
          {failure_reason}
        </Note>
      )}
      {remarks.length > 0 && <Note tone="warn">{remarks.join(' ')}</Note>}
    </div>
  );
}

/** What a wallet needs: as a QR code, as a link, and as text to be copied. */
function Where({ payment }: { payment: Payment }) {
  const { currency, amount_crypto_text, address, reference, network, payment_uri, qr_path } = payment;
  return (
    <Card>
      <div className="flex flex-col gap-5">
        {/* White in both themes: cameras read dark on light. */}
        <div className="self-center rounded-2xl border border-line bg-white p-3">
          <img
            src={`${apiRoot}${qr_path}`}
            alt={t.payment.qr(currency)}
            width={208}
            height={208}
            className="size-52"
          />
        </div>
        <Labelled label={t.payment.send}>
          <p className="mb-2 text-xl font-semibold break-all tabular-nums">
            {amount_crypto_text} {currency}
          </p>
          <CopyLine text={amount_crypto_text} label={t.payment.send} />
        </Labelled>
        <Labelled label={t.payment.to}>
          <CopyLine text={address} label={t.payment.to} />
        </Labelled>
        {reference !== null && (
          <Labelled label={t.payment.reference}>
            <CopyLine text={reference} label={t.payment.reference} />
          </Labelled>
        )}
        <Note tone="warn">{t.payment.networkOnly(network)}</Note>
        <a href={payment_uri} className={buttonClass('secondary')}>
          {t.payment.wallet}
        </a>
      </div>
    </Card>
  );
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="mb-1.5 text-sm font-medium">{label}</p>
      {children}
    </div>
  );
}

function Steps({ payment }: { payment: Payment }) {
  const { status, transfers, confirmations, required_confirmations } = payment;
  const isSeen = transfers.length > 0 || status === 'confirmed';
  const isDone = status === 'confirmed';
  const steps = [
    [t.payment.steps.waiting, isSeen],
    [t.payment.steps.seen, isSeen],
    [
      `${t.payment.steps.confirming}: ${t.payment.confirmations(Math.min(confirmations, required_confirmations), required_confirmations)}`,
      isDone,
    ],
    [t.payment.steps.credited, isDone],
  ] as const;
  const current = steps.findIndex(([, done]) => !done);
  return (
    <ol className="flex flex-col gap-3">
      {steps.map(([text, done], index) => (
        <li
          key={text}
          aria-current={index === current ? 'step' : undefined}
          className="flex items-center gap-3"
        >
          <span
            aria-hidden="true"
            className={`flex size-6 shrink-0 items-center justify-center rounded-full border text-xs font-semibold ${done ? 'border-good bg-good-tint text-good' : index === current ? 'border-accent text-accent' : 'border-line text-muted'}`}
          >
            {done ? '✓' : index + 1}
          </span>
          <span className={done || index === current ? 'font-medium' : 'text-muted'}>{text}</span>
        </li>
      ))}
    </ol>
  );
}

/** Counts the minutes and seconds down, without telling a screen reader each of them. */
function Expiry({ at, isOver }: { at: string; isOver: boolean }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.floor((Date.parse(at) - now) / 1000);
  const isRunning = !isOver && seconds > 0 && seconds < 24 * 60 * 60;
  return (
    <>
      <Time at={at} />
      {isRunning && (
        <span aria-hidden="true" className="ml-2 text-muted tabular-nums">
          {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
        </span>
      )}
    </>
  );
}

function Look({ payment }: { payment: Payment }) {
  const look = useMutation({
    mutationFn: () =>
      answer(
        api.POST('/api/payments/payments/{payment_id}/confirm', {
          params: { path: { payment_id: payment.id } },
        }),
      ),
    onSuccess: (looked) => {
      queries.setQueryData(['payment', payment.id], looked);
      void queries.invalidateQueries({ queryKey: ['balance'] });
      void queries.invalidateQueries({ queryKey: ['payments'] });
    },
  });
  const isSandbox = payment.network === 'sandbox';
  return (
    <div className="mt-5 border-t border-line pt-5">
      {isSandbox && (
        <div className="mb-3">
          <p className="font-medium">{t.payment.sandboxTitle}</p>
          <p className="text-muted">{t.payment.sandboxText}</p>
        </div>
      )}
      <ErrorNote error={look.error} />
      <Button look={isSandbox ? 'primary' : 'secondary'} busy={look.isPending} onClick={() => look.mutate()}>
        {isSandbox ? t.payment.play : t.payment.look}
      </Button>
    </div>
  );
}

function Transfers({ payment }: { payment: Payment }) {
  return (
    <Card title={t.payment.transfers} isFlush>
      <Table
        label={t.payment.transfers}
        rows={payment.transfers}
        keyOf={({ tx_hash, first_seen_at }) => `${tx_hash} ${first_seen_at}`}
        empty={<Empty title={t.payment.steps.waiting}>{t.payment.noTransfers}</Empty>}
        columns={[
          { name: t.common.when, cell: ({ first_seen_at }) => <Time at={first_seen_at} seconds /> },
          {
            name: t.topUp.amount,
            isNumber: true,
            cell: ({ amount_crypto_text }) => `${amount_crypto_text} ${payment.currency}`,
          },
          { name: t.common.status, cell: ({ state }) => t.payment.states[state] },
          { name: t.payment.steps.confirming, isNumber: true, cell: ({ confirmations }) => confirmations },
          {
            name: t.topUp.credited,
            isNumber: true,
            cell: ({ credited_usd }) => <Usd amount={credited_usd} />,
          },
          {
            name: t.payment.transaction,
            isSecondary: true,
            cell: ({ tx_hash }) => <code className="font-mono text-xs break-all">{tx_hash ?? '—'}</code>,
          },
        ]}
      />
    </Card>
  );
}
