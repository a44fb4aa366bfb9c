const WRITTEN_EVERY_MS = 250;

/** Writes notes off the call's path: those of a quarter of a second together, one batch at a time. */
export class BackgroundWrites {
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> | null = null;

  /** @param write takes all that waits, and never rejects */
  constructor(
    private readonly isWaiting: () => boolean,
    private readonly write: () => Promise<void>,
  ) {}

  begin(): void {
    if (!this.writing && this.isWaiting()) {
      this.timer ??= setTimeout(() => void this.end(), WRITTEN_EVERY_MS);
    }
  }

  async end(): Promise<void> {
    clearTimeout(this.timer ?? undefined);
    this.timer = null;
    while (this.writing) {
      await this.writing;
    }
    if (this.isWaiting()) {
      this.writing = this.write().finally(() => {
        this.writing = null;
        this.begin();
      });
      await this.writing;
    }
  }
}
