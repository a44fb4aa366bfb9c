import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { AdminActions, type AdminChange, type AuditedCall } from '../../accounts/admin-actions';
import { AccountDatabases } from '../../database/account-databases';
import { ProcessRegister } from '../../database/process-register';
import { Conflict, NotFound, Unprocessable } from '../../errors/api-errors';
import { Ledger } from '../../ledger/ledger';
import { formatUsd, nanoToUsd } from '../../ledger/money';
import { Clock } from '../../runtime/clock';
import { isId } from '../../runtime/ids';
import type { Payment } from './payment';
import { lockedPayment, storedPayment } from './payments.repository';
import { GONE_AFTER_CREDIT } from './reducer';

const HEX_DIGITS = 32;

/** Confirmations, blocks and finality change every 12 seconds on Ethereum, too fast for a decision. */
export function reviewVersionOf(payment: Payment): string {
  const { status, failureReason, credits, creditedNanoUsd, creditedBase, receivedBase, review } = payment;
  const seen = [
    [status, failureReason, credits, String(creditedNanoUsd), String(creditedBase), String(receivedBase)],
    [review.isNeeded, review.reason, review.since, review.resolvedAt, review.resolvedBy, review.note],
    payment.transfers.map(({ id, state, amountBase, isLate, creditedNanoUsd: credited, entryId }) => [
      id,
      state,
      String(amountBase),
      isLate,
      String(credited),
      entryId,
    ]),
  ];
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, HEX_DIGITS);
}

interface ReviewDecision {
  paymentId: string;
  note: string;
  expectedVersion: string;
  adjustNanoUsd: bigint;
}

@Injectable()
export class PaymentReviews {
  constructor(
    private readonly databases: AccountDatabases,
    private readonly ledger: Ledger,
    private readonly actions: AdminActions,
    private readonly clock: Clock,
    private readonly register: ProcessRegister,
  ) {}

  /**
   * Decision and adjustment are one transaction, refused where the payment has changed. What is unsettled is
   * settled with it, so that it is not credited once more.
   */
  async resolve(call: AuditedCall, decision: ReviewDecision): Promise<Payment> {
    if (!isId(decision.paymentId)) {
      throw new NotFound('payment');
    }
    const database = await this.databases.with('payments', decision.paymentId);
    if (decision.adjustNanoUsd < 0n) {
      await this.takeBackUnused(database, decision.paymentId);
    }
    return database.transaction(async (manager) => {
      const payment = await locked(manager, decision.paymentId);
      const change = changeOf(payment, decision);
      // Asked first: a late retry must not decide the payment's next review.
      if (await this.actions.isDone(manager, call, change)) {
        return payment;
      }
      if (!payment.review.isNeeded) {
        throw new Conflict('The payment needs no review.');
      }
      if (reviewVersionOf(payment) !== decision.expectedVersion) {
        throw new Conflict(
          'The payment has changed since it had this expected_version; read it again and decide by what it has become.',
        );
      }
      const now = this.clock.now();
      if (decision.adjustNanoUsd !== 0n) {
        await this.adjust(manager, payment, { ...decision, ...call }, now);
      }
      // Later arrivals are outside the decision and credited as always, as are those beside a lost credit.
      if (payment.review.reason !== GONE_AFTER_CREDIT) {
        await this.settleRest(manager, payment);
      }
      await manager.query(RESOLVE, [payment.id, now, call.adminId, decision.note]);
      await this.actions.record(manager, call, change);
      return locked(manager, payment.id);
    });
  }

  /** Unused credit lent to processes is available too. */
  private async takeBackUnused(database: DataSource, paymentId: string): Promise<void> {
    const payment = await storedPayment(database.manager, paymentId);
    if (payment) {
      await this.register.changing(payment.accountId, (announce) => announce(database));
    }
  }

  private async settleRest(manager: EntityManager, { id, review }: Payment): Promise<void> {
    type Settled = [rows: { amount_base: string }[], count: number];
    const [settled] = await manager.query<Settled>(SETTLE_REST, [id, review.since]);
    const settledBase = settled.reduce((sum, { amount_base: amount }) => sum + BigInt(amount), 0n);
    await manager.query(ADD_SETTLED, [id, settledBase]);
  }

  private async adjust(
    manager: EntityManager,
    payment: Payment,
    { adjustNanoUsd, note, requestId, operation }: ReviewDecision & AuditedCall,
    now: Date,
  ): Promise<void> {
    const [balance]: { available: string }[] = await manager.query(LOCK_BALANCE, [payment.accountId]);
    const availableNanoUsd = BigInt(balance?.available ?? 0);
    if (availableNanoUsd + adjustNanoUsd < 0n) {
      throw new Unprocessable(
        `The account has ${formatUsd(availableNanoUsd)} USD available; no more can be taken.`,
      );
    }
    const entryId = await this.ledger.creditWithin(manager, {
      accountId: payment.accountId,
      type: 'adjustment',
      amountNanoUsd: adjustNanoUsd,
      description: note,
      referenceId: `payment:${payment.id}:review:${payment.version}`,
      requestId,
      now,
      operation,
    });
    if (entryId === null) {
      throw new Error(`payment ${payment.id} belongs to no account with a balance`);
    }
  }
}

function changeOf({ id, accountId, review }: Payment, { note, adjustNanoUsd }: ReviewDecision): AdminChange {
  return {
    accountId,
    subjectId: id,
    reason: note,
    before: { review_needed: true, review_reason: review.reason },
    after: { review_needed: false, adjust_usd: nanoToUsd(adjustNanoUsd) },
  };
}

async function locked(manager: EntityManager, id: string): Promise<Payment> {
  const payment = await lockedPayment(manager, id);
  if (payment === null) {
    throw new NotFound('payment');
  }
  return payment;
}

const LOCK_BALANCE = `
  SELECT balance_nano - reserved_nano AS available FROM balances WHERE account_id = $1 FOR NO KEY UPDATE`;

const SETTLE_REST = `
  UPDATE payment_transfers SET credited_nano = 0
  WHERE payment_id = $1 AND credited_nano IS NULL AND state = 'included' AND first_seen_at <= $2
  RETURNING amount_base`;

const ADD_SETTLED = 'UPDATE payments SET credited_base = credited_base + $2 WHERE id = $1';

const RESOLVE = `
  UPDATE payments SET review_needed = false, review_resolved_at = $2, review_resolved_by = $3, review_note = $4,
    version = version + 1
  WHERE id = $1`;
