import type { ReadChoice } from './read-chunk';

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
