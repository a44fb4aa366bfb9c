/** Never what a caller sent, a credential or a person's name. */
export type SpanFacts = Readonly<Record<string, string | number>>;

export type SpanKind = 'server' | 'client' | 'consumer' | 'internal';

/** Ending it a second time does nothing. */
export interface Span {
  /** For whoever is called in its course (W3C Trace Context). */
  readonly traceparent: string;
  /** @param startedMsAgo for work that began before its span */
  child(name: string, kind: SpanKind, facts: SpanFacts, startedMsAgo?: number): Span;
  /** @param fault the kind of fault, never its text; null for none */
  end(facts?: SpanFacts, fault?: string | null): void;
}

export interface SpanCause {
  /** Without a parent it is the trace's id too, so that the request leads to its trace. */
  requestId: string;
  /** The caller's traceparent; null for none, and an invalid one counts as none. */
  parent: string | null;
}

/** Gives null where traces go nowhere, so that callers do no more work for them. */
export abstract class Tracing {
  abstract readonly isOn: boolean;
  /** The span has the request's id. */
  abstract serve(name: string, cause: SpanCause, facts: SpanFacts): Span | null;
  /** Work that a request caused elsewhere: the parent is the request's span. */
  abstract follow(name: string, kind: SpanKind, cause: SpanCause, facts: SpanFacts): Span | null;
}

export class NoTracing extends Tracing {
  readonly isOn = false;

  serve(): null {
    return null;
  }

  follow(): null {
    return null;
  }
}

/** Version 00 is known; of later ones the first four fields mean the same (W3C Trace Context, section 3.2). */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;
const VERSION_00 = /^00-.{52}$/;
const SAMPLED = 1;

export interface TraceParent {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

/** Null where the header is missing or not valid. */
export function readTraceParent(header: string | null | undefined): TraceParent | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header ?? '') ?? [];
  const isOfVersion00 = header?.startsWith('00') === true;
  if (!traceId || !spanId || !flags || (isOfVersion00 && !VERSION_00.test(header))) {
    return null;
  }
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** The digits of the request's id, which are as unique. */
export function traceIdOf(requestId: string): string {
  return requestId.replaceAll('-', '').toLowerCase();
}

/** The last sixteen digits of the request's id, which are random. */
export function spanIdOf(requestId: string): string {
  return traceIdOf(requestId).slice(16);
}

export interface WorkOrigin {
  readonly requestId: string;
  /** The cause of that call, as the one that submitted a task; null for none. */
  readonly causedBy: string | null;
  /** Whose turn it is; absent where unknown. */
  readonly accountId?: string | null;
  readonly span: Span | null;
}

/** The ending signal goes wherever a call's work goes. An AsyncLocalStorage would cost each several microseconds. */
const ORIGINS = new WeakMap<AbortSignal, WorkOrigin>();

export function withOrigin(signal: AbortSignal, origin: WorkOrigin | null): AbortSignal {
  if (origin) {
    ORIGINS.set(signal, origin);
  }
  return signal;
}

/** Null where nobody has said. */
export function originOf(signal: AbortSignal | null | undefined): WorkOrigin | null {
  return (signal && ORIGINS.get(signal)) ?? null;
}

/** The ids for a line of the log; empty where nobody has said whose work it is. */
export function originForLog(signal: AbortSignal | null | undefined): object {
  const origin = originOf(signal);
  return origin === null
    ? {}
    : { request_id: origin.requestId, ...(origin.causedBy !== null && { caused_by: origin.causedBy }) };
}
