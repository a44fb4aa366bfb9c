/** Lets steps go one by one: each waits until the test has released it. */
export class LockStep {
  private released = 0;
  private waiting: (() => void) | null = null;

  /** Lets some more steps go, the next ones if none waits at present. */
  release(steps = 1): void {
    this.released += steps;
    this.waiting?.();
  }

  releaseAll(): void {
    this.release(Number.POSITIVE_INFINITY);
  }

  /** Resolves when the next step may be taken; rejects when the signal aborts. One caller at a time. */
  async next(signal: AbortSignal): Promise<void> {
    while (this.released < 1) {
      signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        this.waiting = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      this.waiting = null;
    }
    this.released -= 1;
  }
}
