import { Fragment, useEffect, type ReactNode } from 'react';
import { partsOf, toNano, usd, type NanoUsd } from '../api/money';
import { operationTitle } from '../texts/operations';
import { t } from '../texts/texts';

/** A view: its heading, which is also the title of the browser's tab, and beside it what one can do there. */
export function Page({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · ${t.shell.name}`;
  }, [title]);
  return (
    <>
      <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
          {lead !== undefined && <p className="mt-1 max-w-2xl text-muted">{lead}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      <div className="flex flex-col gap-6">{children}</div>
    </>
  );
}

/** What an operation does; programs and support know it by its id. */
export function OperationTitle({ id }: { id: string }) {
  return (
    <span title={id} className="wrap-anywhere hyphens-auto">
      {operationTitle(id)}
    </span>
  );
}

/** The name of an event. It goes on in another line between its words, where it has to. */
export function ApiName({ name }: { name: string }) {
  return (
    <span className="wrap-anywhere">
      {name.split(/(?<=[._])|(?=[A-Z])/).map((word, index) => (
        <Fragment key={index}>
          <wbr />
          {word}
        </Fragment>
      ))}
    </span>
  );
}

export function Card({
  title,
  actions,
  children,
  isFlush = false,
}: {
  title?: string;
  actions?: ReactNode;
  children: ReactNode;
  /** Without room around what is inside: for tables. */
  isFlush?: boolean;
}) {
  return (
    <section className="min-w-0 overflow-hidden rounded-2xl border border-line bg-surface shadow-xs">
      {(title !== undefined || actions !== undefined) && (
        <div
          className={`flex flex-wrap items-center justify-between gap-3 px-4 pt-4 sm:px-5 ${isFlush ? 'pb-3' : ''}`}
        >
          {title !== undefined && <h2 className="font-semibold">{title}</h2>}
          {actions}
        </div>
      )}
      <div className={isFlush ? '' : 'p-4 sm:p-5'}>{children}</div>
    </section>
  );
}

/** One figure and what it is. */
export function Figure({ label, children, note }: { label: string; children: ReactNode; note?: ReactNode }) {
  return (
    <div className="min-w-0 rounded-2xl border border-line bg-surface px-4 py-4 shadow-xs sm:px-5">
      <p className="text-sm text-muted">{label}</p>
      <p className="mt-1 text-lg font-semibold tracking-tight break-words tabular-nums sm:text-2xl">
        {children}
      </p>
      {note !== undefined && <div className="mt-1 text-sm text-muted">{note}</div>}
    </div>
  );
}

export function Figures({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">{children}</div>;
}

/** Names and values, one below the other. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[minmax(7rem,auto)_minmax(0,1fr)] gap-x-5 gap-y-2.5">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-sm leading-6 text-muted">{name}</dt>
          <dd className="min-w-0 leading-6 break-words">{value ?? '—'}</dd>
        </div>
      ))}
    </dl>
  );
}

/** All digits of an amount; what is finer than a cent is set back, and still there. */
export function Money({ nano, isSigned = false }: { nano: NanoUsd; isSigned?: boolean }) {
  const { sign, whole, cents, rest } = partsOf(nano);
  return (
    <span className="whitespace-nowrap tabular-nums">
      {sign !== '' ? sign : isSigned && nano > 0n ? '+' : ''}${whole}.{cents}
      {rest !== '' && <span className="text-[0.82em] text-muted">{rest}</span>}
    </span>
  );
}

/** An amount as the API writes it. */
export function Usd({ amount, isSigned }: { amount: number | null | undefined; isSigned?: boolean }) {
  return typeof amount === 'number' ? <Money nano={toNano(amount)} isSigned={isSigned} /> : <>—</>;
}

/** How much of a limit is used: a bar that also says it. */
export function Meter({ label, spent, limit }: { label: string; spent: NanoUsd; limit: NanoUsd }) {
  const percent = limit === 0n ? 100 : Number((spent * 100n) / limit);
  const tone = percent >= 100 ? 'bg-bad' : percent >= 80 ? 'bg-(--series-3)' : 'bg-fill';
  return (
    <div className="min-w-28">
      <div className="flex justify-between gap-3 text-sm">
        <span className="text-muted">{label}</span>
        <span className="tabular-nums">
          {usd(spent)} / {usd(limit)}
        </span>
      </div>
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.min(percent, 100)}
        aria-valuetext={`${usd(spent)} / ${usd(limit)}`}
        className="mt-1 h-1.5 overflow-hidden rounded-full bg-raised"
      >
        <div className={`h-full rounded-full ${tone}`} style={{ width: `${Math.min(percent, 100)}%` }} />
      </div>
    </div>
  );
}

const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const DATE_SECONDS = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** A moment in the reader's own zone. */
export function Time({
  at,
  seconds = false,
  day = false,
}: {
  at: string | null | undefined;
  seconds?: boolean;
  day?: boolean;
}) {
  if (at === null || at === undefined) {
    return <>—</>;
  }
  const format = day ? DAY : seconds ? DATE_SECONDS : DATE_TIME;
  return (
    <time dateTime={at} title={at} className="inline-block min-w-18 sm:whitespace-nowrap">
      {format.format(new Date(at))}
    </time>
  );
}

const COUNT = new Intl.NumberFormat('en-US');

export function count(value: number): string {
  return COUNT.format(value);
}
