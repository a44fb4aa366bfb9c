/**
 * The labels of a series. Their values must come from the code or the OpenAPI document: if callers could choose them,
 * they could fill the memory with series.
 */
export type Labels = Record<string, string>;

/** One line of the text form, without the name and the labels of its series. */
export interface Sample {
  suffix: string;
  labels: Labels;
  value: number;
}

/** One metric with certain labels: a count, a distribution or a gauge. */
export interface Series {
  samples(): Sample[];
}

/** All series of one metric. They share its name and differ in their labels. */
export class Family<Member extends Series> {
  private readonly members = new Map<string, { labels: Labels; member: Member }>();

  constructor(
    readonly name: string,
    private readonly help: string,
    private readonly type: 'counter' | 'gauge' | 'histogram',
    private readonly make: () => Member,
  ) {}

  /**
   * The series with these labels. From now on it is part of the metrics, even at 0. Callers should keep it, because
   * finding it again costs more than counting.
   */
  labelled(labels: Labels): Member {
    const key = JSON.stringify(labels);
    const known = this.members.get(key)?.member;
    const member = known ?? this.make();
    this.members.set(key, { labels, member });
    return member;
  }

  /** The values of all series, in the form that prom-client expects when it reads the registry. */
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
