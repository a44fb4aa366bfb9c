import { ServiceUnavailable } from '../../../errors/service-errors';
import type { ReserveOrder, ReserveVerdict, SettleOrder, Settlement } from '../ledger';

interface Waiting<Order, Answer> {
  order: Order;
  /** On the process's monotonic clock; later the caller is told that the ledger could not be reached. */
  deadlineMs: number;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

export interface WaitingReserve extends Waiting<ReserveOrder, ReserveVerdict> {
  kind: 'reserve';
}

export interface WaitingSettle extends Waiting<SettleOrder, Settlement> {
  kind: 'settle';
}

export type WaitingOrder = WaitingReserve | WaitingSettle;

/** What one flush carries. */
export interface Batch {
  settles: WaitingSettle[];
  reserves: WaitingReserve[];
}

/** All orders of a batch, in the sequence in which a flush carries them out. */
export function ordersOf({ settles, reserves }: Batch): WaitingOrder[] {
  return [...settles, ...reserves];
}

/** Orders as a batch. */
export function batchOf(orders: readonly WaitingOrder[]): Batch {
  return {
    settles: orders.filter((waiting) => waiting.kind === 'settle'),
    reserves: orders.filter((waiting) => waiting.kind === 'reserve'),
  };
}

/** @param nowMs on the process's monotonic clock */
export function isOverdue(waiting: WaitingOrder, nowMs: number): boolean {
  return waiting.deadlineMs <= nowMs;
}

/** Answers an order that waited too long. Should its reservation be durable after all, the call's release ends it. */
export function tellOverdue(waiting: WaitingOrder): void {
  waiting.reject(new ServiceUnavailable('The ledger cannot be reached; call again.', 1));
}
