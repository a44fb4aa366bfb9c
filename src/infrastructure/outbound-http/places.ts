/** A bounded number of places; who finds none waits in line for one. */
export class Places {
  private readonly line: (() => void)[] = [];

  constructor(private free: number) {}

  /** Runs the work as soon as there is a place for it, and frees the place when the work is over. */
  async within<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) {
      this.free -= 1;
    } else {
      await new Promise<void>((resolve) => this.line.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = this.line.shift();
      if (next) {
        next();
      } else {
        this.free += 1;
      }
    }
  }
}
