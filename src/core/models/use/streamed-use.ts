import { FinishedChoices } from '../streams/finished-choices';
import type { ReadChoice } from '../streams/read-chunk';
import { reportedUse, type ReportedUse } from './reported-use';

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
