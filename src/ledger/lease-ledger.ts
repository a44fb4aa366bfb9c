import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type StoredRow, withBigints } from '../database/bounded-statements';
import type { ProcessRegister } from '../database/process-register';
import { DatabaseAway, NotFound, TooManyCallsWait } from '../errors/api-errors';
import { resultWithin } from '../runtime/clock';
import { newId } from '../runtime/ids';
import { PassingMap } from '../runtime/collections';
import { FlushConnection } from './flush-connection';
import { Flusher } from './flusher';
import type { FlushOwner } from './flush-batch';
import { CallEnd, ENDED_WITHIN_MS, endLost, GONE_SETTLEMENT, type ReservedCall, unspent } from './leases';
import type { Lease } from './lease';
import {
  type Balance,
  type CreditOrder,
  Ledger,
  type ReserveOrder,
  type ReserveVerdict,
  type Settlement,
  type SettleOrder,
} from './ledger';
import type { LedgerMetrics } from './ledger.metrics';
import { Lending, RESERVED } from './lending';
import { SilentProcesses } from './silent-processes';

const WAITING_MAX = 10_000;
const RESERVED_WITHIN_MS = 5_000;
/** Calls have ended before, in the time that a shutdown leaves them; what still waits is on its way. */
const EMPTIED_WITHIN_MS = 5_000;
const LOOKED_EVERY_MS = 100;
const TIDIED_EVERY_MS = 5_000;
/** Longer calls get a row for readers; shorter ones only on request. */
const SHOWN_AFTER_MS = 200;
/** More than any balance, and still a bigint of Postgres when added to other requests. */
const EXCESS_MAX = 2n ** 60n;

const CREDIT = 'SELECT * FROM ledger_credit($1, $2, $3, $4, $5, $6, $7, $8, $9)';

const BALANCE = `
  SELECT balance_nano AS "balanceNanoUsd",
    (SELECT coalesce(sum(amount_nano), 0) FROM reservations AS r WHERE r.account_id = b.account_id) AS "reservedNanoUsd"
  FROM balances AS b WHERE account_id = $1`;

const ENDED_BEFORE = `
  SELECT (SELECT charged_nano FROM calls WHERE id = $1 AND account_id = $2 AND outcome = $3) AS charged_nano, balance_nano
  FROM balances WHERE account_id = $2`;

/** Reserves in memory, and writes a row for each call at its end. docs/decisions/0057: no cap is exceeded. */
export class LeaseLedger extends Ledger implements FlushOwner, OnApplicationShutdown {
  private readonly logger = new Logger('Ledger');
  private readonly calls = new PassingMap<ReservedCall>();
  private readonly hidden = new PassingMap<ReservedCall>();
  private readonly flusher: Flusher;
  readonly lending: Lending;
  private readonly silent: SilentProcesses;
  private readonly timer: NodeJS.Timeout;
  private tidiedAtMs = 0;

  constructor(
    readonly database: DataSource,
    url: string | (() => Promise<string>),
    private readonly metrics: LedgerMetrics,
    private readonly register: ProcessRegister,
    everyone = database,
  ) {
    super();
    const connection = () => new FlushConnection(url, database);
    const flusher = new Flusher(this, metrics, [connection(), connection()]);
    const silent = new SilentProcesses(database, everyone);
    const lending = new Lending({ database, flusher, metrics, silent, hold: this.hold.bind(this) });
    [this.flusher, this.silent, this.lending] = [flusher, silent, lending];
    register.onChange((accountId) => lending.giveBack(accountId));
    register.onEnded(() => this.lose());
    register.listen('ledger_recall', (accountId) => lending.recall(accountId));
    register.listen('ledger_returned', (accountId) => lending.askAgain(accountId));
    metrics.observe({ waiting: () => lending.waiting + flusher.size, leases: () => lending.leases.size });
    this.timer = setInterval(() => this.look(), LOOKED_EVERY_MS).unref();
  }

  get processId(): string {
    return this.register.id;
  }

  /** @throws NothingReserved when too many calls wait or the database is too slow; RangeError below 0 */
  override reserve(order: ReserveOrder): ReserveVerdict | Promise<ReserveVerdict> {
    if (order.amountNanoUsd < 0n) {
      throw new RangeError('a reservation cannot be negative');
    }
    const lease = this.lending.leaseFor(order);
    if (lease.takes(order) && this.register.isHeard) {
      this.metrics.reservedInMemory.add();
      this.hold(lease, order);
      return RESERVED;
    }
    if (this.lending.waiting >= WAITING_MAX) {
      this.metrics.refusals.add();
      throw new TooManyCallsWait();
    }
    return this.lending.ask(order, performance.now() + RESERVED_WITHIN_MS);
  }

  /** Accepted however many orders wait, because it ends an admitted call. */
  override async settle(order: SettleOrder): Promise<Settlement> {
    const held = this.calls.get(order.callId);
    if (held?.order.accountId !== order.accountId) {
      return this.endedBefore(order);
    }
    if (held.end) {
      return this.afterFirst(held.end, order);
    }
    const end = new CallEnd(order);
    held.end = end;
    const { amountNanoUsd } = held.order;
    if (order.outcome === 'settled' && order.chargeNanoUsd > 0n) {
      end.chargeNanoUsd = order.chargeNanoUsd < amountNanoUsd ? order.chargeNanoUsd : amountNanoUsd;
    }
    if (order.outcome === 'settled' && order.chargeNanoUsd > amountNanoUsd) {
      try {
        end.chargeNanoUsd += await this.takeExcess(held, order);
      } catch (error) {
        held.end = null;
        end.fail(error);
        return end.settled;
      }
      if (held.isLost) {
        end.resolve(GONE_SETTLEMENT);
        return end.settled;
      }
    }
    held.lease.heldNanoUsd -= unspent(held, end);
    this.flusher.end(held);
    return end.settled;
  }

  override credit(order: CreditOrder): Promise<string | null> {
    return this.creditWithin(this.database, order);
  }

  override async creditWithin(
    manager: Pick<EntityManager, 'query'>,
    order: CreditOrder,
  ): Promise<string | null> {
    const [row] = await manager.query<{ entry_id: string | null }[]>(CREDIT, [
      newId(),
      order.accountId,
      order.type,
      order.amountNanoUsd.toString(),
      order.description,
      order.referenceId,
      order.requestId,
      order.now,
      order.operation ?? null,
    ]);
    return row?.entry_id ?? null;
  }

  override async sweep(now: Date): Promise<number> {
    const overdue = [...this.calls.values()].filter(
      ({ order, end }) => end === null && order.leaseUntil <= now,
    );
    const ended = await Promise.all(overdue.map((held) => this.endFree(held, 'expired', now)));
    return ended.filter(Boolean).length + (await this.silent.end());
  }

  override endSilent(accountId: string): Promise<void> {
    return this.silent.endHolders(accountId);
  }

  override async show(accountId: string | null): Promise<void> {
    const isOfAccount = ({ order }: ReservedCall) => accountId === null || order.accountId === accountId;
    const hidden = [...this.hidden.values()].filter((held) => held.end === null && isOfAccount(held));
    const ending = [...this.calls.values()].filter((held) => held.end !== null && isOfAccount(held));
    const leases = [...this.lending.leases.of(accountId)];
    const isDone = () =>
      hidden.every((held) => held.shown === 'yes' || held.end !== null || held.isLost) &&
      ending.every(({ order }) => !this.calls.has(order.callId)) &&
      // Leases of refused calls are being given back.
      leases.every((lease) => !lease.isExact || lease.isGivenBack);
    hidden.forEach((held) => this.showOne(held));
    if (!isDone()) {
      await this.flusher.until(isDone, RESERVED_WITHIN_MS);
    }
  }

  override async balance(accountId: string): Promise<Balance> {
    await this.show(accountId);
    const [row]: StoredRow<Balance>[] = await this.database.query(BALANCE, [accountId]);
    if (!row) {
      throw new NotFound('account');
    }
    return withBigints(row, 'balanceNanoUsd', 'reservedNanoUsd');
  }

  /** Gives all leases back, so that nobody waits for this process to count as dead. */
  async onApplicationShutdown(): Promise<void> {
    const isEmpty = () => this.flusher.size === 0 && this.lending.waiting === 0;
    const giveBack = () => this.lending.giveBack(null);
    await this.flusher
      .until(isEmpty, EMPTIED_WITHIN_MS)
      .then(giveBack)
      .catch(() => undefined);
    clearInterval(this.timer);
    await this.flusher.stop();
  }

  ended(held: ReservedCall, chargedNanoUsd: bigint, balanceNanoUsd: bigint, isTakenOver: boolean): void {
    const { lease, excess, end } = held;
    const fromLeaseNanoUsd = (end?.chargeNanoUsd ?? 0n) - (excess?.nanoUsd ?? 0n);
    lease.heldNanoUsd -= fromLeaseNanoUsd;
    if (excess) {
      excess.lease.heldNanoUsd -= excess.nanoUsd;
    }
    if (isTakenOver) {
      this.flusher.touch(lease);
      if (excess) {
        this.flusher.touch(excess.lease);
      }
    } else {
      lease.totalNanoUsd -= fromLeaseNanoUsd;
      if (excess) {
        excess.lease.totalNanoUsd -= excess.nanoUsd;
      }
    }
    this.calls.delete(held.order.callId);
    this.hidden.delete(held.order.callId);
    end?.resolve({ verdict: isTakenOver ? 'gone' : 'settled', chargedNanoUsd, balanceNanoUsd });
  }

  notEnded(held: ReservedCall, error: unknown): void {
    const { end, lease, excess } = held;
    if (end) {
      lease.heldNanoUsd += unspent(held, end);
    }
    if (end && !excess && end.chargeNanoUsd > held.order.amountNanoUsd) {
      lease.heldNanoUsd -= end.chargeNanoUsd - held.order.amountNanoUsd;
    }
    if (excess) {
      excess.lease.heldNanoUsd -= excess.nanoUsd;
      held.excess = null;
      this.flusher.touch(excess.lease);
    }
    held.end = null;
    end?.fail(error);
  }

  /** The caller got no outcome and nothing was charged: release the call for good. */
  abandoned(held: ReservedCall): void {
    const { now } = held.end?.order ?? held.order;
    this.notEnded(held, new DatabaseAway());
    void this.endFree(held, 'released', now);
  }

  shown(held: ReservedCall, isShown: boolean): void {
    held.shown = isShown ? 'yes' : 'no';
    this.hidden.delete(held.order.callId);
  }

  fenced(processId: string): Promise<void> {
    return this.register.renew(processId);
  }

  /** Others have ended this process and its calls. The flush under way reports the ends it carries. */
  private lose(): void {
    this.logger.warn({ message: 'calls in flight end without a charge', count: this.calls.size });
    this.flusher.clear().forEach(endLost);
    for (const held of this.calls.values()) {
      held.isLost = true;
    }
    this.calls.clear();
    this.hidden.clear();
    this.lending.lose();
  }

  private hold(lease: Lease, order: ReserveOrder): void {
    const beganAtMs = performance.now();
    const held: ReservedCall = {
      order,
      lease,
      excess: null,
      shown: 'no',
      end: null,
      isLost: false,
      beganAtMs,
    };
    lease.hold(order.amountNanoUsd, beganAtMs);
    this.calls.set(order.callId, held);
    this.hidden.set(order.callId, held);
  }

  private async takeExcess(held: ReservedCall, { chargeNanoUsd, now }: SettleOrder): Promise<bigint> {
    const { lease, order } = held;
    const wantedNanoUsd = chargeNanoUsd - order.amountNanoUsd;
    if (this.register.isHeard && lease.hasRoomBeyond(order, chargeNanoUsd, now)) {
      lease.hold(wantedNanoUsd, performance.now());
      return wantedNanoUsd;
    }
    held.excess = await this.lending.askExcess(order, {
      wantedNanoUsd: wantedNanoUsd < EXCESS_MAX ? wantedNanoUsd : EXCESS_MAX,
      reservedNanoUsd: order.amountNanoUsd,
      nowMs: now.getTime(),
      deadlineMs: performance.now() + ENDED_WITHIN_MS.settled,
    });
    return held.excess.nanoUsd;
  }

  private async afterFirst(first: CallEnd, order: SettleOrder): Promise<Settlement> {
    const settled = await resultWithin(ENDED_WITHIN_MS[order.outcome], first.outcome, () => {
      throw new DatabaseAway();
    });
    if (!settled) {
      return this.settle(order);
    }
    const isSame =
      first.order.outcome === order.outcome && settled.verdict === 'settled' && order.outcome !== 'expired';
    return isSame ? settled : { ...GONE_SETTLEMENT, balanceNanoUsd: settled.balanceNanoUsd };
  }

  /** The call has ended, or its process was ended. */
  private async endedBefore({ callId, accountId, outcome }: SettleOrder): Promise<Settlement> {
    const [row]: { charged_nano: string | null; balance_nano: string }[] = await this.database.query(
      ENDED_BEFORE,
      [callId, accountId, outcome],
    );
    const isSame = row !== undefined && row.charged_nano !== null && outcome !== 'expired';
    return {
      verdict: isSame ? 'settled' : 'gone',
      chargedNanoUsd: BigInt(row?.charged_nano ?? 0),
      balanceNanoUsd: BigInt(row?.balance_nano ?? 0),
    };
  }

  private async endFree(held: ReservedCall, outcome: 'expired' | 'released', now: Date): Promise<boolean> {
    const { callId, accountId } = held.order;
    const nothing = { chargeNanoUsd: 0n, status: null, inputTokens: 0, outputTokens: 0, answer: null };
    try {
      const { verdict } = await this.settle({ callId, accountId, outcome, now, ...nothing });
      return verdict === 'settled';
    } catch (error) {
      this.logger.error({ message: 'a reservation could not be ended', callId, error: String(error) });
      return false;
    }
  }

  private showOne(held: ReservedCall): void {
    if (held.shown === 'no') {
      held.shown = 'soon';
      this.flusher.begin(held);
    }
  }

  private look(): void {
    const nowMs = performance.now();
    for (const held of this.hidden.values()) {
      if (nowMs - held.beganAtMs < SHOWN_AFTER_MS) {
        break;
      }
      this.showOne(held);
    }
    this.lending.rejectOverdue(nowMs);
    this.flusher.failUnsent(nowMs);
    this.giveUpOverdue(nowMs);
    if (nowMs >= this.tidiedAtMs + TIDIED_EVERY_MS) {
      this.tidiedAtMs = nowMs;
      this.lending.tidy(nowMs);
    }
  }

  private giveUpOverdue(nowMs: number): void {
    for (const { end } of this.flusher.unanswered()) {
      if (end && !end.isGivenUp && end.deadlineMs <= nowMs) {
        end.isGivenUp = true;
        end.giveUp(new DatabaseAway());
      }
    }
  }
}
