import type { TokenUse } from '../../money/pricing/price-list';
import type { ReadChoice } from './read-chunk';
import type { ServerSentEvent } from './server-sent-event';

/** How an API tells text, usage and its end in its events. One object serves all streams of its kind. */
export interface StreamDialect {
  /** Reads one event. Its data is not empty. @throws SyntaxError when the data is not what the API sends */
  read(event: ServerSentEvent): StreamReading;

  /** The names that lead from an event's JSON to its usage. */
  readonly usagePath: readonly string[];

  /** What says that the stream is complete, for one that ended without saying so; null where only the upstream can. */
  readonly end: string | null;

  /** An own event with the usage, for a stream that had none, as JSON; null where the API has no such event. */
  usageEvent(origin: StreamOrigin, use: TokenUse, costUsd: string): string | null;

  /** The last event with the usage that it lacks, for an API that tells it nowhere else; absent where another event may. */
  usageInEnd?(end: ServerSentEvent, use: TokenUse, costUsd: string): Uint8Array | null;

  /** The event that names an error, blank line included. `body` is OpenAI's error object as JSON text. */
  failureEvent(body: string): string;

  /** A collector of the events, which makes the answer's other form of them. */
  unstreamed(): UnstreamedAnswer;
}

/** What one event says. */
export interface StreamReading {
  /** The event's JSON; null for an end that is none. */
  readonly json: Readonly<Record<string, unknown>> | null;
  readonly texts: readonly ProducedPiece[];
  /** As the upstream sent it; undefined where the event has none. */
  readonly usage: unknown;
  /** Whether the event is there for the usage alone, and is left out for a client that didn't ask for it. */
  readonly isUsageAlone: boolean;
  readonly choices: readonly Pick<ReadChoice, 'index' | 'finishReason'>[];
  /** Whether nothing follows that counts. */
  readonly isEnd: boolean;
}

export interface ProducedPiece {
  readonly choice: number;
  readonly text: string;
}

/** What a stream's first event says about it. */
export interface StreamOrigin {
  readonly id: unknown;
  readonly created: unknown;
  readonly model: unknown;
}

export interface UnstreamedAnswer {
  add(json: Readonly<Record<string, unknown>>): void;
  /** @param usage what to tell where the events told none */
  json(use: TokenUse): string;
}
