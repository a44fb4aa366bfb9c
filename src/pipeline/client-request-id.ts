const SANE = /^[\w.:-]{8,128}$/;

/**
 * The id that a caller gives its call, by which it finds the receipt beside ours. Null where it gives none, or one that
 * is no token of 8 to 128 letters, digits and `_.:-`: such an id is not kept, but the call is served all the same.
 */
export function clientRequestId(given: unknown): string | null {
  return typeof given === 'string' && SANE.test(given) ? given : null;
}

/** Both ids of a call, for a line of the log. The caller's is left out where there is none. */
export function idsForLog(call: { requestId: string; clientRequestId: string | null }): object {
  const { requestId, clientRequestId: given } = call;
  return { request_id: requestId, ...(given !== null && { client_request_id: given }) };
}
