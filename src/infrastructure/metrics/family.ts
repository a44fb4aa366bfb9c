/** Names from the code or the document only: a label that a caller chooses would let him fill the memory. */
export type Labels = Record<string, string>;

/** One line of the text form, without the name and the labels of its series. */
export interface Sample {
  suffix: string;
  labels: Labels;
  value: number;
}

export interface Series {
  samples(): Sample[];
}

/** The series of one name, told apart by their labels. */
export class Family<Member extends Series> {
  private readonly members = new Map<string, { labels: Labels; member: Member }>();

  constructor(
    readonly name: string,
    private readonly help: string,
    private readonly type: 'counter' | 'gauge' | 'histogram',
    private readonly make: () => Member,
  ) {}

  /** The series with these labels, from now on shown, even at 0. To be kept: looking it up costs more than counting. */
  labelled(labels: Labels): Member {
    const key = JSON.stringify(labels);
    const known = this.members.get(key)?.member;
    const member = known ?? this.make();
    this.members.set(key, { labels, member });
    return member;
  }

  /** What prom-client asks of a metric when the registry is read. */
  get() {
    const values = [...this.members.values()].flatMap(({ labels, member }) =>
      member.samples().map(({ suffix, labels: own, value }) => ({
        metricName: this.name + suffix,
        labels: { ...labels, ...own },
        value,
      })),
    );
    const { name, help, type } = this;
    return Promise.resolve({ name, help, type, values, aggregator: 'sum' as const });
  }
}
