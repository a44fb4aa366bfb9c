import type { ReadChoice } from './read-chunk';

/** Tells from the chunks of a stream whether every choice has come to its end. */
export class FinishedChoices {
  private readonly seen = new Set<number>();
  private readonly finished = new Set<number>();

  /** @param choicesAsked how many answers were asked for; fewer are complete only when the upstream says so */
  constructor(private readonly choicesAsked = 1) {}

  see(choices: readonly Pick<ReadChoice, 'index' | 'finishReason'>[]): void {
    for (const { index, finishReason } of choices) {
      this.seen.add(index);
      if (finishReason !== null) {
        this.finished.add(index);
      }
    }
  }

  get areAll(): boolean {
    return this.finished.size >= Math.max(this.choicesAsked, this.seen.size);
  }
}
