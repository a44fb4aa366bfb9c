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
