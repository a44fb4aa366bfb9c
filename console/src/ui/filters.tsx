import { useNavigate, useSearch } from '@tanstack/react-router';
import { useId, useState, type ReactNode } from 'react';
import type { Search } from '../routes';
import { t } from '../texts/texts';
import { Button, SelectField, TextField } from './controls';

/**
 * What a list is asked for, from the address. A new filter begins at the first page, and the way back leads through what was
 * asked before.
 */
export function useFilters(): [search: Search, setSearch: (change: Search, replace?: boolean) => void] {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  return [
    search,
    (change, replace = false) =>
      void navigate({
        to: '.',
        replace,
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
  const start = from === undefined ? undefined : new Date(`${from}T00:00:00`);
  // Whatever stands in the address, and is no day, is not asked for.
  return {
    ...(isMoment(start) && { start_date: start.toISOString() }),
    ...(isMoment(end) && { end_date: new Date(end.getTime() - 1).toISOString() }),
  };
}

function isMoment(date: Date | undefined): date is Date {
  return date !== undefined && !Number.isNaN(date.getTime());
}

/** What is typed, until the address says something else: by going back, or by clearing all filters. */
function useTyped(applied: string): [text: string, setText: (text: string) => void] {
  const [{ text, from }, setTyped] = useState({ text: applied, from: applied });
  if (from !== applied) {
    setTyped({ text: applied, from: applied });
  }
  return [text, (next) => setTyped({ text: next, from: applied })];
}

const NO_FILTERS = ['offset', 'cursor', 'days', 'id'];

/** Clears the filters; undefined where there are none. */
export function useClear(): (() => void) | undefined {
  const [search, setSearch] = useFilters();
  const filters = Object.keys(search).filter((name) => !NO_FILTERS.includes(name));
  const clear = () => setSearch(Object.fromEntries(filters.map((name) => [name, undefined])));
  return filters.length > 0 ? clear : undefined;
}

export function Filters({ children }: { children: ReactNode }) {
  const clear = useClear();
  return (
    <div className="flex flex-wrap items-end gap-3 border-b border-line px-4 py-4 sm:px-5 [&>*]:min-w-36 [&>*]:flex-1 sm:[&>*]:max-w-72 sm:[&>*]:flex-none">
      {children}
      {clear && (
        <Button look="quiet" onClick={clear}>
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
  choices = [],
  textOf,
}: {
  label: string;
  name: 'q' | 'operation' | 'model' | 'user' | 'collection';
  placeholder?: string;
  /** What is proposed while one types. */
  choices?: readonly string[];
  /** What the choices are, where they do not say so themselves. */
  textOf?: (choice: string) => string;
}) {
  const listId = useId();
  const [search, setSearch] = useFilters();
  const [text, setText] = useTyped(search[name] ?? '');
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
        list={choices.length > 0 ? listId : undefined}
      />
      <datalist id={listId}>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {textOf?.(choice)}
          </option>
        ))}
      </datalist>
    </form>
  );
}

interface ChoiceFieldProps<Value extends string> {
  label: string;
  name: 'status' | 'type' | 'key';
  choices: readonly Value[];
  /** What the choices are called where they have other names than their own. */
  texts?: Record<Value, string>;
  /** Before the choices are looked at. */
  onFocus?: () => void;
}

/** One of some values, or all. */
export function ChoiceField<Value extends string>({
  name,
  choices,
  texts,
  ...field
}: ChoiceFieldProps<Value>) {
  const [search, setSearch] = useFilters();
  return (
    <SelectField
      {...field}
      value={choices.find((value) => value === search[name]) ?? ''}
      options={[
        { value: '', text: t.common.all },
        ...choices.map((value) => ({ value, text: texts?.[value] ?? value })),
      ]}
      onChange={(event) => setSearch({ [name]: event.target.value })}
    />
  );
}

export function PeriodFields() {
  const [{ from, to }, setSearch] = useFilters();
  return (
    <>
      <DayField label={t.common.from} day={from ?? ''} max={to} onDay={(day) => setSearch({ from: day })} />
      <DayField label={t.common.to} day={to ?? ''} min={from} onDay={(day) => setSearch({ to: day })} />
    </>
  );
}

/** While a year is typed its first digits make days of their own, such as 0002-11-28, and between two of them there is none. */
const WHOLE_DAY = /^[1-9]\d{3}-/;

interface DayFieldProps {
  label: string;
  day: string;
  min?: string;
  max?: string;
  onDay: (day: string) => void;
}

function DayField({ label, day, onDay, min, max = '9999-12-31' }: DayFieldProps) {
  const [text, setText] = useTyped(day);
  return (
    <TextField
      label={label}
      type="date"
      value={text}
      min={min}
      max={max}
      onChange={({ target: { value } }) => {
        setText(value);
        if (WHOLE_DAY.test(value)) {
          onDay(value);
        }
      }}
      onBlur={() => text === '' && day !== '' && onDay('')}
    />
  );
}
