import { FinishedChoices } from '../streams/finished-choices';
import type { ReadChoice } from '../streams/read-chunk';
import { reportedUse, type ReportedUse } from './reported-use';

/**
 * What a stream has reported so far of its use: nothing until it is of the whole stream, which it is once every choice is
 * complete. Some servers tell it with every chunk, and what those say of the middle is too little.
 */
export class StreamedUse {
  private readonly finished: FinishedChoices;
  private usage: unknown = undefined;
  private isFinal = false;

  /** @param choicesAsked how many answers were asked for */
  constructor(choicesAsked = 1) {
    this.finished = new FinishedChoices(choicesAsked);
  }

  /** @param said what an event says of usage, undefined where it says nothing, and of the choices in it */
  note(said: { usage: unknown; choices: readonly Pick<ReadChoice, 'index' | 'finishReason'>[] }): void {
    this.finished.see(said.choices);
    if (said.usage !== undefined) {
      this.usage = said.usage;
      this.isFinal = this.allFinished;
    }
  }

  /** Nothing follows: what was reported is of the whole stream. */
  end(): void {
    this.isFinal = true;
  }

  get allFinished(): boolean {
    return this.finished.areAll;
  }

  get reported(): ReportedUse {
    return reportedUse(this.isFinal ? this.usage : undefined);
  }
}
