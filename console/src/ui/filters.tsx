import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Search } from '../routes';
import { t } from '../texts/texts';
import { Button, TextField } from './controls';

/**
 * What a list is asked for, from the address. A new filter begins at the first page, and the way back leads through what was
 * asked before.
 */
export function useFilters(): [search: Search, setSearch: (change: Search) => void] {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  return [
    search,
    (change) =>
      void navigate({
        to: '.',
        search: Object.fromEntries(
          Object.entries({ ...search, offset: undefined, cursor: undefined, ...change }).filter(
            ([, value]) => value !== undefined && value !== '' && value !== 0,
          ),
        ),
      }),
  ];
}

/** The first and the last moment of days that were chosen, in the reader's zone. */
export function periodOf({ from, to }: Search): { start_date?: string; end_date?: string } {
  const end = to === undefined ? undefined : new Date(`${to}T00:00:00`);
  end?.setDate(end.getDate() + 1);
  return {
    ...(from !== undefined && { start_date: new Date(`${from}T00:00:00`).toISOString() }),
    ...(end !== undefined && { end_date: new Date(end.getTime() - 1).toISOString() }),
  };
}

export function Filters({ children }: { children: ReactNode }) {
  const [search, setSearch] = useFilters();
  const filters = Object.keys(search).filter((name) => !['offset', 'cursor', 'days'].includes(name));
  return (
    <div className="flex flex-wrap items-end gap-3 border-b border-line px-4 py-4 sm:px-5 [&>*]:min-w-36 [&>*]:flex-1 sm:[&>*]:flex-none">
      {children}
      {filters.length > 0 && (
        <Button
          look="quiet"
          onClick={() => setSearch(Object.fromEntries(filters.map((name) => [name, undefined])))}
        >
          {t.common.clear}
        </Button>
      )}
    </div>
  );
}

/** A text that is asked for when it is complete: on Enter, or when the field is left. */
export function SearchField({
  label,
  name,
  placeholder,
}: {
  label: string;
  name: 'q' | 'operation' | 'model' | 'user' | 'collection';
  placeholder?: string;
}) {
  const [search, setSearch] = useFilters();
  const [text, setText] = useState(search[name] ?? '');
  const apply = () => text.trim() !== (search[name] ?? '') && setSearch({ [name]: text.trim() });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <TextField
        label={label}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={apply}
      />
    </form>
  );
}

export function PeriodFields() {
  const [{ from, to }, setSearch] = useFilters();
  return (
    <>
      <TextField
        label={t.common.from}
        type="date"
        value={from ?? ''}
        max={to}
        onChange={(event) => setSearch({ from: event.target.value })}
      />
      <TextField
        label={t.common.to}
        type="date"
        value={to ?? ''}
        min={from}
        onChange={(event) => setSearch({ to: event.target.value })}
      />
    </>
  );
}
