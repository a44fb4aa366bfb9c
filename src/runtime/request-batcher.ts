interface Waiting<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** Items that arrive while a request is under way share the next; a single one leaves at once. */
export class RequestBatcher<Item, Answer> {
  private readonly waiting: Waiting<Item, Answer>[] = [];
  private isUnderWay = false;

  /** @param failsTogether a failure is everyone's; otherwise each item is retried alone */
  constructor(
    private readonly sizeMax: number,
    private readonly request: (items: Item[]) => Promise<Answer[]>,
    private readonly failsTogether = false,
  ) {}

  get waitingCount(): number {
    return this.waiting.length;
  }

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
