import type { OpenPeriod } from '../usage/period';
import { periodParts, type Span } from '../usage/period-parts';

export type TransactionType = 'deposit' | 'charge' | 'refund' | 'adjustment' | 'bonus';

export interface TransactionFilter {
  accountId: string;
  period: OpenPeriod;
  /** Any type where absent. */
  type?: TransactionType;
}

/**
 * The SQL of a question about an account's entries, and its parameters. Entries have no index on time: each hour's sums
 * say between which positions its entries lie, and the index on positions finds them.
 */
export class LedgerQuestion {
  readonly values: unknown[] = [];
  private readonly account: string;
  private readonly type: string;

  constructor(private readonly filter: TransactionFilter) {
    this.account = this.bind(filter.accountId);
    this.type = filter.type === undefined ? '' : `AND type = ${this.bind(filter.type)}`;
  }

  /** Takes a value for a parameter and returns its place in the statement. */
  bind(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** The condition that an entry meets the filter. */
  inPeriod(): string {
    const { start, end } = this.filter.period;
    if (start === null && end === null) {
      return this.ofAccount();
    }
    return this.inSpan({ start: start ?? '-infinity', end: end ?? 'infinity' });
  }

  /** A query for (type, entries, amount_nano) whose rows add up to what meets the filter. */
  sums(): string {
    const { rows, allHours } = periodParts(this.filter.period);
    const sources = [
      ...allHours.map(
        (span) => `SELECT type, entries, amount_nano FROM ledger_hours
          WHERE account_id = ${this.account} ${this.type} AND ${this.within('hour', span)}`,
      ),
      ...rows.map((span) => `SELECT type, 1, amount_nano FROM ledger_entries WHERE ${this.inSpan(span)}`),
    ];
    const nothing = `SELECT type, entries, amount_nano FROM ledger_hours WHERE ${this.ofAccount()} AND false`;
    return [nothing, ...sources].join(' UNION ALL ');
  }

  private inSpan(span: Span): string {
    const hours = `FROM ledger_hours WHERE account_id = ${this.account} ${this.type}
      AND hour > ${this.bind(span.start)}::timestamptz - interval '1 hour' AND hour < ${this.bind(span.end)}::timestamptz`;
    return `${this.ofAccount()} AND ${this.within('created_at', span)}
      AND position BETWEEN (SELECT min(first_position) ${hours}) AND (SELECT max(last_position) ${hours})`;
  }

  /** What is no charge is found by an index of its own, which Postgres takes only if the condition says so. */
  private ofAccount(): string {
    const isOther = this.filter.type !== undefined && this.filter.type !== 'charge';
    return `account_id = ${this.account} ${this.type} ${isOther ? "AND type <> 'charge'" : ''}`;
  }

  private within(column: string, { start, end }: Span): string {
    return `${column} >= ${this.bind(start)}::timestamptz AND ${column} < ${this.bind(end)}::timestamptz`;
  }
}
