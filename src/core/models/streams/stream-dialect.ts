import type { TokenUse } from '../../money/pricing/price-list';
import type { MediaByModel } from '../said-by-model';
import type { ReadChoice } from './read-chunk';
import type { ServerSentEvent } from './server-sent-event';

/** How the events of an API tell text, usage and the end of an answer. */
export interface StreamDialect {
  /** Reads one event, whose data must not be empty. @throws SyntaxError for data that is no event of the API */
  read(event: ServerSentEvent): StreamReading;

  /** The names that lead from an event's JSON to its usage. */
  readonly usagePath: readonly string[];

  /**
   * The event that says that a stream is complete, for streams whose upstream omitted it. Null where this service must
   * not write it, because only the upstream knows what it holds.
   */
  readonly end: string | null;

  /**
   * An event with the usage, for a stream whose upstream sent none; null where the API has no event for usage alone.
   */
  usageEvent(origin: StreamOrigin, use: TokenUse, costUsd: string): string | null;

  /**
   * The last event with the usage added that it lacks; null where it has no place for one. Absent for an API that tells
   * usage in an event of its own.
   */
  usageInEnd?(end: ServerSentEvent, use: TokenUse, costUsd: string): Uint8Array | null;

  /** An event for an error, blank line included. `body` is the JSON text of an object with OpenAI's `error`. */
  failureEvent(body: string): string;

  /** A new collector of events that puts them together to the unstreamed answer. */
  unstreamed(): UnstreamedAnswer;
}

/** What one event says. */
export interface StreamReading {
  /** The event's JSON; null for `[DONE]`, which is none. */
  readonly json: Readonly<Record<string, unknown>> | null;
  /** The texts that the model produced. */
  readonly texts: readonly ProducedPiece[];
  /** The sounds and images that it produced; absent for none. */
  readonly media?: readonly MediaByModel[];
  /** The usage as the upstream sent it; undefined where the event has none. */
  readonly usage: unknown;
  /** Whether the event has nothing but usage, so that a client which did not ask for usage must not get the event. */
  readonly isUsageAlone: boolean;
  readonly choices: readonly Pick<ReadChoice, 'index' | 'finishReason'>[];
  /** Whether the event ends the stream; whatever follows it is ignored. */
  readonly isEnd: boolean;
}

/** A piece of text, and the index of the choice that it belongs to. */
export interface ProducedPiece {
  readonly choice: number;
  readonly text: string;
}

/** The members of a stream's first event that all its events repeat. */
export interface StreamOrigin {
  readonly id: unknown;
  readonly created: unknown;
  readonly model: unknown;
}

/** Collects the events of a stream and puts them together to the answer that has the same content. */
export interface UnstreamedAnswer {
  /** Adds the JSON of the next event. */
  add(json: Readonly<Record<string, unknown>>): void;
  /** The answer as JSON text. @param use the usage to tell where the events told none */
  json(use: TokenUse): string;
}
