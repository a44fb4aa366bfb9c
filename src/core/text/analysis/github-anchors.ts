const LEFT_OUT = /[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu;

/** Makes the anchors of the headings of one page as GitHub does: a title that is repeated gets a number. */
export class GithubAnchors {
  private readonly counts = new Map<string, number>();

  /** The anchor of the next heading, without its "#". */
  of(title: string): string {
    const base = title.toLowerCase().replaceAll(LEFT_OUT, '').replaceAll(' ', '-');
    let count = this.counts.get(base);
    let anchor = base;
    while (count !== undefined || this.counts.has(anchor)) {
      count = (count ?? 0) + 1;
      anchor = `${base}-${count}`;
      if (!this.counts.has(anchor)) {
        break;
      }
    }
    this.counts.set(base, count ?? 0);
    this.counts.set(anchor, this.counts.get(anchor) ?? 0);
    return anchor;
  }
}
