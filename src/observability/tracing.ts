/** Never caller input, a credential or a person's name. */
export type SpanFacts = Readonly<Record<string, string | number>>;

export type SpanKind = 'server' | 'client' | 'consumer' | 'internal';

export interface Span {
  /** The W3C Trace Context header for outgoing requests. */
  readonly traceparent: string;
  child(name: string, kind: SpanKind, facts: SpanFacts, startedMsAgo?: number): Span;
  /** @param fault the kind of fault, never its text */
  end(facts?: SpanFacts, fault?: string | null): void;
}

export interface SpanCause {
  /** Without a parent it is also the trace id, so that a request leads to its trace. */
  requestId: string;
  /** The caller's traceparent; null, or invalid, for none. */
  parent: string | null;
}

/** Returns null when tracing is off, so that callers do no further work. */
export abstract class Tracing {
  abstract readonly isOn: boolean;
  abstract serve(name: string, cause: SpanCause, facts: SpanFacts): Span | null;
  /** Work that a request caused elsewhere: the request's span is the parent. */
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

/** Later versions keep the meaning of version 00's four fields (W3C Trace Context, section 3.2). */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;
const VERSION_00 = /^00-.{52}$/;
const SAMPLED = 1;

export interface TraceParent {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

export function readTraceParent(header: string | null | undefined): TraceParent | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header ?? '') ?? [];
  const isOfVersion00 = header?.startsWith('00') === true;
  if (!traceId || !spanId || !flags || (isOfVersion00 && !VERSION_00.test(header))) {
    return null;
  }
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

export function traceIdOf(requestId: string): string {
  return requestId.replaceAll('-', '').toLowerCase();
}

/** The request id's last sixteen digits, which are random. */
export function spanIdOf(requestId: string): string {
  return traceIdOf(requestId).slice(16);
}

export interface WorkOrigin {
  readonly requestId: string;
  /** The cause of that call, such as the one that submitted a task; null for none. */
  readonly causedBy: string | null;
  readonly accountId?: string | null;
  readonly span: Span | null;
}

/** Keyed by the signal, which reaches all work: an AsyncLocalStorage would cost each call microseconds. */
const ORIGINS = new WeakMap<AbortSignal, WorkOrigin>();

export function withOrigin(signal: AbortSignal, origin: WorkOrigin | null): AbortSignal {
  if (origin) {
    ORIGINS.set(signal, origin);
  }
  return signal;
}

export function originOf(signal: AbortSignal | null | undefined): WorkOrigin | null {
  return (signal && ORIGINS.get(signal)) ?? null;
}

export function originForLog(signal: AbortSignal | null | undefined): object {
  const origin = originOf(signal);
  return origin === null
    ? {}
    : { request_id: origin.requestId, ...(origin.causedBy !== null && { caused_by: origin.causedBy }) };
}
