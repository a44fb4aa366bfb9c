import { inspect, isDeepStrictEqual } from 'node:util';
import type { KeySpendingLimits } from '../../../src/accounts/spending-limits';
import { GONE_SETTLEMENT } from '../../../src/ledger/leases';
import { newId } from '../../../src/runtime/ids';
import { readViews, type AccountView } from './account-view';
import { AccountModel } from './account-model';
import { explainRound, heldFirst, type AnsweredOperation } from './explain-round';
import type { LedgerOperation } from './ledger-operation';
import type { LedgerReplica, NamedSecrets } from './ledger-replica';
import type { LedgerHistory, LedgerRound } from './ledger-histories';
import type { LedgerStep } from './ledger-steps';
import { allEnded } from '../until';
import { dayIn, endOfPeriod, monthIn } from './zone-periods';

/** More on one account at once would make the search for their order long; what a sweep may end counts as well. */
const OPERATIONS_AT_ONCE_MAX = 6;
const MINUTE_MS = 60_000;
const END_OF_TIME = '2100-01-01T00:00:00.000Z';

interface Subject {
  id: string;
  keys: { id: string; secrets: string[] }[];
  callIds: string[];
  /** The place of the replica that reserved a call: only there can it be settled. */
  places: Map<string, number>;
  /** All that the account may be: several where what was seen leaves it open, never none. */
  states: AccountModel[];
}

interface Fired {
  subject: Subject;
  operation: LedgerOperation;
  replica: LedgerReplica;
}

type AccountStep = Exclude<LedgerStep, { act: 'sweep' }>;

/** Accounts that several replicas work on at once, beside models of them that must be able to explain what is seen. */
export class LedgerWorld {
  /** How often a replica was ended by the other, in all worlds. */
  static ended = 0;
  private nowMs: number;
  private readonly secrets: NamedSecrets = new Map();
  private readonly subjects: Subject[] = [];

  private constructor(
    private readonly replicas: readonly LedgerReplica[],
    private readonly history: LedgerHistory,
  ) {
    this.nowMs = Date.parse(history.startsAt);
  }

  /** Lives through a whole history. @throws Error with what was seen when no order of a round explains it */
  static async live(replicas: readonly LedgerReplica[], history: LedgerHistory): Promise<void> {
    const world = new LedgerWorld(replicas, history);
    await world.begin();
    for (const round of history.rounds) {
      await world.take(round);
    }
    await world.expectLimits();
  }

  private async begin(): Promise<void> {
    // What an earlier history left open must not be swept as a part of this one.
    for (const replica of this.replicas) {
      replica.clock.set(END_OF_TIME);
      while ((await replica.sweep()) !== 0) {}
    }
    this.setClocks();
    this.subjects.push(...(await Promise.all(this.history.accounts.map((fields) => this.create(fields)))));
    const at = { replica: 0 };
    const accounts = this.history.accounts.map((fields, account) => ({ ...fields, account }));
    const steps: LedgerStep[][] = [
      accounts.map(({ credit, account }) => ({
        ...at,
        act: 'credit',
        account,
        amount: credit,
        reference: null,
      })),
      accounts.flatMap(({ keys, account }) =>
        keys.map(({ limits }, key) => ({ ...at, act: 'change limits', account, key, change: limits })),
      ),
    ];
    for (const some of steps) {
      await this.take({ wait: { minutes: 0 }, steps: some });
    }
  }

  private async create({ keys }: LedgerHistory['accounts'][number]): Promise<Subject> {
    const replica = this.replica(0);
    const model = new AccountModel();
    const subject: Subject = {
      id: await replica.createAccount(),
      keys: [],
      callIds: [],
      places: new Map(),
      states: [model],
    };
    for (const { expiresAfterMinutes } of keys) {
      const expiresAt = expiresAfterMinutes === null ? null : this.nowMs + expiresAfterMinutes * MINUTE_MS;
      const created = await replica.createKey(subject.id, expiresAt === null ? null : new Date(expiresAt));
      const secret = `${created.keyId} 0`;
      this.secrets.set(secret, created.secretHash);
      subject.keys.push({ id: created.keyId, secrets: [secret] });
      model.addKey(created.keyId, secret, expiresAt ?? Infinity);
    }
    return subject;
  }

  /** Takes all steps of a round at once and narrows the models down to those that explain what was seen. */
  private async take(round: LedgerRound): Promise<void> {
    this.move(round.wait);
    const swept = new Set(round.steps.flatMap((step) => (step.act === 'sweep' ? [step.replica] : [])));
    const sweepers = [...swept].map((place) => this.replica(place));
    const overdue = this.subjects.map(({ states, places }) =>
      [...swept].flatMap((place) =>
        (states[0]?.overdue(this.replica(place).clock.now().getTime()) ?? []).filter(
          (callId) => places.get(callId) === place,
        ),
      ),
    );
    const fired = this.resolve(
      round.steps,
      overdue.map(({ length }) => OPERATIONS_AT_ONCE_MAX - length),
    );
    const before = this.expired();
    const { counts, answers, ended } = await this.fire(fired, sweepers, round.lapse);
    await Promise.all(this.replicas.map(({ open }) => open.ledger.show(null)));
    const views = await readViews(
      this.replica(0).open.database,
      this.subjects.map(({ id }) => id),
    );
    await Promise.all(
      this.subjects.map(async (subject, index) => {
        const answered: AnsweredOperation[] = fired.flatMap(({ subject: of, operation }, place) =>
          of === subject ? stepsOf({ operation, answer: answers[place] ?? null }, subject, fired, ended) : [],
        );
        answered.push(...ended.map((place) => endOfProcess(subject, place, fired, views[index])));
        for (const callId of overdue[index] ?? []) {
          answered.push({ operation: { act: 'expire', callId, nowMs: this.nowMs }, answer: null });
        }
        await this.narrow(subject, answered, views[index]);
      }),
    );
    this.learnSecrets();
    if (ended.length === 0) {
      expectCount(counts, this.expired() - before);
    }
  }

  /** Does all at once; where a replica lapses, it goes on when the other has done its part. */
  private async fire(fired: Fired[], sweepers: LedgerReplica[], lapse: LedgerRound['lapse']) {
    const silent = lapse ? this.replica(lapse.replica) : null;
    const ids = this.replicas.map(({ open }) => open.register.id);
    let done;
    try {
      await (lapse && silent?.lapsing.begin(lapse));
      const doing = fired.map(({ subject, operation, replica }) =>
        replica.perform(subject.id, operation, this.secrets),
      );
      const sweeping = sweepers.map((replica) => replica.sweep());
      done = allEnded(sweeping, doing);
      if (lapse) {
        const other = this.replica(1 - lapse.replica);
        const ending = lapse.isEnded ? this.subjects.map(({ id }) => other.open.ledger.endSilent(id)) : [];
        await Promise.allSettled([
          ...ending,
          ...doing.filter((_, index) => fired[index]?.replica !== silent),
          ...sweeping.filter((_, index) => sweepers[index] !== silent),
        ]);
      }
    } finally {
      await (lapse && silent?.lapsing.end(lapse));
    }
    const [counts, answers] = await done;
    // A machine that is too busy for heartbeats makes a replica silent as well.
    await Promise.all(this.replicas.map(({ lapsing }) => lapsing.notice()));
    const ended = this.replicas.flatMap(({ open }, place) =>
      open.register.id === ids[place] ? [] : [place],
    );
    LedgerWorld.ended += ended.length;
    return { counts, answers, ended };
  }

  private async narrow(subject: Subject, answered: AnsweredOperation[], view?: AccountView): Promise<void> {
    const { faults, ...seen } = view ?? { faults: ['the account has no balance'] };
    // The keys of an account of which nothing was asked are looked at in the end.
    const limits = answered.length === 0 ? null : await this.limitsOf(subject);
    const shows = (state: AccountModel) =>
      isDeepStrictEqual(state.view(), seen) && (limits === null || this.showsLimits(subject, state, limits));
    // A process whose clock lags may judge by the time of the one that is ahead.
    const ahead = answered.map((one) => ({ ...one, operation: this.aheadOf(one.operation) }));
    let states: AccountModel[] = [];
    for (const all of [answered, ahead, answered.flatMap(heldFirst)]) {
      states = (await explainRound(subject.states, all)).filter(shows);
      if (states.length > 0) {
        break;
      }
    }
    if (states.length === 0 || faults.length > 0) {
      const seenAll = { at: new Date(this.nowMs), answered, faults, seen, limits, before: subject.states };
      throw new Error(`No order explains what was seen.\n${inspect(seenAll, { depth: 9 })}`);
    }
    subject.states = states;
  }

  private aheadOf<Operation extends { nowMs: number }>(operation: Operation): Operation {
    return {
      ...operation,
      nowMs: operation.nowMs === this.nowMs - this.history.lagMs ? this.nowMs : operation.nowMs,
    };
  }

  private limitsOf({ id: accountId, keys }: Subject): Promise<KeySpendingLimits[]> {
    return Promise.all(keys.map(({ id }) => this.replica(0).limitsOf(accountId, id)));
  }

  private showsLimits({ keys }: Subject, state: AccountModel, limits: readonly KeySpendingLimits[]): boolean {
    return keys.every(({ id }, index) => isDeepStrictEqual(state.limits(id, this.nowMs), limits[index]));
  }

  private async expectLimits(): Promise<void> {
    for (const subject of this.subjects) {
      const limits = await this.limitsOf(subject);
      if (!subject.states.some((state) => this.showsLimits(subject, state, limits))) {
        throw new Error(
          `No state explains the limits in the end.\n${inspect({ limits, subject }, { depth: 9 })}`,
        );
      }
    }
  }

  /** @param countsMax how many operations each account takes */
  private resolve(steps: LedgerStep[], countsMax: number[]): Fired[] {
    const fired: Fired[] = [];
    for (const step of steps) {
      const subject = step.act === 'sweep' ? undefined : this.subjects[step.account];
      if (step.act === 'sweep' || !subject) {
        continue;
      }
      const { clock } = this.replica(step.replica);
      const operation = operationOf(step, subject, {
        nowMs: clock.now().getTime(),
        leaseFromMs: this.nowMs,
      });
      const count = fired.filter((other) => other.subject === subject).length;
      if (operation && count < (countsMax[step.account] ?? 0)) {
        const place = operation.act === 'settle' ? subject.places.get(operation.callId) : step.replica;
        // It runs by the clock of the process that carries it out.
        const replica = this.replica(place ?? step.replica);
        fired.push({ subject, operation: { ...operation, nowMs: replica.clock.now().getTime() }, replica });
      }
    }
    return fired;
  }

  private move(wait: LedgerRound['wait']): void {
    if ('minutes' in wait) {
      this.nowMs += wait.minutes * MINUTE_MS;
    } else {
      const period = wait.until === 'day' ? dayIn(wait.zone, this.nowMs) : monthIn(wait.zone, this.nowMs);
      this.nowMs = Math.max(this.nowMs, endOfPeriod(wait.zone, period) - wait.lessMs);
    }
    this.setClocks();
  }

  private setClocks(): void {
    this.replicas.forEach(({ clock }, index) => {
      clock.set(new Date(this.nowMs - (index === 0 ? 0 : this.history.lagMs)).toISOString());
    });
  }

  /** A rotation that took place has left the hash of its secret. */
  private learnSecrets(): void {
    for (const { secrets, id } of this.subjects.flatMap(({ keys }) => keys)) {
      const names = [...this.secrets.keys()].filter((name) => name.startsWith(id));
      secrets.splice(0, secrets.length, ...names.reverse());
    }
  }

  private expired(): number {
    const receipts = this.subjects.flatMap(({ states }) => Object.values(states[0]?.view().receipts ?? {}));
    return receipts.filter((receipt) => receipt.startsWith('expired')).length;
  }

  private replica(index: number): LedgerReplica {
    const replica = this.replicas[index];
    if (!replica) {
      throw new Error(`there is no replica ${index}`);
    }
    return replica;
  }
}

/** Leases run by the clock that is ahead: no sweep finds one over in the round that begins it. */
function operationOf(
  step: AccountStep,
  subject: Subject,
  { nowMs, leaseFromMs }: { nowMs: number; leaseFromMs: number },
): LedgerOperation | null {
  const key = 'key' in step && step.key !== null ? subject.keys[step.key] : undefined;
  const keyId = key?.id ?? '';
  switch (step.act) {
    case 'reserve': {
      const { amount, secretPick, leaseMinutes } = step;
      const secrets = key?.secrets ?? [];
      const secret = secretPick === null ? null : (secrets[Math.min(secretPick, secrets.length - 1)] ?? null);
      const callId = newId();
      subject.callIds.push(callId);
      subject.places.set(callId, step.replica);
      const leaseUntilMs = leaseFromMs + leaseMinutes * MINUTE_MS;
      return { act: 'reserve', callId, keyId: key?.id ?? null, amount, secret, leaseUntilMs, nowMs };
    }
    case 'settle': {
      // Running calls, and some that have ended, were refused, or are being reserved at this very moment.
      const running = Object.keys(subject.states[0]?.view().reservations ?? {});
      const callIds = [...running, ...running, ...subject.callIds.slice(-3)];
      const callId = callIds[step.pick % callIds.length];
      const { charge, outcome } = step;
      return callId === undefined
        ? null
        : { act: 'settle', callId, charge: outcome === 'settled' ? charge : 0n, outcome, nowMs };
    }
    case 'rotate':
      return {
        act: 'rotate',
        keyId,
        newSecret: `${keyId} ${newId()}`,
        overlapSeconds: step.overlapMinutes * 60,
        nowMs,
      };
    case 'change limits':
      return { act: step.act, keyId, change: step.change, nowMs };
    case 'credit':
      return { act: step.act, amount: step.amount, reference: step.reference, nowMs };
    case 'open':
    case 'close':
      return { act: step.act, nowMs };
    default:
      return { act: step.act, keyId, nowMs };
  }
}

/** A settlement beyond its reservation takes what is missing first. */
function stepsOf(
  answered: AnsweredOperation,
  { states }: Subject,
  fired: readonly Fired[],
  ended: readonly number[],
): AnsweredOperation[] {
  const { operation, answer } = answered;
  if (isDeepStrictEqual(answer, { refused: 'nothing done' })) {
    return [];
  }
  if (
    operation.act !== 'settle' ||
    answer === null ||
    typeof answer !== 'object' ||
    !('chargedNanoUsd' in answer)
  ) {
    return [answered];
  }
  const { callId, charge, nowMs } = operation;
  const reserves = fired.map((one) => one.operation).filter(({ act }) => act === 'reserve');
  const now = reserves.find((one) => one.act === 'reserve' && one.callId === callId);
  const amount = states[0]?.amountOf(callId) ?? (now?.act === 'reserve' ? now.amount : null);
  // The balance is read once it is found that the call is not in flight, and its reservation may come between.
  const settled = now && answer.verdict === 'gone' ? { operation, answer: GONE_SETTLEMENT } : answered;
  if (amount === null || charge <= amount) {
    return [settled];
  }
  const known = answer.chargedNanoUsd > amount ? answer.chargedNanoUsd - amount : 0n;
  const granted = ended.length > 0 && answer.verdict === 'gone' ? null : known;
  return [{ operation: { act: 'take excess', callId, charge, granted, nowMs }, answer: 'done' }, settled];
}

/** Readers have seen what was in flight before; of a call of this round, its receipt tells. */
function endOfProcess(
  { places }: Subject,
  replica: number,
  fired: readonly Fired[],
  view?: AccountView,
): AnsweredOperation {
  const callIds = [...places].flatMap(([callId, place]) => (place === replica ? [callId] : []));
  const unseenIds = fired.flatMap(({ operation }) =>
    operation.act === 'reserve' && !(operation.callId in (view?.receipts ?? {})) ? [operation.callId] : [],
  );
  return { operation: { act: 'end process', callIds, unseenIds, nowMs: 0 }, answer: null };
}

/** Several sweeps at once may each say that they ended a call. */
function expectCount(swept: number[], expired: number): void {
  const told = swept.reduce((sum, count) => sum + count, 0);
  if (told < expired || (swept.length <= 1 && told !== expired)) {
    throw new Error(`sweeps told of ${told} calls and ended ${expired}`);
  }
}
