import { setImmediate } from 'node:timers';

/**
 * Bounds the bytes that are worked on in one turn of the event loop. Small jobs that follow each other without a turn
 * between them would otherwise hold it for as long as a large one.
 */
export class TurnBudget {
  private readonly line: { bytes: number; enter: () => void }[] = [];
  private left: number;
  private isToBeRenewed = false;

  constructor(private readonly bytesMax: number) {
    this.left = bytesMax;
  }

  /**
   * Waits for a turn with room for the bytes, in the order in which they came.
   * @param bytes at most as many as a turn has
   * @returns nothing where there is room in this turn, so that nobody has to wait
   */
  take(bytes: number): Promise<void> | void {
    this.renewLater();
    if (this.line.length === 0 && bytes <= this.left) {
      this.left -= bytes;
      return;
    }
    return new Promise((enter) => this.line.push({ bytes, enter }));
  }

  private renewLater(): void {
    if (!this.isToBeRenewed) {
      this.isToBeRenewed = true;
      setImmediate(() => this.renew());
    }
  }

  private renew(): void {
    this.isToBeRenewed = false;
    this.left = this.bytesMax;
    for (let next = this.line[0]; next !== undefined && next.bytes <= this.left; next = this.line[0]) {
      this.line.shift();
      this.left -= next.bytes;
      next.enter();
      this.renewLater();
    }
  }
}
