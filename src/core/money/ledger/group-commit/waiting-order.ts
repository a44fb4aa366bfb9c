import { DatabaseAway } from '../../../errors/service-errors';
import type { ReserveOrder, ReserveVerdict, SettleOrder, Settlement } from '../ledger';

/** An order, and how to answer the call that waits for it. */
interface Waiting<Order, Answer> {
  order: Order;
  /** On the process's monotonic clock. After it the caller is told that the ledger cannot be reached. */
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

/** All orders of a batch, in the order in which a flush carries them out. */
export function ordersOf({ settles, reserves }: Batch): WaitingOrder[] {
  return [...settles, ...reserves];
}

/** The same orders as a batch. */
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

/** Rejects the orders whose deadline is over and returns the others. */
export function stillInTime<Order extends WaitingOrder>(orders: readonly Order[]): Order[] {
  const nowMs = performance.now();
  orders.filter((waiting) => isOverdue(waiting, nowMs)).forEach(tellOverdue);
  return orders.filter((waiting) => !isOverdue(waiting, nowMs));
}

/**
 * Rejects an order that waited too long. Its reservation may become durable after all: then the call's release ends it,
 * or the sweep once its lease is over.
 */
export function tellOverdue(waiting: WaitingOrder): void {
  waiting.reject(new DatabaseAway());
}
