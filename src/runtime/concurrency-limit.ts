/** A bounded number of works at once; further ones wait in line. */
export class ConcurrencyLimit {
  private readonly line: (() => void)[] = [];

  constructor(private free: number) {}

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
