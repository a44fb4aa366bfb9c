/** Prints the report of a soak line by line, and keeps what makes it fail. */
export class SoakReport {
  readonly failures: string[] = [];

  line(text = ''): void {
    process.stdout.write(`${text}\n`);
  }

  title(text: string): void {
    this.line();
    this.line(`== ${text}`);
  }

  /** @param figure what was looked at, for a reader who wants to know how much that was */
  check(name: string, figure: string, faults: readonly string[]): void {
    const verdict = faults.length === 0 ? 'ok  ' : 'FAIL';
    this.line(`${verdict} ${name}: ${figure}`);
    faults.slice(0, SHOWN_MAX).forEach((fault) => this.line(`       ${fault}`));
    if (faults.length > SHOWN_MAX) {
      this.line(`       and ${faults.length - SHOWN_MAX} more`);
    }
    if (faults.length > 0) {
      this.failures.push(`${name}: ${faults.length}`);
    }
  }
}

const SHOWN_MAX = 12;
