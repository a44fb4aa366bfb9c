import { isObject, type JsonObject, objectsOf } from '../runtime/json';
import { reportedUse, type ReportedUse } from './usage';

/** The parts of a chunk of a chat or of a completion. Source: OpenAI's API reference, "Streaming". */
export interface ReadChunk {
  /** The usage as the upstream sent it; undefined where the chunk has none. */
  readonly usage: JsonObject | undefined;
  readonly choices: readonly ReadChoice[];
}

/** One choice of a chunk. */
export interface ReadChoice {
  /** The choice's number; 0 where a server does not number its choices. */
  readonly index: number;
  /** Null until the choice is complete. */
  readonly finishReason: string | null;
  /** The choice itself: a chat's has a `delta`, a completion's a `text`. */
  readonly json: JsonObject;
}

/** Reads the JSON of a chunk. Members of a wrong type count as missing, because a provider may send anything. */
export function readChunk({ usage, choices }: JsonObject): ReadChunk {
  return { usage: isObject(usage) ? usage : undefined, choices: objectsOf(choices).map(readChoice) };
}

function readChoice(json: JsonObject): ReadChoice {
  const { index, finish_reason: finishReason } = json;
  return {
    index: typeof index === 'number' ? index : 0,
    finishReason: typeof finishReason === 'string' ? finishReason : null,
    json,
  };
}

/** Keeps track of the choices in a stream, and says whether all of them are complete. */
export class FinishedChoices {
  private readonly seen = new Set<number>();
  private readonly finished = new Set<number>();

  /** @param choicesAsked how many choices the request asked for; with fewer the stream may go on */
  constructor(private readonly choicesAsked = 1) {}

  /** Notes the choices of one chunk. */
  see(choices: readonly Pick<ReadChoice, 'index' | 'finishReason'>[]): void {
    for (const { index, finishReason } of choices) {
      this.seen.add(index);
      if (finishReason !== null) {
        this.finished.add(index);
      }
    }
  }

  /** Whether every choice that was asked for, and every other that was seen, has its finish reason. */
  get areAll(): boolean {
    return this.finished.size >= Math.max(this.choicesAsked, this.seen.size);
  }
}

/**
 * The use that a stream has reported, once that is the use of the whole stream: some servers report it with every
 * chunk, and what they report in the middle is too little. It is final when every choice is complete or the stream has
 * ended.
 */
export class StreamedUse {
  private readonly finished: FinishedChoices;
  private usage: unknown = undefined;
  private isFinal = false;

  /** @param choicesAsked how many answers were asked for */
  constructor(choicesAsked = 1) {
    this.finished = new FinishedChoices(choicesAsked);
  }

  /** Notes an event. @param said its usage, undefined where it has none, and its choices */
  note(said: { usage: unknown; choices: readonly Pick<ReadChoice, 'index' | 'finishReason'>[] }): void {
    this.finished.see(said.choices);
    if (said.usage !== undefined) {
      this.usage = said.usage;
      this.isFinal = this.allFinished;
    }
  }

  /** Says that the stream has ended, so that its last usage is that of the whole stream. */
  end(): void {
    this.isFinal = true;
  }

  /** Whether every choice is complete. */
  get allFinished(): boolean {
    return this.finished.areAll;
  }

  /** The use of the whole stream; members are null until it has been reported. */
  get reported(): ReportedUse {
    return reportedUse(this.isFinal ? this.usage : undefined);
  }
}
