interface Waiting<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Lets many callers share one statement: while one is under way, what others ask for waits, and goes into the next
 * together. So a process uses one connection for this however many jobs it runs, and alone nobody waits.
 */
export class Together<Item, Answer> {
  private waiting: Waiting<Item, Answer>[] = [];
  private isUnderWay = false;

  /**
   * @param sizeMax how many items one statement takes at most
   * @param statement answers all items, in their order
   */
  constructor(
    private readonly sizeMax: number,
    private readonly statement: (items: Item[]) => Promise<Answer[]>,
  ) {}

  /** @throws whatever the statement throws for this item alone */
  ask(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.isUnderWay) {
        this.isUnderWay = true;
        void this.work();
      }
    });
  }

  private async work(): Promise<void> {
    while (this.waiting.length > 0) {
      const taken = this.waiting.splice(0, this.sizeMax);
      // One item that can't be carried out must not fail the others.
      if (!(await this.carryOut(taken, taken.length === 1))) {
        for (const one of taken) {
          await this.carryOut([one], true);
        }
      }
    }
    this.isUnderWay = false;
  }

  /** Returns whether the items were answered. */
  private async carryOut(taken: Waiting<Item, Answer>[], isLastTry: boolean): Promise<boolean> {
    try {
      const answers = await this.statement(taken.map(({ item }) => item));
      taken.forEach(({ resolve }, index) => resolve(answers[index] as Answer));
      return true;
    } catch (error) {
      if (isLastTry) {
        taken.forEach(({ reject }) => reject(error));
      }
      return isLastTry;
    }
  }
}
