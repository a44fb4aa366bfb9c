interface Waiting<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** While one request is under way, what others ask for waits and goes into the next: one alone leaves at once, and many share. */
export class RequestBatcher<Item, Answer> {
  private readonly waiting: Waiting<Item, Answer>[] = [];
  private isUnderWay = false;

  /**
   * @param request answers all items, in their order
   * @param failsTogether whether its failure is that of all, who would otherwise be asked for one by one
   */
  constructor(
    private readonly sizeMax: number,
    private readonly request: (items: Item[]) => Promise<Answer[]>,
    private readonly failsTogether = false,
  ) {}

  get waitingCount(): number {
    return this.waiting.length;
  }

  /** @throws whatever the request throws for this item alone, or for all */
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
      if (!(await this.carryOut(taken, this.failsTogether || taken.length === 1))) {
        for (const one of taken) {
          await this.carryOut([one], true);
        }
      }
    }
    this.isUnderWay = false;
  }

  private async carryOut(taken: Waiting<Item, Answer>[], isLastTry: boolean): Promise<boolean> {
    try {
      const answers = await this.request(taken.map(({ item }) => item));
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
