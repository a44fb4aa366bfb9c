import { randomUUID } from 'node:crypto';
import {
  type PaymentPlace,
  type TransferSighting,
  type WatchedPayment,
} from '../../../src/modules/billing/payment-chain';

/** A new payment at a place, as a watcher would give it to the chain. */
export function watched(place: PaymentPlace, more: Partial<WatchedPayment> = {}): WatchedPayment {
  return {
    id: randomUUID(),
    derivationIndex: null,
    createdAt: new Date(),
    transfers: [],
    ...place,
    ...more,
  };
}

/** The payment as it is watched after a look: with what the look has found. */
export function afterLook(
  payment: WatchedPayment,
  transfers: readonly TransferSighting[] = [],
  firstSeenAt = new Date(),
): WatchedPayment {
  const earlier = new Map(payment.transfers.map((transfer) => [transfer.id, transfer.firstSeenAt]));
  return {
    ...payment,
    transfers: transfers.map((transfer) => ({
      ...transfer,
      firstSeenAt: earlier.get(transfer.id) ?? firstSeenAt,
    })),
  };
}
