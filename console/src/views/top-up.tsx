import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import type { PaymentMethod } from '../../../generated/types';
import { answer, api, idempotencyKey } from '../api/client';
import { decimalOf, readUsd, toJson, toNano, usd } from '../api/money';
import { usePaymentEvents } from '../api/payments';
import { queries } from '../api/session';
import { useBalance } from '../shell';
import { t } from '../texts/texts';
import { Button, UsdField } from '../ui/controls';
import { Badge, Empty, ErrorNote, Loaded } from '../ui/feedback';
import { useFilters } from '../ui/filters';
import { Card, Figure, Page, Time, Usd } from '../ui/layout';
import { Pages, Table } from '../ui/table';
import { PaymentBadge } from './payment';

const AMOUNTS = ['10', '25', '50', '100'];
const PAGE = 10;

export function TopUp() {
  usePaymentEvents();
  const balance = useBalance();
  const methods = useQuery({
    queryKey: ['methods'],
    queryFn: ({ signal }) => answer(api.GET('/api/payments/payments/methods', { signal })),
  });
  return (
    <Page title={t.nav.topUp} lead={t.topUp.lead}>
      <div className="grid gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Card>
          <Loaded query={methods}>{(data) => <NewPayment methods={data.methods} />}</Loaded>
        </Card>
        <div>
          <Figure label={t.overview.available}>
            <Usd amount={balance.data?.available} />
          </Figure>
        </div>
      </div>
      <History />
    </Page>
  );
}

function NewPayment({ methods }: { methods: readonly PaymentMethod[] }) {
  const navigate = useNavigate();
  const [currency, setCurrency] = useState(methods.find(({ available }) => available)?.currency);
  const [text, setText] = useState('25');
  const [isTouched, setTouched] = useState(false);
  // One for each order, so that one whose answer was lost is not made twice.
  const [header, setHeader] = useState(idempotencyKey);
  const order = `${currency} ${text}`;
  const [ordered, setOrdered] = useState(order);
  if (ordered !== order) {
    setOrdered(order);
    setHeader(idempotencyKey());
  }
  const method = methods.find((candidate) => candidate.currency === currency);
  const amount = readUsd(text);
  const least = toNano(method?.minimum_usd ?? 0);
  const most = toNano(method?.maximum_usd ?? 0);
  const isInRange = amount !== undefined && amount >= least && amount <= most;
  const problem =
    amount === undefined
      ? t.common.amountError
      : isInRange
        ? undefined
        : t.topUp.outOfRange(usd(least), usd(most));

  const creation = useMutation({
    mutationFn: (body: { amount_usd: number; currency: PaymentMethod['currency'] }) =>
      answer(api.POST('/api/payments/payments', { params: { header }, body })),
    onSuccess: (payment) => {
      setHeader(idempotencyKey());
      queries.setQueryData(['payment', payment.id], payment);
      void queries.invalidateQueries({ queryKey: ['payments'] });
      void navigate({ to: '/top-up/$id', params: { id: payment.id } });
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    setTouched(true);
    if (currency !== undefined && amount !== undefined && isInRange) {
      creation.mutate({ amount_usd: toJson(amount), currency });
    }
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-6">
      <fieldset>
        <legend className="mb-2 text-sm font-medium">{t.topUp.howMuch}</legend>
        <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
          {AMOUNTS.map((value) => (
            <label
              key={value}
              className="cursor-pointer rounded-xl border border-line py-3 text-center text-lg font-semibold tabular-nums hover:border-edge has-checked:border-accent has-checked:bg-tint has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="amount"
                className="sr-only"
                checked={amount !== undefined && decimalOf(amount) === value}
                onChange={() => setText(value)}
              />
              ${value}
            </label>
          ))}
        </div>
      </fieldset>
      <UsdField
        label={t.topUp.other}
        hint={method && t.topUp.range(usd(least), usd(most))}
        error={isTouched ? problem : undefined}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => setTouched(true)}
      />
      <fieldset>
        <legend className="mb-2 text-sm font-medium">{t.topUp.coin}</legend>
        <div className="grid gap-2 sm:grid-cols-3">
          {methods.map((option) => (
            <Coin
              key={option.currency}
              method={option}
              isChosen={option.currency === currency}
              onChoose={() => setCurrency(option.currency)}
            />
          ))}
        </div>
      </fieldset>
      <ErrorNote error={creation.error} />
      <Button
        type="submit"
        look="primary"
        busy={creation.isPending}
        disabled={method === undefined}
        className="self-start"
      >
        {t.topUp.start}
      </Button>
    </form>
  );
}

function Coin({
  method,
  isChosen,
  onChoose,
}: {
  method: PaymentMethod;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const { currency, name, rate, available, unavailable_reason, is_sandbox, confirmations, expiry_minutes } =
    method;
  const first = confirmations[0]?.confirmations;
  return (
    <label
      className={`flex flex-col rounded-xl border border-line p-3.5 has-checked:border-accent has-checked:bg-tint has-focus-visible:outline-2 has-focus-visible:outline-accent ${available ? 'cursor-pointer hover:border-edge' : 'bg-raised'}`}
    >
      <input
        type="radio"
        name="coin"
        className="sr-only"
        checked={isChosen}
        disabled={!available}
        onChange={onChoose}
      />
      <span className="flex items-center justify-between gap-2">
        <span className="font-semibold">
          {name} <span className="font-normal text-muted">{currency}</span>
        </span>
        {is_sandbox && <Badge tone="warn">{t.topUp.sandbox}</Badge>}
      </span>
      {available ? (
        <span className="mt-1 text-sm text-muted">
          {rate !== null && <span className="block tabular-nums">{t.topUp.rate(usd(toNano(rate)))}</span>}
          {first !== undefined && <span className="block">{t.topUp.confirmations(first, currency)}</span>}
          <span className="block">{t.topUp.minutes(expiry_minutes)}</span>
        </span>
      ) : (
        <span className="mt-1 text-sm text-muted">{unavailable_reason ?? t.topUp.unavailable}</span>
      )}
    </label>
  );
}

function History() {
  const [{ offset = 0 }] = useFilters();
  const query = useQuery({
    queryKey: ['payments', offset],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/payments/payments', { params: { query: { limit: PAGE, offset } }, signal })),
    refetchInterval: 30_000,
  });
  return (
    <Card title={t.topUp.history} isFlush>
      <Loaded query={query}>
        {({ payments, total }) => (
          <>
            <Table
              label={t.topUp.history}
              rows={payments}
              keyOf={({ id }) => id}
              empty={<Empty title={t.topUp.noPayments}>{t.topUp.noPaymentsText}</Empty>}
              columns={[
                { name: t.common.when, cell: ({ created_at }) => <Time at={created_at} /> },
                {
                  name: t.topUp.amount,
                  isNumber: true,
                  cell: ({ amount_usd }) => <Usd amount={amount_usd} />,
                },
                {
                  name: t.payment.send,
                  isNumber: true,
                  isSecondary: true,
                  cell: ({ amount_crypto_text, currency }) => `${amount_crypto_text} ${currency}`,
                },
                {
                  name: t.topUp.credited,
                  isNumber: true,
                  isSecondary: true,
                  cell: ({ credited_usd }) => <Usd amount={credited_usd} />,
                },
                { name: t.common.status, cell: (payment) => <PaymentBadge payment={payment} /> },
              ]}
              buttons={({ id }) => (
                <Link to="/top-up/$id" params={{ id }} className="font-medium text-accent hover:underline">
                  {t.topUp.open}
                </Link>
              )}
            />
            <Pages total={total} limit={PAGE} />
          </>
        )}
      </Loaded>
    </Card>
  );
}
