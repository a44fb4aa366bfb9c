import type { KeySpendingLimits } from '../../../src/accounts/spending-limits';
import type { ReserveVerdict, Settlement } from '../../../src/ledger/ledger';
import {
  countersAt,
  countersMoved,
  limitsShown,
  newKey,
  NOTHING_SPENT,
  takes,
  withLimits,
  withSecret,
  type Counters,
  type KeyModel,
} from './key-model';
import type { LedgerAnswer, LedgerOperation } from './ledger-operation';
import { endOfPeriod } from './zone-periods';

type Of<Act> = Extract<LedgerOperation, { act: Act }>;

interface CallModel {
  readonly keyId: string | null;
  readonly amount: bigint;
  readonly leaseUntilMs: number;
  readonly counted: Counted;
  /** What was taken for its cost beyond the reservation; null until then. */
  readonly excess: ({ readonly amount: bigint } & Counted) | null;
  readonly end: { readonly outcome: CallEnd; readonly charged: bigint } | null;
}

/** Whether the key's counters still hold an amount: what is not spent of it goes back there. */
interface Counted {
  readonly inDay: boolean;
  readonly inMonth: boolean;
}

const COUNTED: Counted = { inDay: true, inMonth: true };

type CallEnd = 'settled' | 'released' | 'expired';

/**
 * What one account and its keys should be: a plain sequential model, without SQL, of what ledger and key repositories
 * promise. Amounts in nano-USD.
 */
export class AccountModel {
  private isOpen = true;
  private balance = 0n;
  private reserved = 0n;
  private references: string[] = [];
  private keys: Record<string, KeyModel> = {};
  private calls: Record<string, CallModel> = {};

  addKey(id: string, secret: string, expiresAtMs: number): void {
    this.keys[id] = newKey(secret, expiresAtMs);
  }

  /** Keys and calls are replaced, never changed: the copy shares them. */
  copy(): AccountModel {
    const { keys, calls, references } = this;
    const own = { keys: { ...keys }, calls: { ...calls }, references: [...references] };
    return Object.assign(new AccountModel(), this, own);
  }

  /** The same text for the same state, whatever came first. */
  digest(): string {
    const texts = Object.entries(this.calls).map(([id, call]) => `${id}${textOf(call)}`);
    const keys = Object.values(this.keys).map(textOf);
    const { isOpen, balance, references } = this;
    return [isOpen, balance, [...references].sort(), keys, texts.sort()].join();
  }

  /** Does one operation and says what its caller is told. */
  apply(operation: LedgerOperation): LedgerAnswer {
    switch (operation.act) {
      case 'reserve':
        return this.reserve(operation);
      case 'hold':
        return this.hold(operation);
      case 'settle':
        return this.end(operation, operation.outcome, operation.charge);
      case 'expire':
        return this.end(operation, 'expired', 0n);
      case 'ask excess':
        return this.askExcess(operation);
      case 'take excess':
        return this.takeExcess(operation);
      case 'end process':
        return this.endProcess(operation);
      case 'credit':
        return this.credit(operation);
      case 'open':
      case 'close':
        this.isOpen = operation.act === 'open';
        return 'done';
      default:
        return this.changeKey(operation, this.key(operation.keyId));
    }
  }

  /** The calls that hold a reservation whose lease is over. */
  overdue(nowMs: number): string[] {
    const isOverdue = ([, call]: [string, CallModel]) => !call.end && call.leaseUntilMs <= nowMs;
    return Object.entries(this.calls)
      .filter(isOverdue)
      .map(([id]) => id);
  }

  /** What a call in flight has reserved. */
  amountOf(callId: string): bigint | null {
    const call = this.calls[callId];
    return call && !call.end ? call.amount : null;
  }

  /** What can be seen of the money. */
  view(): { balance: bigint; reservations: Record<string, bigint>; receipts: Record<string, string> } {
    const reservations: Record<string, bigint> = {};
    const receipts: Record<string, string> = {};
    for (const [id, { amount, end }] of Object.entries(this.calls)) {
      if (end) {
        receipts[id] = `${end.outcome}: ${end.charged} of ${amount}`;
      } else {
        reservations[id] = amount;
      }
    }
    return { balance: this.balance, reservations, receipts };
  }

  limits(keyId: string, nowMs: number): KeySpendingLimits {
    return limitsShown(this.key(keyId), nowMs);
  }

  private reserve(order: Of<'reserve'>): ReserveVerdict | { refused: 'impossible amount' } {
    const { callId, keyId, amount, secret, leaseUntilMs, nowMs, isHeld = false } = order;
    const key = keyId === null ? null : this.key(keyId);
    if (amount < 0n || (isHeld && !this.letGo(callId))) {
      return { refused: 'impossible amount' };
    }
    if (!this.isOpen) {
      return { verdict: 'account_closed' };
    }
    if (key && (!key.isActive || !takes(key, secret, nowMs))) {
      return { verdict: 'key_invalid' };
    }
    if (key && key.expiresAtMs <= nowMs) {
      return { verdict: 'key_expired' };
    }
    const counters = key ? countersAt(key, nowMs) : NOTHING_SPENT;
    const refusal = this.refusal(amount, key, counters);
    if (refusal) {
      return refusal;
    }
    if (keyId !== null) {
      this.begin(keyId, counters);
      this.spend(keyId, { day: amount, month: amount });
    }
    this.reserved += amount;
    this.calls[callId] = { keyId, amount, leaseUntilMs, counted: COUNTED, excess: null, end: null };
    return { verdict: 'reserved' };
  }

  /** Nothing where balance or limits have no room for it. */
  private hold({ callId, keyId, amount, nowMs }: Of<'hold'>): 'done' {
    const key = keyId === null ? null : this.key(keyId);
    const counters = key ? countersAt(key, nowMs) : NOTHING_SPENT;
    const held = this.refusal(amount, key, counters) ? 0n : amount;
    if (keyId !== null && held > 0n) {
      this.begin(keyId, counters);
      this.spend(keyId, { day: held, month: held });
    }
    this.reserved += held;
    this.calls[callId] = {
      ...{ keyId, amount: held, leaseUntilMs: Infinity },
      ...{ counted: COUNTED, excess: null, end: null },
    };
    return 'done';
  }

  private letGo(callId: string): boolean {
    const call = this.calls[callId];
    if (!call || call.end) {
      return false;
    }
    delete this.calls[callId];
    this.giveBack(call, call.amount, 0n, call.counted);
    return true;
  }

  /** The balance goes first, then the limits from the shortest period to the longest. */
  private refusal(amount: bigint, key: KeyModel | null, { day, month }: Counters): ReserveVerdict | null {
    const availableNanoUsd = this.balance - this.reserved;
    const limits = [
      { verdict: 'per_request' as const, limit: key?.perRequest ?? null, spent: 0n, period: null },
      { verdict: 'daily' as const, limit: key?.daily ?? null, ...day },
      { verdict: 'monthly' as const, limit: key?.monthly ?? null, ...month },
    ].flatMap(({ limit, ...of }) => (limit === null ? [] : [{ ...of, limit, room: limit - of.spent }]));
    const roomNanoUsd = limits.reduce((least, { room }) => (room < least ? room : least), availableNanoUsd);
    if (availableNanoUsd < amount) {
      return { verdict: 'insufficient_credits', availableNanoUsd, roomNanoUsd };
    }
    const passed = limits.find(({ room }) => room < amount);
    if (!passed || !key) {
      return null;
    }
    const { verdict, limit: limitNanoUsd, spent: spentNanoUsd, period } = passed;
    const resetsAt = period === null ? null : new Date(endOfPeriod(key.zone, period));
    return { verdict, limitNanoUsd, spentNanoUsd, resetsAt, roomNanoUsd };
  }

  private end({ callId }: Of<'settle' | 'expire'>, outcome: CallEnd, charge: bigint): Settlement {
    const call = this.calls[callId];
    if (!call || (call.end && call.end.outcome !== outcome)) {
      return { verdict: 'gone', chargedNanoUsd: 0n, balanceNanoUsd: this.balance };
    }
    if (call.end) {
      return { verdict: 'settled', chargedNanoUsd: call.end.charged, balanceNanoUsd: this.balance };
    }
    if (charge > call.amount && call.excess === null) {
      return { verdict: 'gone', chargedNanoUsd: -1n, balanceNanoUsd: -1n };
    }
    const beyond = charge > call.amount ? (call.excess?.amount ?? 0n) : 0n;
    const charged = charge < 0n ? 0n : (charge > call.amount ? call.amount : charge) + beyond;
    this.calls[callId] = { ...call, end: { outcome, charged } };
    this.balance -= charged;
    this.giveBack(call, call.amount, charged - beyond, call.counted);
    if (call.excess) {
      this.giveBack(call, call.excess.amount, beyond, call.excess);
    }
    return { verdict: 'settled', chargedNanoUsd: charged, balanceNanoUsd: this.balance };
  }

  private giveBack({ keyId }: CallModel, held: bigint, spent: bigint, { inDay, inMonth }: Counted): void {
    this.reserved -= held;
    if (keyId !== null) {
      this.spend(keyId, { day: inDay ? spent - held : 0n, month: inMonth ? spent - held : 0n });
    }
  }

  private endProcess({ callIds, unseenIds, nowMs }: Of<'end process'>): 'done' {
    for (const callId of callIds) {
      const isInFlight = this.amountOf(callId) !== null;
      this.end({ act: 'expire', callId, nowMs }, 'expired', 0n);
      if (isInFlight && unseenIds.includes(callId)) {
        delete this.calls[callId];
      }
    }
    return 'done';
  }

  /** What it is lent begins the present day and month; all of it is given back. */
  private askExcess({ callId, charge, nowMs }: Of<'ask excess'>): 'done' {
    const call = this.calls[callId];
    const isAsked = call?.end === null && call.excess === null;
    if (isAsked && call.keyId !== null && this.chargeableExcess(call, charge, nowMs) > 0n) {
      this.begin(call.keyId, countersAt(this.key(call.keyId), nowMs));
    }
    return 'done';
  }

  /** The first of the two steps of a settlement beyond its reservation; not yet possible, where it would give another amount. */
  private takeExcess({ callId, charge, granted, nowMs }: Of<'take excess'>): LedgerAnswer {
    const call = this.calls[callId];
    if (!call || call.end || call.excess !== null) {
      return 'done';
    }
    const amount = this.chargeableExcess(call, charge, nowMs);
    if (granted !== null && amount !== granted) {
      return { refused: 'impossible amount' };
    }
    this.reserved += amount;
    if (call.keyId !== null && amount > 0n) {
      this.begin(call.keyId, countersAt(this.key(call.keyId), nowMs));
      this.spend(call.keyId, { day: amount, month: amount });
    }
    this.calls[callId] = { ...(this.calls[callId] as CallModel), excess: { amount, ...COUNTED } };
    return 'done';
  }

  /** How much of a cost beyond the reservation balance and limits have room for, in the present day and month. */
  private chargeableExcess({ keyId, amount }: CallModel, charge: bigint, nowMs: number): bigint {
    const key = keyId === null ? null : this.key(keyId);
    const { day, month } = key ? countersAt(key, nowMs) : NOTHING_SPENT;
    const bounds = [charge - amount, this.balance - this.reserved];
    const limits = [
      [key?.perRequest, amount],
      [key?.daily, day.spent],
      [key?.monthly, month.spent],
    ] as const;
    const rooms = limits.flatMap(([limit = null, spent]) => (limit === null ? [] : [limit - spent]));
    const least = [...bounds, ...rooms].reduce((one, other) => (other < one ? other : one));
    return least > 0n ? least : 0n;
  }

  private credit({ amount, reference }: Of<'credit'>): 'done' {
    if (reference === null || !this.references.includes(reference)) {
      this.balance += amount;
      this.references.push(...(reference === null ? [] : [reference]));
    }
    return 'done';
  }

  private changeKey(operation: Extract<LedgerOperation, { keyId: string }>, key: KeyModel): LedgerAnswer {
    const { keyId, nowMs } = operation;
    switch (operation.act) {
      case 'change limits':
        return this.changeLimits(operation, key);
      case 'remove limits':
        this.keys[keyId] = { ...key, perRequest: null, daily: null, monthly: null };
        return 'done';
      case 'reset limits':
        this.begin(keyId, NOTHING_SPENT);
        return this.limits(keyId, nowMs);
      case 'revoke':
        this.keys[keyId] = { ...key, isActive: false };
        return key.isActive ? 'done' : { refused: 'Conflict' };
      case 'rotate': {
        const overlapMs = operation.overlapSeconds * 1000;
        const rotated = key.isActive ? withSecret(key, operation.newSecret, { nowMs, overlapMs }) : null;
        this.keys[keyId] = rotated ?? key;
        return rotated ? 'done' : { refused: 'Conflict' };
      }
    }
  }

  private changeLimits({ keyId, change, nowMs }: Of<'change limits'>, key: KeyModel): LedgerAnswer {
    const changed = withLimits(key, change);
    if (!changed) {
      return { refused: 'Unprocessable' };
    }
    const { timezone: zone = key.zone } = change;
    this.keys[keyId] = { ...changed, zone };
    if (zone !== key.zone) {
      const { keeps, ...counters } = countersMoved(key, zone, nowMs);
      this.begin(keyId, counters, keeps);
    }
    return this.limits(keyId, nowMs);
  }

  /** Where a counter begins another period, the calls before it no longer count there. */
  private begin(keyId: string, { day, month }: Counters, keeps?: { day: boolean; month: boolean }): void {
    const key = this.key(keyId);
    const keepsDay = keeps?.day ?? key.day.period === day.period;
    const keepsMonth = keeps?.month ?? key.month.period === month.period;
    const kept = ({ inDay, inMonth }: Counted) => ({
      inDay: inDay && keepsDay,
      inMonth: inMonth && keepsMonth,
    });
    for (const [id, call] of Object.entries(this.calls)) {
      if (call.keyId === keyId && !call.end && !(keepsDay && keepsMonth)) {
        const excess = call.excess && { ...call.excess, ...kept(call.excess) };
        this.calls[id] = { ...call, counted: kept(call.counted), excess };
      }
    }
    this.keys[keyId] = { ...key, day, month };
  }

  private spend(keyId: string, amounts: { day: bigint; month: bigint }): void {
    const key = this.key(keyId);
    const day = { ...key.day, spent: key.day.spent + amounts.day };
    this.keys[keyId] = { ...key, day, month: { ...key.month, spent: key.month.spent + amounts.month } };
  }

  private key(id: string): KeyModel {
    const key = this.keys[id];
    if (!key) {
      throw new Error(`the model has no key ${id}`);
    }
    return key;
  }
}

const texts = new WeakMap<object, string>();

function textOf(value: KeyModel | CallModel): string {
  const text =
    texts.get(value) ??
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
  texts.set(value, text);
  return text;
}
