import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import type { AccessKey, Receipt } from '../../../generated/types';
import { answer, api } from '../api/client';
import { usePrices } from '../api/session';
import { operationTitle } from '../texts/operations';
import { t } from '../texts/texts';
import { Button, buttonClass } from '../ui/controls';
import { Badge, Empty, Loaded, type Tone } from '../ui/feedback';
import { ChoiceField, Filters, PeriodFields, periodOf, SearchField, useFilters } from '../ui/filters';
import { Card, count, OperationTitle, Page, Time, Usd } from '../ui/layout';
import { Table, type Column } from '../ui/table';

const PAGE = 50;
export const OUTCOMES = ['settled', 'released', 'refused', 'expired'] as const;
const TONES: Record<Receipt['outcome'], Tone> = {
  settled: 'good',
  released: 'neutral',
  refused: 'bad',
  expired: 'warn',
  in_flight: 'accent',
};

export function OutcomeBadge({ receipt: { outcome, charged } }: { receipt: Receipt }) {
  return outcome === 'settled' && charged === 0 ? (
    <Badge tone="neutral">{t.requests.free}</Badge>
  ) : (
    <Badge tone={TONES[outcome]}>{t.requests.outcomes[outcome]}</Badge>
  );
}

export function Requests() {
  const [search, setSearch] = useFilters();
  const navigate = useNavigate();
  const { cursor, key, operation, model, status, id } = search;
  const outcome = OUTCOMES.find((known) => known === status);
  const filters = { key_id: key, operation, model, outcome, ...periodOf(search) };
  const keys = useKeys(key);
  const prices = usePrices();
  const list = useQuery({
    queryKey: ['requests', filters, cursor],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/monitoring/requests', {
          params: { query: { limit: PAGE, cursor, ...filters } },
          signal,
        }),
      ),
  });
  const names = new Map(keys.known.map((one) => [one.id, one.name]));
  return (
    <Page
      title={t.nav.requests}
      lead={t.requests.lead}
      actions={
        <Button onClick={() => void list.refetch()} busy={list.isFetching}>
          {t.common.refresh}
        </Button>
      }
    >
      <Card isFlush>
        <Filters>
          <ChoiceField
            label={t.requests.key}
            name="key"
            // One that was deleted has no name any more, and filters all the same.
            choices={[...new Set([...names.keys(), ...(key === undefined ? [] : [key])])]}
            texts={{ ...(key && { [key]: key.slice(0, 8) }), ...Object.fromEntries(names) }}
            onFocus={keys.readAll}
          />
          <ChoiceField
            label={t.requests.outcome}
            name="status"
            choices={OUTCOMES}
            texts={t.requests.outcomes}
          />
          <SearchField
            label={t.requests.operation}
            name="operation"
            placeholder="createChatCompletion"
            choices={[...new Set(prices.data?.prices.flatMap(({ operations }) => operations))].sort()}
            textOf={operationTitle}
          />
          <SearchField label={t.requests.model} name="model" />
          <PeriodFields />
          <FindRequest
            initial={id}
            onFind={(found) => void navigate({ to: '/requests/$id', params: { id: found } })}
          />
        </Filters>
        <Loaded query={list} lines={10}>
          {({ requests, next_cursor }) => (
            <>
              <Table
                label={t.nav.requests}
                rows={requests}
                keyOf={({ request_id }) => request_id}
                empty={
                  <Empty
                    title={t.requests.empty}
                    action={
                      <Link to="/playground" className={buttonClass('primary')}>
                        {t.nav.playground}
                      </Link>
                    }
                  >
                    {t.requests.emptyText}
                  </Empty>
                }
                columns={receiptColumns((receipt) => (
                  <span className="line-clamp-2 min-w-24 wrap-anywhere">
                    {names.get(receipt.key_id ?? '') ??
                      (receipt.key_id === null ? t.requests.token : receipt.key_id.slice(0, 8))}
                  </span>
                ))}
              />
              <Cursor
                isFirst={cursor === undefined}
                next={next_cursor}
                onMove={(moved) => setSearch({ cursor: moved })}
              />
            </>
          )}
        </Loaded>
      </Card>
    </Page>
  );
}

const KEYS_OF_A_PAGE = 100;

/**
 * The keys to choose from: a page of them until somebody chooses, or has chosen one that is not on it, then all.
 * @param chosen its id
 */
export function useKeys(chosen: string | undefined): { known: readonly AccessKey[]; readAll: () => void } {
  const [isChoosing, setChoosing] = useState(false);
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = useInfiniteQuery({
    queryKey: ['keys', 'names'],
    queryFn: ({ pageParam: offset, signal }) =>
      answer(api.GET('/api/keys', { params: { query: { limit: KEYS_OF_A_PAGE, offset } }, signal })),
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      last.length < KEYS_OF_A_PAGE ? undefined : pages.length * KEYS_OF_A_PAGE,
    staleTime: 60_000,
  });
  const known = data?.pages.flat() ?? [];
  const isUnknown = chosen !== undefined && !known.some(({ id }) => id === chosen);
  const isWanted = (isChoosing || isUnknown) && hasNextPage && !isFetching && !isError;
  // A page may be asked for and be there between two renderings, so what is wanted is the page after these.
  const pages = data?.pages.length;
  useEffect(() => {
    if (isWanted) {
      void fetchNextPage();
    }
  }, [isWanted, pages, fetchNextPage]);
  return { known, readAll: () => setChoosing(true) };
}

function FindRequest({ initial, onFind }: { initial: string | undefined; onFind: (id: string) => void }) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const id = new FormData(event.currentTarget).get('id');
        if (typeof id === 'string' && id.trim() !== '') {
          onFind(id.trim());
        }
      }}
    >
      <label className="flex flex-col gap-1.5">
        <span className="text-sm font-medium">{t.requests.find}</span>
        <input
          name="id"
          defaultValue={initial}
          placeholder={t.requests.findPlaceholder}
          className="h-10 w-full rounded-lg border border-edge bg-surface px-3 placeholder:text-muted"
        />
      </label>
    </form>
  );
}

/**
 * The columns of a list of calls; with which key each was made says the caller.
 * @param user whose calls an operator looks at
 */
export function receiptColumns(who: (row: Receipt) => ReactNode, user?: string): Column<Receipt>[] {
  return [
    { name: t.common.when, cell: ({ created_at }) => <Time at={created_at} seconds /> },
    {
      name: t.requests.operation,
      cell: ({ operation, model, request_id }) => (
        <div className="min-w-18">
          <Link
            to="/requests/$id"
            params={{ id: request_id }}
            search={{ user }}
            className="font-medium hover:text-accent hover:underline"
          >
            <OperationTitle id={operation} />
          </Link>
          {model !== null && <span className="block max-w-56 text-xs wrap-anywhere text-muted">{model}</span>}
        </div>
      ),
    },
    { name: t.requests.key, isSecondary: true, cell: who },
    {
      name: t.requests.outcome,
      cell: (receipt) => (
        <span className="flex items-center gap-2">
          <OutcomeBadge receipt={receipt} />
          <span className="text-muted tabular-nums max-sm:hidden">{receipt.status}</span>
        </span>
      ),
    },
    {
      name: t.requests.tokens,
      isNumber: true,
      isSecondary: true,
      cell: ({ input_tokens, output_tokens }) => count(input_tokens + output_tokens),
    },
    {
      name: t.requests.latency,
      isNumber: true,
      isSecondary: true,
      cell: ({ latency_ms }) => (latency_ms === null ? '—' : t.requests.ms(count(latency_ms))),
    },
    { name: t.requests.cost, isNumber: true, cell: ({ charged }) => <Usd amount={charged} /> },
  ];
}

/** Pages of a list that nobody counts: on to what is older, and back to the newest. */
export function Cursor({
  isFirst,
  next,
  onMove,
}: {
  isFirst: boolean;
  next: string | null;
  onMove: (cursor: string | undefined) => void;
}) {
  return isFirst && next === null ? null : (
    <nav
      aria-label={t.common.pages}
      className="flex justify-end gap-2 border-t border-line px-4 py-3 sm:px-5"
    >
      <Button small disabled={isFirst} onClick={() => onMove(undefined)}>
        {t.requests.newest}
      </Button>
      <Button small disabled={next === null} onClick={() => onMove(next ?? undefined)}>
        {t.requests.older}
      </Button>
    </nav>
  );
}
