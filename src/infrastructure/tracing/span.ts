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
