// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsBoolean, IsIn, IsInt, IsNumber, IsString, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/matches-schema';
import type * as types from '../types';

@MatchesSchema('ListUsersQuery', { fromText: true })
export class ListUsersQuery implements types.ListUsersQuery {
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
  @IsIn(['created_at', 'email', 'username'])
  @IsString()
  sort: 'created_at' | 'email' | 'username' = 'created_at';

  /** The direction of the sort. */
  @IsIn(['asc', 'desc'])
  @IsString()
  order: 'asc' | 'desc' = 'desc';

  /** Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListUsersQuery/properties/start_date')
  start_date?: types.ListUsersQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListUsersQuery/properties/end_date')
  end_date?: types.ListUsersQuery['end_date'];

  /** Only accounts of this status; those of a disabled one have `is_active` false. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['active', 'disabled'])
  @IsString()
  status?: 'active' | 'disabled';

  /** Only accounts whose e-mail address or username contains this text. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListUsersQuery/properties/search')
  search?: types.ListUsersQuery['search'];
}

/** A field that is absent stays as it is. */
@MatchesSchema('UpdateUserRequest')
export class UpdateUserRequest implements types.UpdateUserRequest {
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['free', 'basic', 'pro', 'enterprise'])
  @IsString()
  tier?: 'free' | 'basic' | 'pro' | 'enterprise';

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('UpdateUserRequest/properties/rate_limits')
  rate_limits?: types.UpdateUserRequest['rate_limits'];

  /** False disables the account: all its credentials are refused. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  is_active?: boolean;
}

@MatchesSchema('ListAllPaymentsQuery', { fromText: true })
export class ListAllPaymentsQuery implements types.ListAllPaymentsQuery {
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
  @MatchesSchema('ListAllPaymentsQuery/properties/start_date')
  start_date?: types.ListAllPaymentsQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListAllPaymentsQuery/properties/end_date')
  end_date?: types.ListAllPaymentsQuery['end_date'];

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

  /** Only payments of this account. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListAllPaymentsQuery/properties/user_id')
  user_id?: types.ListAllPaymentsQuery['user_id'];

  /** Only payments that a person has to look at, or only the others. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  needs_review?: boolean;
}

@MatchesSchema('ResolvePaymentRequest')
export class ResolvePaymentRequest implements types.ResolvePaymentRequest {
  /** What was decided; shown in the transaction. */
  @MatchesSchema('ResolvePaymentRequest/properties/note')
  note!: types.ResolvePaymentRequest['note'];

  /** By how much the balance is changed, in USD; negative takes credits. */
  @Min(-1000000)
  @Max(1000000)
  @IsNumber()
  adjust_usd: number = 0;
}
