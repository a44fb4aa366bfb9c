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
 * The SQL for a question about an account's entries, and its parameters. Entries have no index on their time. The sums
 * of each hour say between which positions the entries of that hour lie, and the index on positions finds them.
 */
export class LedgerQuestion {
  readonly values: unknown[] = [];
  private readonly account: string;
  private readonly type: string;

  constructor(private readonly filter: TransactionFilter) {
    this.account = this.bind(filter.accountId);
    this.type = filter.type === undefined ? '' : `AND type = ${this.bind(filter.type)}`;
  }

  /** Adds a parameter and returns its placeholder, such as `$3`. */
  bind(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** The SQL condition for the entries that meet the filter. */
  inPeriod(): string {
    const { start, end } = this.filter.period;
    if (start === null && end === null) {
      return this.ofAccount();
    }
    return this.inSpan({ start: start ?? '-infinity', end: end ?? 'infinity' });
  }

  /** A query with the columns type, entries and amount_nano, whose rows add up to the entries that meet the filter. */
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

  /**
   * Entries that are no charges have an index of their own. Postgres uses it only where the condition excludes charges.
   */
  private ofAccount(): string {
    const isOther = this.filter.type !== undefined && this.filter.type !== 'charge';
    return `account_id = ${this.account} ${this.type} ${isOther ? "AND type <> 'charge'" : ''}`;
  }

  private within(column: string, { start, end }: Span): string {
    return `${column} >= ${this.bind(start)}::timestamptz AND ${column} < ${this.bind(end)}::timestamptz`;
  }
}
