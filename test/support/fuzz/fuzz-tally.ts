const SLOWEST_KEPT = 4;
const FAULTS_KEPT_MAX = 60;
const FAULT_CHARACTERS_MAX = 900;

/** How often what was seen, and one example of each kind of fault. */
export class FuzzTally {
  /** By their kinds: the first of each with how often it was seen. */
  private readonly kinds = new Map<string, { count: number; example: string }>();
  private readonly statuses = new Map<string, number>();
  private readonly operations = new Map<string, Map<number, number>>();
  private slowest: { tookMs: number; request: string }[] = [];
  private reportedFaults = 0;
  requests = 0;

  /** @param name of the operation, or of what is none */
  answered(name: string, status: number, tookMs: number, request: string): void {
    this.requests += 1;
    this.count(String(status));
    const ofOperation = this.operations.get(name) ?? new Map<number, number>();
    this.operations.set(name, ofOperation.set(status, (ofOperation.get(status) ?? 0) + 1));
    if (tookMs > (this.slowest.at(-1)?.tookMs ?? 0) || this.slowest.length < SLOWEST_KEPT) {
      this.slowest.push({ tookMs, request: `${status} ${request}` });
      this.slowest = this.slowest.sort((one, other) => other.tookMs - one.tookMs).slice(0, SLOWEST_KEPT);
    }
  }

  /** @param what a status, or what there was in place of one */
  count(what: string): void {
    this.statuses.set(what, (this.statuses.get(what) ?? 0) + 1);
  }

  /** How often {@link count} was told of it. */
  countOf(what: string): number {
    return this.statuses.get(what) ?? 0;
  }

  /** @param kind what faults of the same cause share; @param example tells how to see it again */
  fault(kind: string, example: string): void {
    const seen = this.kinds.get(kind);
    if (seen) {
      seen.count += 1;
    } else if (this.kinds.size < FAULTS_KEPT_MAX) {
      this.kinds.set(kind, { count: 1, example: example.slice(0, FAULT_CHARACTERS_MAX) });
    }
  }

  /** The faults of kinds that were not there when this was last asked, because a run takes long. */
  newFaults(): string[] {
    const faults = this.faults.slice(this.reportedFaults);
    this.reportedFaults = this.kinds.size;
    return faults;
  }

  get faults(): string[] {
    return [...this.kinds].map(([kind, { count, example }]) => `${count} × ${kind}\n  ${example}`);
  }

  /** Operations that never succeeded: nothing of what they do was tried. */
  get neverServed(): string[] {
    return [...this.operations]
      .filter(([, statuses]) => ![...statuses.keys()].some((status) => status >= 200 && status < 300))
      .map(([name]) => name);
  }

  toString(): string {
    const sums = [...this.operations.entries()]
      .filter(([name]) => !name.startsWith('('))
      .map(([name, statuses]) => ({ name, sum: [...statuses.values()].reduce((sum, one) => sum + one, 0) }))
      .sort((one, other) => one.sum - other.sum);
    const [least, most] = [sums[0], sums.at(-1)];
    const sorted = [...this.statuses].sort(([one], [other]) => one.localeCompare(other));
    return [
      `requests ${this.requests} over ${sums.length} operations: ` +
        `least ${least?.sum} (${least?.name}), most ${most?.sum} (${most?.name})`,
      `seen: ${sorted.map(([status, count]) => `${status} × ${count}`).join(', ')}`,
      `slowest answers: ${this.slowest.map(({ tookMs, request }) => `${Math.round(tookMs)} ms ${request}`).join(', ')}`,
    ].join('\n');
  }
}
