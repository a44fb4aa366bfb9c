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

/** Bounds on all and on one account; absent for no bound. */
export interface ConcurrencyBounds {
  readonly atOnceMax?: number;
  readonly accountAtOnceMax: number;
  readonly waitingMax?: number;
  readonly accountWaitingMax?: number;
  readonly waitingBytesMax?: number;
  readonly accountWaitingBytesMax?: number;
  /** Work likely to wait longer is refused at once. */
  readonly waitMsMax?: number;
}

const UNBOUNDED = {
  atOnceMax: Infinity,
  waitingMax: Infinity,
  accountWaitingMax: Infinity,
  waitingBytesMax: Infinity,
  accountWaitingBytesMax: Infinity,
  waitMsMax: Infinity,
};

export interface WaitOptions {
  readonly bytes?: number;
  readonly signal?: AbortSignal | undefined;
}

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

/** The weight of the latest duration in the moving mean. */
const LAST_WEIGHT = 0.2;

interface Account {
  readonly id: string;
  underWay: number;
  readonly waiting: Set<Waiting>;
  waitingBytes: number;
}

/** Bounded concurrency in turns: at most one work of each other account begins before an account's first. */
export class FairConcurrencyLimit {
  private readonly accounts = new Map<string, Account>();
  private readonly ready = new Set<Account>();
  private underWay = 0;
  private waiting = 0;
  private waitingBytes = 0;
  private isClosed = false;
  private meanMs = 0;

  private readonly bounds: Required<ConcurrencyBounds>;

  /** @param busy makes the refusal, from the likely wait in milliseconds */
  constructor(
    bounds: ConcurrencyBounds,
    private readonly busy: (waitMs: number) => Error,
  ) {
    this.bounds = { ...UNBOUNDED, ...bounds };
  }

  get accountCount(): number {
    return this.accounts.size;
  }

  countOf(accountId: string): number {
    const { underWay, waiting } = this.accounts.get(accountId) ?? newAccount(accountId);
    return underWay + waiting.size;
  }

  /**
   * @param work must not wait for another turn itself: that could hold all places
   * @throws what `busy` makes; the signal's reason before the work began; the work's error
   */
  async within<Result>(
    accountId: string,
    work: () => Promise<Result>,
    wait: WaitOptions = {},
  ): Promise<Result> {
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
      waitMs > waitMsMax
    ) {
      throw this.busy(waitMs);
    }
  }

  private likelyWaitMs(account: Account): number {
    const round = account.waiting.size;
    let before = round;
    for (const other of this.accounts.values()) {
      before += other === account ? 0 : Math.min(other.waiting.size, round + 1);
    }
    const { atOnceMax, accountAtOnceMax } = this.bounds;
    return this.meanMs * Math.max((before + 1) / atOnceMax, (round + 1) / accountAtOnceMax);
  }

  private async turn(account: Account, { bytes = 0, signal }: WaitOptions): Promise<void> {
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
      const isTimed = waitMsMax < Infinity;
      const timer = isTimed ? setTimeout(() => waiting.refuse(this.busy(waitMsMax)), waitMsMax) : undefined;
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
