/** Infinity, or null for a time, is for what something else bounds already. */
export interface TurnBounds {
  /** How many works are under way at once, and how many of them of one account. */
  readonly atOnceMax: number;
  readonly accountAtOnceMax: number;
  /** How many wait, and how many of them of one account. */
  readonly waitingMax: number;
  readonly accountWaitingMax: number;
  /** How many bytes those have together that wait, and those of one account. */
  readonly waitingBytesMax: number;
  readonly accountWaitingBytesMax: number;
  /** How long a work waits. One that would wait longer, by what works took lately, is refused as soon as it comes. */
  readonly waitMsMax: number | null;
}

/** What a work holds while it waits, and what ends its waiting. */
export interface Wait {
  readonly bytes?: number;
  readonly signal?: AbortSignal | undefined;
}

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

/** What the last work weighs in the mean time of all. */
const LAST_WEIGHT = 0.2;

interface Account {
  readonly id: string;
  underWay: number;
  readonly waiting: Set<Waiting>;
  waitingBytes: number;
}

/**
 * Bounds the works that are under way at once, and lets those of all accounts begin in turns: before the first waiting work
 * of an account at most one of each other account begins, however many of them wait.
 */
export class AccountTurns {
  private readonly accounts = new Map<string, Account>();
  /** Whose next work begins as soon as there is a place for it, in the order of their turns. */
  private readonly ready = new Set<Account>();
  private underWay = 0;
  private waiting = 0;
  private waitingBytes = 0;
  private isClosed = false;
  private meanMs = 0;

  /** @param busy makes the error for a work that is refused, from the milliseconds that it is likely to wait */
  constructor(
    private readonly bounds: TurnBounds,
    private readonly busy: (waitMs: number) => Error,
  ) {}

  /** Of how many accounts work is under way or waits. */
  get accountCount(): number {
    return this.accounts.size;
  }

  /**
   * Runs work of an account when it is its turn; what there is a place for begins before this returns.
   * @param work must not ask for another turn itself: all places could be held by work that waits for one
   * @throws what `busy` makes, where too much waits, the work has waited too long or the turns are closed; the signal's reason
   *   when it aborts before the work has begun; whatever the work throws
   */
  async within<Result>(accountId: string, work: () => Promise<Result>, wait: Wait = {}): Promise<Result> {
    wait.signal?.throwIfAborted();
    const account = this.accounts.get(accountId) ?? newAccount(accountId);
    if (!this.isClosed && this.hasPlace && this.hasPlaceOf(account)) {
      this.begin(account);
    } else {
      this.refuseFull(account, wait.bytes ?? 0);
      await this.turn(account, wait);
    }
    const begunMs = performance.now();
    try {
      return await work();
    } finally {
      this.meanMs += LAST_WEIGHT * (performance.now() - begunMs - this.meanMs);
      this.end(account);
    }
  }

  /** Refuses all work that waits, or comes later. */
  close(): void {
    this.isClosed = true;
    const waiting = [...this.accounts.values()].flatMap((account) => [...account.waiting]);
    waiting.forEach(({ refuse }) => refuse(this.busy(0)));
  }

  private get hasPlace(): boolean {
    return this.underWay < this.bounds.atOnceMax;
  }

  private hasPlaceOf({ underWay }: Account): boolean {
    return underWay < this.bounds.accountAtOnceMax;
  }

  private refuseFull(account: Account, bytes: number): void {
    const { waitingMax, accountWaitingMax, waitingBytesMax, accountWaitingBytesMax, waitMsMax } = this.bounds;
    const waitMs = this.likelyWaitMs(account);
    if (
      this.isClosed ||
      this.waiting >= waitingMax ||
      account.waiting.size >= accountWaitingMax ||
      this.waitingBytes + bytes > waitingBytesMax ||
      account.waitingBytes + bytes > accountWaitingBytesMax ||
      waitMs > (waitMsMax ?? Infinity)
    ) {
      throw this.busy(waitMs);
    }
  }

  /** How long the next work of an account is likely to wait: for one that is under way, and for all whose turn is before. */
  private likelyWaitMs(account: Account): number {
    const round = account.waiting.size;
    let before = round;
    for (const other of this.accounts.values()) {
      before += other === account ? 0 : Math.min(other.waiting.size, round + 1);
    }
    const { atOnceMax, accountAtOnceMax } = this.bounds;
    return this.meanMs * Math.max((before + 1) / atOnceMax, (round + 1) / accountAtOnceMax);
  }

  /** Waits until the work has begun. */
  private async turn(account: Account, { bytes = 0, signal }: Wait): Promise<void> {
    const { waitMsMax } = this.bounds;
    await new Promise<void>((resolve, reject) => {
      const settle = (then: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.leave(account, waiting);
        then();
      };
      const waiting: Waiting = {
        bytes,
        begin: () => settle(resolve),
        refuse: (error) => settle(() => reject(error)),
      };
      const abort = () => waiting.refuse(signal?.reason as Error);
      const timer =
        waitMsMax === null ? undefined : setTimeout(() => waiting.refuse(this.busy(waitMsMax)), waitMsMax);
      signal?.addEventListener('abort', abort, { once: true });
      this.enter(account, waiting);
    });
  }

  private begin(account: Account): void {
    this.accounts.set(account.id, account);
    this.underWay += 1;
    account.underWay += 1;
  }

  private end(account: Account): void {
    this.underWay -= 1;
    account.underWay -= 1;
    if (account.waiting.size > 0) {
      this.ready.add(account);
    }
    this.forgetIdle(account);
    this.beginNext();
  }

  /** An account that has begun a work goes to the end of the line. */
  private beginNext(): void {
    for (const account of this.ready) {
      if (!this.hasPlace) {
        return;
      }
      this.ready.delete(account);
      this.begin(account);
      const [first] = account.waiting;
      first?.begin();
      if (account.waiting.size > 0 && this.hasPlaceOf(account)) {
        this.ready.add(account);
      }
    }
  }

  private enter(account: Account, waiting: Waiting): void {
    this.accounts.set(account.id, account);
    account.waiting.add(waiting);
    account.waitingBytes += waiting.bytes;
    this.waiting += 1;
    this.waitingBytes += waiting.bytes;
    if (this.hasPlaceOf(account)) {
      this.ready.add(account);
    }
  }

  private leave(account: Account, waiting: Waiting): void {
    account.waiting.delete(waiting);
    account.waitingBytes -= waiting.bytes;
    this.waiting -= 1;
    this.waitingBytes -= waiting.bytes;
    if (account.waiting.size === 0) {
      this.ready.delete(account);
    }
    this.forgetIdle(account);
  }

  private forgetIdle({ id, underWay, waiting }: Account): void {
    if (underWay === 0 && waiting.size === 0) {
      this.accounts.delete(id);
    }
  }
}

function newAccount(id: string): Account {
  return { id, underWay: 0, waiting: new Set(), waitingBytes: 0 };
}
