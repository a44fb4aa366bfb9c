const FAULTS_MAX = 10;

export class Tally {
  kept = 0;
  dropped = 0;
  private readonly faults: string[] = [];

  keep(count = 1): void {
    this.kept += count;
  }

  /** @param why a sentence for the model */
  drop(why: string): void {
    this.dropped += 1;
    if (this.faults.length < FAULTS_MAX) {
      this.faults.push(why);
    }
  }

  /** What the model is told where nothing of its answer is left: one that quotes well elsewhere is not asked again. */
  get faultsOfAll(): readonly string[] {
    return this.kept === 0 ? this.faults : [];
  }
}
