import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../api/client';
import { toNano, usd } from '../api/money';
import { t } from '../texts/texts';
import { Button, CopyButton } from './controls';
import { Time } from './layout';

const TONES = {
  neutral: 'bg-raised text-muted border-line',
  good: 'bg-good-tint text-good border-good/25',
  warn: 'bg-warn-tint text-warn border-warn/25',
  bad: 'bg-bad-tint text-bad border-bad/25',
  accent: 'bg-tint text-accent border-accent/25',
};

export type Tone = keyof typeof TONES;

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center rounded-full border px-2 py-0.5 text-xs font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}

export function Note({
  tone = 'accent',
  title,
  children,
}: {
  tone?: Tone;
  title?: string;
  children?: ReactNode;
}) {
  return (
    <div className={`rounded-xl border px-4 py-3 ${TONES[tone]}`}>
      {title !== undefined && <p className="font-semibold">{title}</p>}
      {children !== undefined && <div className="text-ink">{children}</div>}
    </div>
  );
}

/**
 * What the API said, and what to do about it. Nothing where nothing went wrong.
 * @param advice in the place of the usual one
 */
export function ErrorNote({
  error,
  advice: given,
  onRetry,
}: {
  error: unknown;
  advice?: ReactNode;
  onRetry?: () => void;
}) {
  const failure = error instanceof ApiError ? error : undefined;
  // Whoever was asked for the password and did not give it knows why nothing was done, and so does whoever has logged in again.
  if (error === null || error === undefined || failure?.needsPassword || failure?.endsSession) {
    return null;
  }
  const advice = given ?? adviceFor(failure);
  return (
    <div role="alert" className="my-3 rounded-xl border border-bad/25 bg-bad-tint px-4 py-3">
      <p className="font-semibold text-bad">{titleOf(failure)}</p>
      {failure !== undefined && <Said failure={failure} />}
      {failure?.details.map(({ field, message }) => (
        <p key={`${field} ${message}`} className="break-words">
          <code className="font-mono text-sm">{field}</code> {message}
        </p>
      ))}
      {advice !== undefined && <div className="mt-1 text-muted">{advice}</div>}
      <div className="mt-2 flex flex-wrap items-center gap-2 empty:hidden">
        {onRetry && (
          <Button small onClick={onRetry}>
            {t.common.retry}
          </Button>
        )}
        {failure?.requestId !== undefined && failure.status >= 500 && (
          <span className="flex min-w-0 items-center gap-2 text-sm text-muted">
            <span className="min-w-0 break-all">
              {t.errors.request} {failure.requestId}
            </span>
            <CopyButton text={failure.requestId} label={`${t.common.copy}: ${t.errors.request}`} />
          </span>
        )}
      </div>
    </div>
  );
}

/** What the API said; of a limit that is reached in the words of the other views, with the moment in the reader's zone. */
function Said({ failure }: { failure: ApiError }) {
  const { reachedLimit: limit, missingCredit: missing } = failure;
  // A form that is sent once more with other words has the same key, which people know nothing of.
  const message = failure.message.includes('Idempotency-Key') ? t.errors.sentBefore : failure.message;
  if (missing !== undefined) {
    // The message itself tells programs how to buy some.
    return <p>{t.errors.creditNeeded(usd(toNano(missing.required)), usd(toNano(missing.available)))}</p>;
  }
  if (limit === undefined) {
    // Where there are details the message is no more than their sum.
    return message === '' || failure.details.length > 0 ? null : <p className="break-words">{message}</p>;
  }
  const [most, spent, needed] = [limit.limit, limit.spent, limit.required].map((amount) =>
    usd(toNano(amount)),
  );
  return (
    <p>
      {t.errors.limits[limit.type](most ?? '', spent ?? '')} {t.errors.limitNeeded(needed ?? '')}{' '}
      {limit.resetsAt !== null && (
        <>
          {t.errors.limitResets} <Time at={limit.resetsAt} />.
        </>
      )}
    </p>
  );
}

function titleOf(failure: ApiError | undefined): string {
  if (failure === undefined) {
    return t.errors.unexpected;
  }
  if (failure.reachedLimit !== undefined) {
    return t.errors.limitReached;
  }
  switch (failure.status) {
    case 0:
      return t.errors.unreachable;
    case 400:
    case 422:
      return t.errors.invalid;
    default:
      // What stands between may answer for the service, with a page of its own.
      return failure.title === String(failure.status) ? t.errors.odd : failure.title;
  }
}

function adviceFor(failure: ApiError | undefined): ReactNode {
  switch (failure?.status) {
    case undefined:
      return t.errors.reload;
    case 0:
      return t.errors.checkNetwork;
    case 402:
      return failure.reachedLimit === undefined ? (
        <Link to="/top-up" className="font-medium text-accent hover:underline">
          {t.errors.topUp}
        </Link>
      ) : (
        t.errors.raiseLimit
      );
    case 403:
      return t.errors.forbidden;
    case 409:
      return t.errors.conflict;
    default:
      return failure !== undefined && failure.status >= 500 ? t.errors.tryLater : undefined;
  }
}

/** Says what belongs here while there is nothing, and what to do first. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center px-6 py-12 text-center">
      <div aria-hidden="true" className="mb-4 flex items-end gap-1 opacity-50">
        <span className="h-3 w-2 rounded-sm bg-edge" />
        <span className="h-6 w-2 rounded-sm bg-edge" />
        <span className="h-4 w-2 rounded-sm bg-edge" />
      </div>
      <p className="text-base font-semibold">{title}</p>
      <div className="mt-1 max-w-md text-muted">{children}</div>
      {action !== undefined && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

export function Loading({ lines = 3 }: { lines?: number }) {
  return (
    <div role="status" className="flex flex-col gap-3 p-5">
      <span className="sr-only">{t.common.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span
          key={line}
          aria-hidden="true"
          className={`h-4 animate-pulse rounded bg-raised ${line % 3 === 2 ? 'w-2/3' : 'w-full'}`}
        />
      ))}
    </div>
  );
}

interface Asked<Data> {
  data: Data | undefined;
  error: unknown;
  isPending: boolean;
  refetch: () => unknown;
}

/** What a query has brought, or that it is on its way, or why it failed. Older data stays when a repetition fails. */
export function Loaded<Data>({
  query,
  children,
  lines,
}: {
  query: Asked<Data>;
  children: (data: Data) => ReactNode;
  lines?: number;
}) {
  const { data, error, isPending, refetch } = query;
  return (
    <>
      {error !== null && (
        <div className="px-4">
          <ErrorNote error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {data !== undefined ? children(data) : isPending && <Loading lines={lines} />}
    </>
  );
}
