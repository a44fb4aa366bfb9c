/** Facts of a span. They never hold what a caller sent, a credential or anything that names a person. */
export type SpanFacts = Readonly<Record<string, string | number>>;

/** Whose work a span is: a call that is served, one that is made, a job, or a part of any of these. */
export type SpanKind = 'server' | 'client' | 'consumer' | 'internal';

/** One piece of work in a trace. Ending it a second time does nothing. */
export interface Span {
  /** Names this span to whoever is asked in its course (W3C Trace Context). */
  readonly traceparent: string;
  /** @param startedMsAgo for work that was begun before anybody knew that it would be told */
  child(name: string, kind: SpanKind, facts: SpanFacts, startedMsAgo?: number): Span;
  /** @param fault the kind of what went wrong, never its text; null where nothing did */
  end(facts?: SpanFacts, fault?: string | null): void;
}

/** What a span is begun from: the call that caused it. */
export interface SpanCause {
  /** The id of the request. Without a parent it is the trace's id too, so that whoever knows the request finds the trace. */
  requestId: string;
  /** The traceparent that the caller sent; null for none. One that is not valid counts as none. */
  parent: string | null;
}

/** Begins traces. Where they go nowhere, it gives null, and whoever asked does no more work for them. */
export abstract class Tracing {
  /** Whether spans go anywhere. */
  abstract readonly isOn: boolean;
  /** The span of a request, which has the request's id. */
  abstract serve(name: string, cause: SpanCause, facts: SpanFacts): Span | null;
  /** The span of work that a request caused elsewhere: its parent is the span of the request. */
  abstract follow(name: string, kind: SpanKind, cause: SpanCause, facts: SpanFacts): Span | null;
}

/** Without an endpoint. */
export class NoTracing extends Tracing {
  readonly isOn = false;

  serve(): null {
    return null;
  }

  follow(): null {
    return null;
  }
}

/** Version 00 alone is known; of a later version the first four fields mean the same (W3C Trace Context, section 3.2). */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;
const VERSION_00 = /^00-.{52}$/;
const SAMPLED = 1;

/** A span of somebody else's. */
export interface TraceParent {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

/** Reads the header; null where it is missing or not valid. */
export function readTraceParent(header: string | null | undefined): TraceParent | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header ?? '') ?? [];
  const isOfVersion00 = header?.startsWith('00') === true;
  if (!traceId || !spanId || !flags || (isOfVersion00 && !VERSION_00.test(header))) {
    return null;
  }
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** The id of the trace that a request begins: the digits of its own id, which are as unique. */
export function traceIdOf(requestId: string): string {
  return requestId.replaceAll('-', '').toLowerCase();
}

/** The id of the span of a request: the last sixteen digits of its id, which are random. */
export function spanIdOf(requestId: string): string {
  return traceIdOf(requestId).slice(16);
}

/**
 * The span of a request that an earlier process served. Nothing has to be stored for it, unless the request was part of
 * a caller's trace.
 * @param parent the trace that the request was part of; null where it began one
 */
export function spanOfRequest(requestId: string, parent: TraceParent | null): TraceParent {
  const traceId = parent?.traceId ?? traceIdOf(requestId);
  return { traceId, spanId: spanIdOf(requestId), isSampled: parent?.isSampled ?? true };
}

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

/** Loads a module when it is needed, as `require` does. */
