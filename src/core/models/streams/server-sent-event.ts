/** One event as it came, so that it can leave unchanged. Source: WHATWG HTML, "Server-sent events". */
export interface ServerSentEvent {
  /** All of its bytes, comments and the blank line that ends it included. */
  readonly bytes: Uint8Array;
  /** The event's name; '' where it has none. */
  readonly type: string;
  /** Its data lines joined by line feeds; '' for a comment alone. */
  readonly data: string;
}
