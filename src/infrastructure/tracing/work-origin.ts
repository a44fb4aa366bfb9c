import type { Span } from './span';

/** The call that some work is done for. */
export interface WorkOrigin {
  readonly requestId: string;
  /** The call that caused that one, as the one that submitted a task; null where there is none. */
  readonly causedBy: string | null;
  /** In whose turn it is done; absent where nobody has said. */
  readonly accountId?: string | null;
  readonly span: Span | null;
}

/**
 * The signal that ends the work of a call goes wherever that work goes, and so it tells whose work it is. A context that
 * follows all promises by itself would cost every call several microseconds under Node 20, and this costs only those
 * that ask for a signal.
 */
const ORIGINS = new WeakMap<AbortSignal, WorkOrigin>();

/** Notes whose work a signal ends. Returns the signal. */
export function marked(signal: AbortSignal, origin: WorkOrigin | null): AbortSignal {
  if (origin) {
    ORIGINS.set(signal, origin);
  }
  return signal;
}

/** Whose work the signal ends; null where nobody has said. */
export function originOf(signal: AbortSignal | null | undefined): WorkOrigin | null {
  return (signal && ORIGINS.get(signal)) ?? null;
}

/** The ids for a line of the log about work that a signal ends; nothing where nobody has said whose it is. */
export function originForLog(signal: AbortSignal | null | undefined): object {
  const origin = originOf(signal);
  return origin === null
    ? {}
    : { request_id: origin.requestId, ...(origin.causedBy !== null && { caused_by: origin.causedBy }) };
}
