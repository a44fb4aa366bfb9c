import { useEffect, useRef, type ReactNode } from 'react';
import { t } from '../texts/texts';
import { Button } from './controls';
import { Empty } from './feedback';
import { useClear, useFilters } from './filters';
import { count } from './layout';

export interface Column<Row> {
  name: string;
  cell: (row: Row) => ReactNode;
  isNumber?: boolean;
  /** Left out where the window is as narrow as a telephone. */
  isSecondary?: boolean;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  empty?: ReactNode;
  /** What can be done with a row: in a last column, whose name is read out and not shown. */
  buttons?: (row: Row) => ReactNode;
}

/** A table that scrolls within itself, so that the page never does. */
export function Table<Row>({ label, columns: named, rows, keyOf, empty, buttons }: TableProps<Row>) {
  const region = useRef<HTMLDivElement>(null);
  const isInside = useRef(false);
  const clear = useClear();
  // A row that goes takes the focus with it, and a keyboard would begin at the top of the page.
  useEffect(() => {
    if (isInside.current && document.activeElement === document.body) {
      region.current?.focus();
    }
  }, [rows]);
  if (rows.length === 0 && clear) {
    return <Empty title={t.common.noneMatch} action={<Button onClick={clear}>{t.common.showAll}</Button>} />;
  }
  if (rows.length === 0 && empty !== undefined) {
    return <>{empty}</>;
  }
  const columns = buttons ? [...named, { name: t.common.actions, isNumber: true, cell: buttons }] : named;
  const side = ({ isNumber, isSecondary }: Column<Row>) =>
    `${isNumber === true ? 'text-right tabular-nums' : 'text-left'} ${isSecondary === true ? 'max-md:hidden' : ''}`;
  return (
    // A region that scrolls has to be reachable by keyboard.
    <div
      ref={region}
      className="relative overflow-x-auto"
      role="region"
      aria-label={label}
      tabIndex={0}
      onFocus={() => (isInside.current = true)}
      onBlur={() => (isInside.current = false)}
    >
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="border-y border-line bg-raised/60 first:border-t-0">
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                className={`px-1 py-2.5 font-medium text-muted first:pl-3 last:pr-2 sm:px-3 sm:whitespace-nowrap sm:first:pl-5 sm:last:pr-5 ${side(column)}`}
              >
                {column.cell === buttons ? <span className="sr-only">{column.name}</span> : column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line last:border-b-0 hover:bg-raised/40">
              {columns.map((column) => (
                <td
                  key={column.name}
                  className={`px-1 py-2.5 align-middle first:pl-3 last:pr-2 sm:px-3 sm:first:pl-5 sm:last:pr-5 ${side(column)}`}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PagesProps {
  total: number;
  limit: number;
  /** Whether `total` counts no further than to the next page, because nobody says how many there are. */
  isOpen?: boolean;
}

/** The pages of a list that the server counts; the address says which one is shown. */
export function Pages({ total, limit, isOpen = false }: PagesProps) {
  const [{ offset = 0 }, setSearch] = useFilters();
  const move = (to: number) => setSearch({ offset: to });
  // The last row of the last page may have been removed.
  const last = Math.max(0, Math.ceil(total / limit) - 1) * limit;
  useEffect(() => {
    if (offset > 0 && offset >= total) {
      setSearch({ offset: last }, true);
    }
  });
  if (total <= limit && offset === 0) {
    return null;
  }
  return (
    <nav
      aria-label={t.common.pages}
      className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3 sm:px-5"
    >
      <p className="text-sm text-muted tabular-nums" aria-live="polite">
        {offset < total &&
          t.common.range(
            count(offset + 1),
            count(Math.min(offset + limit, total)),
            isOpen && offset + limit < total ? undefined : count(total),
          )}
      </p>
      <div className="flex gap-2">
        <Button small disabled={offset === 0} onClick={() => move(Math.max(0, offset - limit))}>
          {t.common.previous}
        </Button>
        <Button small disabled={offset + limit >= total} onClick={() => move(offset + limit)}>
          {t.common.next}
        </Button>
      </div>
    </nav>
  );
}
