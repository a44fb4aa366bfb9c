import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { Receipt } from '../../../generated/types';
import { answer, api, ApiError } from '../api/client';
import type { Search } from '../routes';
import { t } from '../texts/texts';
import { buttonClass, CopyLine } from '../ui/controls';
import { Loaded } from '../ui/feedback';
import { ApiName, Card, count, Facts, OperationTitle, Page, Time, Usd } from '../ui/layout';
import { OutcomeBadge, useKeys } from './requests';

export function ReceiptView() {
  const { id = '' } = useParams({ strict: false });
  const { user }: Search = useSearch({ strict: false });
  const query = useQuery({
    queryKey: ['receipt', id, user],
    queryFn: ({ signal }) => readReceipt(id, user, signal),
    // A call has its receipt a moment after it has ended.
    retry: (failures, error) => failures < 3 && error instanceof ApiError && error.status === 404,
    refetchInterval: ({ state }) => (state.data?.outcome === 'in_flight' ? 2_000 : false),
  });
  return (
    <Page
      title={t.requests.titleOne}
      lead={t.requests.leadOne}
      actions={
        user === undefined ? (
          <Link to="/requests" className={buttonClass()}>
            {t.requests.back}
          </Link>
        ) : (
          <Link to="/operator/accounts/$id" params={{ id: user }} className={buttonClass()}>
            {t.operator.accounts.account}
          </Link>
        )
      }
    >
      <Loaded query={query} lines={8}>
        {(receipt) => <ReceiptCards receipt={receipt} isOfOther={user !== undefined} />}
      </Loaded>
    </Page>
  );
}

/** A call of the own account, or of the account that an operator looks at. */
async function readReceipt(id: string, user: string | undefined, signal: AbortSignal): Promise<Receipt> {
  const path = { request_id: id };
  if (user === undefined) {
    return answer(api.GET('/api/monitoring/requests/{request_id}', { params: { path }, signal }));
  }
  const query = { user_id: user };
  return (await answer(api.GET('/api/admin/requests/{request_id}', { params: { path, query }, signal })))
    .receipt;
}

function KeyName({ id }: { id: string }) {
  const { known } = useKeys(id);
  return known.find((key) => key.id === id)?.name ?? id.slice(0, 8);
}

/** A receipt: what was called, and how its money went. */
export function ReceiptCards({ receipt, isOfOther = false }: { receipt: Receipt; isOfOther?: boolean }) {
  const { outcome, status, operation, model, key_id, request_id, client_request_id, latency_ms } = receipt;
  const { price, price_version, reserved, charged, released, transaction_id } = receipt;
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <Card title={t.requests.money}>
        <p className="text-3xl font-semibold tracking-tight">
          <Usd amount={charged} />
        </p>
        <p className="mt-1 mb-5 text-muted">
          {outcome === 'settled' && charged === 0 ? t.requests.freeText : t.requests.charges[outcome]}
        </p>
        <Facts
          facts={[
            [t.requests.reserved, <Usd key="r" amount={reserved} />],
            [t.requests.charged, <Usd key="c" amount={charged} />],
            [t.requests.released, <Usd key="g" amount={released} />],
            [t.requests.price, price === null ? null : `${price} ${t.requests.version} ${price_version}`],
            [t.requests.input, count(receipt.input_tokens)],
            [t.requests.cached, count(receipt.cached_tokens)],
            [t.requests.cacheWrites, count(receipt.cache_write_tokens)],
            [t.requests.output, count(receipt.output_tokens)],
            [
              t.requests.transaction,
              transaction_id === null ? null : (
                <code key="t" className="font-mono text-sm break-all">
                  {transaction_id}
                </code>
              ),
            ],
          ]}
        />
      </Card>
      <Card title={t.requests.call}>
        <Facts
          facts={[
            [t.requests.operation, <OperationTitle key="t" id={operation} />],
            [t.requests.operationId, <ApiName key="n" name={operation} />],
            [t.requests.model, model],
            [
              t.requests.outcome,
              <span key="o" className="flex items-center gap-2">
                <OutcomeBadge receipt={receipt} /> {status}
              </span>,
            ],
            [
              t.requests.key,
              key_id === null ? (
                t.requests.token
              ) : isOfOther ? (
                <code key="k" className="font-mono text-sm">
                  {key_id.slice(0, 8)}
                </code>
              ) : (
                <Link
                  key="k"
                  to="/requests"
                  search={{ key: key_id }}
                  className="text-accent wrap-anywhere hover:underline"
                >
                  <KeyName id={key_id} />
                </Link>
              ),
            ],
            [t.requests.latency, latency_ms === null ? null : t.requests.ms(count(latency_ms))],
            [t.requests.started, <Time key="s" at={receipt.created_at} seconds />],
            [t.requests.ended, <Time key="e" at={receipt.completed_at} seconds />],
            [t.requests.clientId, client_request_id],
          ]}
        />
        <p className="mt-5 mb-1.5 text-sm font-medium">{t.requests.id}</p>
        <CopyLine text={request_id} label={t.requests.id} />
      </Card>
    </div>
  );
}
