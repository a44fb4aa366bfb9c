import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Transaction } from '../../../generated/types';
import { answer, api, apiRoot } from '../api/client';
import { sumOf, toNano } from '../api/money';
import { operationTitle } from '../texts/operations';
import { t } from '../texts/texts';
import { buttonClass } from '../ui/controls';
import { Badge, Empty, Loaded, type Tone } from '../ui/feedback';
import { ChoiceField, Filters, PeriodFields, periodOf, useFilters } from '../ui/filters';
import { Card, Figure, Figures, Money, Page, Time, Usd } from '../ui/layout';
import { Pages, Table } from '../ui/table';

const PAGE = 50;
const TONES: Record<Transaction['type'], Tone> = {
  deposit: 'good',
  bonus: 'good',
  refund: 'accent',
  adjustment: 'warn',
  charge: 'neutral',
};
export const TYPES = Object.keys(TONES) as Transaction['type'][];

export function TypeBadge({ type }: { type: Transaction['type'] }) {
  return <Badge tone={TONES[type]}>{t.transactions.types[type]}</Badge>;
}

export function Transactions() {
  const [search] = useFilters();
  const { offset = 0 } = search;
  const type = TYPES.find((known) => known === search.type);
  const period = periodOf(search);
  const list = useQuery({
    queryKey: ['transactions', type, period, offset],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/payments/transactions', {
          params: { query: { limit: PAGE, offset, type, ...period } },
          signal,
        }),
      ),
  });
  const csv = new URLSearchParams({ ...period, ...(type && { type }) });
  return (
    <Page
      title={t.nav.transactions}
      lead={t.transactions.lead}
      actions={
        // A link and not a call: the browser saves the file as it comes, however long it is.
        <a
          href={`${apiRoot}/api/payments/transactions.csv?${csv.toString()}`}
          download="transactions.csv"
          className={buttonClass()}
        >
          {t.common.download}
        </a>
      }
    >
      <Sums period={period} />
      <Card isFlush>
        <Filters>
          <ChoiceField label={t.common.type} name="type" choices={TYPES} texts={t.transactions.types} />
          <PeriodFields />
        </Filters>
        <Loaded query={list} lines={8}>
          {({ transactions, total }) => (
            <>
              <TransactionTable transactions={transactions} />
              <Pages total={total} limit={PAGE} />
            </>
          )}
        </Loaded>
      </Card>
    </Page>
  );
}

export function TransactionTable({ transactions }: { transactions: readonly Transaction[] }) {
  return (
    <Table
      label={t.nav.transactions}
      rows={transactions}
      keyOf={({ id }) => id}
      empty={<Empty title={t.transactions.empty}>{t.transactions.emptyText}</Empty>}
      columns={[
        { name: t.common.when, cell: ({ created_at }) => <Time at={created_at} seconds /> },
        { name: t.common.type, cell: ({ type }) => <TypeBadge type={type} /> },
        {
          name: t.transactions.what,
          isSecondary: true,
          cell: ({ description }) => (
            <span className="block min-w-36 wrap-anywhere">{operationTitle(description)}</span>
          ),
        },
        {
          name: t.transactions.amount,
          isNumber: true,
          cell: ({ amount }) => <Usd amount={amount} isSigned />,
        },
        {
          name: t.transactions.after,
          isNumber: true,
          isSecondary: true,
          cell: ({ balance_after }) => <Usd amount={balance_after} />,
        },
      ]}
      buttons={({ request_id }) =>
        request_id !== null && (
          <Link
            to="/requests/$id"
            params={{ id: request_id }}
            className="font-medium text-accent hover:underline"
          >
            {t.transactions.receipt}
          </Link>
        )
      }
    />
  );
}

function Sums({ period }: { period: { start_date?: string; end_date?: string } }) {
  const stats = useQuery({
    queryKey: ['transaction-stats', period],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/payments/transactions/stats', { params: { query: period }, signal })),
  });
  const note = Object.keys(period).length > 0 ? t.transactions.forPeriod : undefined;
  const data = stats.data;
  return (
    <Figures>
      <Figure label={t.transactions.deposited} note={note}>
        <Usd amount={data?.total_deposited} />
      </Figure>
      <Figure label={t.transactions.charged} note={note}>
        <Usd amount={data?.total_charged} />
      </Figure>
      <Figure label={t.transactions.refunded} note={note}>
        <Usd amount={data?.total_refunded} />
      </Figure>
      <Figure label={t.transactions.granted} note={note}>
        {data ? <Money nano={sumOf([toNano(data.total_bonus), toNano(data.total_adjusted)])} /> : '—'}
      </Figure>
    </Figures>
  );
}
