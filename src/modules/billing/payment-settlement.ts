import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Configuration } from '../../config/configuration';
import { AccountDatabases } from '../../database/account-databases';
import { Ledger } from '../../ledger/ledger';
import { Clock } from '../../runtime/clock';
import { snakeCase } from '../../runtime/json';
import { ConfirmationRules, watchedAfter } from './payment-policy';
import {
  isActive,
  isSameState,
  type Look,
  type Payment,
  type PaymentRules,
  type PaymentTransfer,
} from './payment';
import { PaymentEvents } from './payment-record';
import { lockedPayment, PAYMENT_COLUMNS, paymentsOf, type PaymentRow } from './payments.repository';
import { reduce, type ReducedPayment, type Transition } from './reducer';

/** `stale`: another replica has changed the payment since it was read. */
export type Applied = 'unchanged' | 'changed' | 'stale';

/** In polls: a transfer seen this long after the payment's time was sent in time. */
const SLACK_POLLS = 2;

/** After which a payment's chain counts as gone. */
const UNSEEN_FOR_MS = 24 * 60 * 60 * 1000;
const ENDED_AT_ONCE_MAX = 500;

/** State, credit and events are one transaction. A payment changed since it was read stays: the look may be older. */
@Injectable()
export class PaymentSettlement {
  private readonly slackMs: number;

  constructor(
    private readonly databases: AccountDatabases,
    private readonly ledger: Ledger,
    private readonly events: PaymentEvents,
    private readonly rules: ConfirmationRules,
    private readonly clock: Clock,
    configuration: Configuration,
  ) {
    this.slackMs = SLACK_POLLS * configuration.paymentPollSeconds * 1000;
  }

  async apply(read: Payment, look: Look, operation: string | null): Promise<Applied> {
    // Most looks bring nothing new; these cost no transaction.
    if (isSameState(read, this.reduced(read, look).state)) {
      return 'unchanged';
    }
    return this.databases.of(read.accountId).transaction(async (manager) => {
      const payment = await lockedPayment(manager, read.id);
      if (payment?.version !== read.version) {
        return 'stale';
      }
      const foreign = await this.foreignTransfers(manager, payment, look);
      const own = { ...look, sightings: look.sightings.filter(({ id }) => !foreign.has(id)) };
      const reduced = this.reduced(payment, own);
      if (isSameState(payment, reduced.state)) {
        return 'unchanged';
      }
      await this.store(manager, payment, reduced, operation);
      return 'changed';
    });
  }

  /** Of chains no longer watched, at most 500 of a schema; safe on any number of replicas. */
  async endDeserted(now: Date): Promise<number> {
    return this.databases.sumInEach((database) =>
      database.transaction((manager) => this.endDesertedOf(manager, now)),
    );
  }

  private async endDesertedOf(manager: EntityManager, now: Date): Promise<number> {
    const unseenSince = new Date(now.getTime() - UNSEEN_FOR_MS);
    const rows: PaymentRow[] = await manager.query(DESERTED, [now, unseenSince, ENDED_AT_ONCE_MAX]);
    for (const payment of await paymentsOf(manager, rows)) {
      await this.expire(manager, payment, now);
    }
    return rows.length;
  }

  private async expire(manager: EntityManager, payment: Payment, now: Date): Promise<void> {
    const isOpen = payment.status === 'created' || payment.status === 'confirming';
    const status = isOpen ? 'expired' : payment.status;
    await manager.query(END, [payment.id, status, watchedAfter(now)]);
    if (isOpen) {
      await this.events.publish(manager, { ...payment, status }, [{ type: 'expired' }], {
        entryId: null,
        now,
        operation: null,
      });
    }
  }

  /** A reason that a person has already seen is not raised again. */
  private reduced(payment: Payment, look: Look): ReducedPayment {
    const isKnown = look.review !== null && payment.review.reason?.includes(look.review);
    const review = isKnown ? null : look.review;
    const rules: PaymentRules = {
      requiredFor: (amountNanoUsd) => this.rules.requiredFor(payment.currency, amountNanoUsd),
      inTimeSlackMs: this.slackMs,
    };
    return reduce(payment, payment, { ...look, review }, rules);
  }

  private async foreignTransfers(manager: EntityManager, payment: Payment, look: Look): Promise<Set<string>> {
    const known = new Set(payment.transfers.map(({ id }) => id));
    const unknown = look.sightings.map(({ id }) => id).filter((id) => !known.has(id));
    const rows: { transfer_id: string }[] =
      unknown.length === 0
        ? []
        : await manager.query(FOREIGN, [payment.currency, payment.network, unknown, payment.id]);
    return new Set(rows.map(({ transfer_id }) => transfer_id));
  }

  private async store(
    manager: EntityManager,
    payment: Payment,
    { state, transitions }: ReducedPayment,
    operation: string | null,
  ): Promise<void> {
    const now = this.clock.now();
    const changed: Payment = { ...payment, ...state };
    // Lock order: the payment's row, then the ledger's balance.
    const entryIds: string[] = [];
    for (const transition of transitions) {
      if (transition.type === 'credit') {
        entryIds.push(await this.credit(manager, changed, transition, now, operation));
      }
    }
    await manager.query(UPDATE, parametersOf(changed, transitions, now));
    const { transfers } = payment;
    for (const transfer of changed.transfers.filter((one, i) => !isDeepStrictEqual(one, transfers[i]))) {
      await this.storeTransfer(manager, changed, transfer);
    }
    await this.events.publish(manager, changed, transitions, {
      entryId: entryIds[0] ?? null,
      now,
      operation,
    });
  }

  private async credit(
    manager: EntityManager,
    payment: Payment,
    transition: Extract<Transition, { type: 'credit' }>,
    now: Date,
    operation: string | null,
  ): Promise<string> {
    const { ordinal } = transition;
    const entryId = await this.ledger.creditWithin(manager, {
      accountId: payment.accountId,
      type: 'deposit',
      amountNanoUsd: transition.amountNanoUsd,
      description: `${payment.currency} payment`,
      referenceId: ordinal === 1 ? `payment:${payment.id}` : `payment:${payment.id}:${ordinal}`,
      requestId: null,
      now,
      operation,
    });
    if (entryId === null) {
      throw new Error(`payment ${payment.id} belongs to no account with a balance`);
    }
    for (const transfer of payment.transfers) {
      if (transition.transferIds.includes(transfer.id)) {
        transfer.entryId = entryId;
      }
    }
    return entryId;
  }

  /** @throws Error when another payment claims the transfer at this moment; the next look finds it claimed */
  private async storeTransfer(
    manager: EntityManager,
    payment: Payment,
    transfer: PaymentTransfer,
  ): Promise<void> {
    const { id, amountBase, firstSeenAt, creditedNanoUsd } = transfer;
    const values = TRANSFER.map((name) => transfer[name]);
    const once = [payment.currency, payment.network, id, payment.id, amountBase, firstSeenAt];
    const stored: unknown[] = await manager.query(STORE_TRANSFER, [...once, creditedNanoUsd, ...values]);
    if (stored.length === 0) {
      throw new Error(`transfer ${transfer.id} belongs to another payment`);
    }
  }
}

const FOREIGN = `
  SELECT transfer_id FROM payment_transfers
  WHERE currency = $1 AND network = $2 AND transfer_id = ANY($3::text[]) AND payment_id <> $4`;

const STATE = [
  ...(['status', 'failureReason', 'credits', 'creditedBase', 'receivedBase', 'confirmations'] as const),
  ...(['requiredConfirmations', 'txHash', 'isUnderpaid', 'isOverpaid', 'isLate', 'wasConfirming'] as const),
  ...(['detectedAt', 'confirmedAt', 'watchUntil'] as const),
];

const UPDATE = `
  UPDATE payments SET ${STATE.map((name, at) => `${snakeCase(name)} = $${at + 6}`).join(', ')},
    credited_nano = $2, is_active = $3, version = version + 1,
    review_needed = review_needed OR $4::text IS NOT NULL, review_reason = coalesce($4, review_reason),
    review_since = CASE WHEN $4::text IS NULL OR review_needed THEN review_since ELSE $5::timestamptz END
  WHERE id = $1`;

const TRANSFER = ['txHash', 'state', 'confirmations', 'isFinal', 'blockTime', 'isLate', 'entryId'] as const;
const TRANSFER_COLUMNS = TRANSFER.map(snakeCase);

const STORE_TRANSFER = `
  INSERT INTO payment_transfers AS t (currency, network, transfer_id, payment_id, amount_base, first_seen_at,
    credited_nano, ${TRANSFER_COLUMNS.join(', ')})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
  ON CONFLICT (currency, network, transfer_id) DO UPDATE SET credited_nano = excluded.credited_nano,
    ${TRANSFER_COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}
  WHERE t.payment_id = excluded.payment_id
  RETURNING t.transfer_id`;

function parametersOf(payment: Payment, transitions: readonly Transition[], now: Date): unknown[] {
  const review = transitions.find((transition) => transition.type === 'review');
  const { id, creditedNanoUsd } = payment;
  const state = STATE.map((name) => payment[name]);
  return [id, creditedNanoUsd, isActive(payment), review?.reason ?? null, now, ...state];
}

const DESERTED = `
  SELECT ${PAYMENT_COLUMNS} FROM payments AS p
  WHERE p.is_active AND p.watch_until < $1 AND p.looked_at < $2
  ORDER BY p.id LIMIT $3 FOR NO KEY UPDATE OF p SKIP LOCKED`;

// As after any other end: coins that came while the node was away for days are found once it is back.
const END = `
  UPDATE payments SET status = $2, is_active = false, watch_until = $3, version = version + 1 WHERE id = $1`;
