import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { PaymentEvents } from './payment-events';
import { PAYMENT_COLUMNS, paymentOf, type PaymentRow } from './payment-rows';

/** How long nobody must have looked at a payment before its chain counts as gone. */
const UNSEEN_FOR_MS = 24 * 60 * 60 * 1000;
const ENDED_AT_ONCE_MAX = 500;

/**
 * Ends payments that nothing can end any more: their watch is over, and their chain is looked at no longer, as after a change
 * of the key or the network. They would stay open for ever.
 */
@Injectable()
export class DesertedPayments {
  constructor(
    private readonly database: DataSource,
    private readonly events: PaymentEvents,
  ) {}

  /** @returns how many it has ended, 500 at most; safe on any number of replicas at once */
  async end(now: Date): Promise<number> {
    return this.database.transaction(async (manager) => {
      const unseenSince = new Date(now.getTime() - UNSEEN_FOR_MS);
      const rows: PaymentRow[] = await manager.query(DESERTED, [now, unseenSince, ENDED_AT_ONCE_MAX]);
      for (const row of rows) {
        await this.expire(manager, row, now);
      }
      return rows.length;
    });
  }

  private async expire(manager: EntityManager, row: PaymentRow, now: Date): Promise<void> {
    const isOpen = row.status === 'created' || row.status === 'confirming';
    const status = isOpen ? 'expired' : row.status;
    await manager.query(END, [row.id, status]);
    if (isOpen) {
      const payment = { ...paymentOf(row), status };
      await this.events.tell(manager, payment, [{ type: 'expired' }], {
        entryId: null,
        now,
        operation: null,
      });
    }
  }
}

const DESERTED = `
  SELECT ${PAYMENT_COLUMNS} FROM payments AS p
  WHERE p.is_active AND p.watch_until < $1 AND p.looked_at < $2
  ORDER BY p.id LIMIT $3 FOR NO KEY UPDATE OF p SKIP LOCKED`;

const END = 'UPDATE payments SET status = $2, is_active = false, version = version + 1 WHERE id = $1';
