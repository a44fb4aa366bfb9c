// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsIn, IsInt, IsNumber, IsString, Max, Min } from 'class-validator';
import { FromText } from '../../src/contract/constraints/from-text';
import { HasCodePoints } from '../../src/contract/constraints/has-code-points';
import { HasFormat } from '../../src/contract/constraints/has-format';
import { MayBeAbsent } from '../../src/contract/constraints/may-be-absent';
import type * as types from '../types';

export class AddCreditsRequest implements types.AddCreditsRequest {
  /** The account that receives the credits. */
  @HasFormat('uuid')
  @IsString()
  user_id!: string;

  /** USD, in steps of 0.000000001. */
  @Max(1000000)
  @Min(1e-9)
  @IsNumber()
  amount_usd!: number;

  /** Shown in the transaction. */
  @HasCodePoints({ min: 1, max: 500 })
  @IsString()
  reason!: string;
}

/** The query of GET /api/payments/transactions. */
export class ListTransactionsQuery implements types.ListTransactionsQuery {
  /** How many records to return. */
  @FromText('integer')
  @Max(100)
  @Min(1)
  @IsInt()
  limit: number = 20;

  /** How many records to skip. */
  @FromText('integer')
  @Max(100000)
  @Min(0)
  @IsInt()
  offset: number = 0;

  /** The field that orders the list. */
  @IsIn(['created_at', 'amount'])
  @IsString()
  sort: 'created_at' | 'amount' = 'created_at';

  /** The direction of the sort. */
  @IsIn(['asc', 'desc'])
  @IsString()
  order: 'asc' | 'desc' = 'desc';

  /** Only what happened at or after this time. */
  @MayBeAbsent()
  @HasFormat('date-or-date-time')
  @IsString()
  start_date?: string;

  /** Only what happened before this time; a date without a time includes that day. */
  @MayBeAbsent()
  @HasFormat('date-or-date-time')
  @IsString()
  end_date?: string;

  /** Only transactions of this status. */
  @MayBeAbsent()
  @IsIn(['posted'])
  @IsString()
  status?: 'posted';

  /** Only transactions of this type. */
  @MayBeAbsent()
  @IsIn(['deposit', 'charge', 'refund', 'adjustment', 'bonus'])
  @IsString()
  type?: 'deposit' | 'charge' | 'refund' | 'adjustment' | 'bonus';
}

/** The query of GET /api/payments/transactions/stats. */
export class GetTransactionStatsQuery implements types.GetTransactionStatsQuery {
  /** Only what happened at or after this time. */
  @MayBeAbsent()
  @HasFormat('date-or-date-time')
  @IsString()
  start_date?: string;

  /** Only what happened before this time; a date without a time includes that day. */
  @MayBeAbsent()
  @HasFormat('date-or-date-time')
  @IsString()
  end_date?: string;
}
