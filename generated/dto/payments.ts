// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsIn, IsInt, IsNumber, IsString, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('AddCreditsRequest')
export class AddCreditsRequest implements types.AddCreditsRequest {
  /** The account that receives the credits. */
  @MatchesSchema('AddCreditsRequest/properties/user_id')
  user_id!: types.AddCreditsRequest['user_id'];

  /** USD, in steps of 0.000000001. */
  @Min(1e-9)
  @Max(1000000)
  @IsNumber()
  amount_usd!: number;

  /** Shown in the transaction. */
  @MatchesSchema('AddCreditsRequest/properties/reason')
  reason!: types.AddCreditsRequest['reason'];
}

@MatchesSchema('ListTransactionsQuery', { fromText: true })
export class ListTransactionsQuery implements types.ListTransactionsQuery {
  /** How many records to return. */
  @Min(1)
  @Max(100)
  @IsInt()
  limit: number = 20;

  /** How many records to skip. */
  @Min(0)
  @Max(100000)
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

  /** Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListTransactionsQuery/properties/start_date')
  start_date?: types.ListTransactionsQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListTransactionsQuery/properties/end_date')
  end_date?: types.ListTransactionsQuery['end_date'];

  /** Only transactions of this status. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['posted'])
  @IsString()
  status?: 'posted';

  /** Only transactions of this type. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['deposit', 'charge', 'refund', 'adjustment', 'bonus'])
  @IsString()
  type?: 'deposit' | 'charge' | 'refund' | 'adjustment' | 'bonus';
}

@MatchesSchema('GetTransactionStatsQuery', { fromText: true })
export class GetTransactionStatsQuery implements types.GetTransactionStatsQuery {
  /** Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GetTransactionStatsQuery/properties/start_date')
  start_date?: types.GetTransactionStatsQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GetTransactionStatsQuery/properties/end_date')
  end_date?: types.GetTransactionStatsQuery['end_date'];
}

@MatchesSchema('ListPaymentsQuery', { fromText: true })
export class ListPaymentsQuery implements types.ListPaymentsQuery {
  /** How many records to return. */
  @Min(1)
  @Max(100)
  @IsInt()
  limit: number = 20;

  /** How many records to skip. */
  @Min(0)
  @Max(100000)
  @IsInt()
  offset: number = 0;

  /** The field that orders the list. */
  @IsIn(['created_at', 'amount_usd'])
  @IsString()
  sort: 'created_at' | 'amount_usd' = 'created_at';

  /** The direction of the sort. */
  @IsIn(['asc', 'desc'])
  @IsString()
  order: 'asc' | 'desc' = 'desc';

  /** Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListPaymentsQuery/properties/start_date')
  start_date?: types.ListPaymentsQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListPaymentsQuery/properties/end_date')
  end_date?: types.ListPaymentsQuery['end_date'];

  /** Only payments of this status. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['created', 'confirming', 'confirmed', 'failed', 'expired'])
  @IsString()
  status?: 'created' | 'confirming' | 'confirmed' | 'failed' | 'expired';

  /** Only payments in this currency. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['BTC', 'ETH', 'SOL'])
  @IsString()
  currency?: 'BTC' | 'ETH' | 'SOL';
}

@MatchesSchema('CreatePaymentRequest')
export class CreatePaymentRequest implements types.CreatePaymentRequest {
  /** What is to be credited, in USD. */
  @MatchesSchema('CreatePaymentRequest/properties/amount_usd')
  amount_usd!: types.CreatePaymentRequest['amount_usd'];

  /** A cryptocurrency. */
  @IsIn(['BTC', 'ETH', 'SOL'])
  @IsString()
  currency!: 'BTC' | 'ETH' | 'SOL';
}
