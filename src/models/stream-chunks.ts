import { isObject, type JsonObject, objectsOf } from '../runtime/json';
import { reportedUse, type ReportedUse } from './usage';

/** Source: OpenAI's API reference, "Streaming". */
export interface ReadChunk {
  readonly usage: JsonObject | undefined;
  readonly choices: readonly ReadChoice[];
}

export interface ReadChoice {
  /** 0 where a server does not number its choices. */
  readonly index: number;
  /** Null until the choice is complete. */
  readonly finishReason: string | null;
  /** A chat's has a `delta`, a completion's a `text`. */
  readonly json: JsonObject;
}

/** Members of a wrong type count as missing, because a provider may send anything. */
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

export class FinishedChoices {
  private readonly seen = new Set<number>();
  private readonly finished = new Set<number>();

  /** @param choicesAsked with fewer the stream may go on */
  constructor(private readonly choicesAsked = 1) {}

  see(choices: readonly Pick<ReadChoice, 'index' | 'finishReason'>[]): void {
    for (const { index, finishReason } of choices) {
      this.seen.add(index);
      if (finishReason !== null) {
        this.finished.add(index);
      }
    }
  }

  /** Every choice that was asked for, and every other that was seen, has its finish reason. */
  get areAll(): boolean {
    return this.finished.size >= Math.max(this.choicesAsked, this.seen.size);
  }
}

/** Some servers report the use with every chunk: it is final only when every choice is complete or the stream has ended. */
export class StreamedUse {
  private readonly finished: FinishedChoices;
  private usage: unknown = undefined;
  private isFinal = false;

  constructor(choicesAsked = 1) {
    this.finished = new FinishedChoices(choicesAsked);
  }

  note(said: { usage: unknown; choices: readonly Pick<ReadChoice, 'index' | 'finishReason'>[] }): void {
    this.finished.see(said.choices);
    if (said.usage !== undefined) {
      this.usage = said.usage;
      this.isFinal = this.allFinished;
    }
  }

  end(): void {
    this.isFinal = true;
  }

  get allFinished(): boolean {
    return this.finished.areAll;
  }

  /** Members are null until the use of the whole stream has been reported. */
  get reported(): ReportedUse {
    return reportedUse(this.isFinal ? this.usage : undefined);
  }
}
