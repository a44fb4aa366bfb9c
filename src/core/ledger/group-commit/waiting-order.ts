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
