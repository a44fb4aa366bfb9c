// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsIn, IsInt, IsNumber, IsOptional, IsString, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('ListKeysQuery', { fromText: true })
export class ListKeysQuery implements types.ListKeysQuery {
  /** How many keys to return. */
  @Min(1)
  @Max(100)
  @IsInt()
  limit: number = 100;

  /** How many records to skip. */
  @Min(0)
  @Max(100000)
  @IsInt()
  offset: number = 0;

  /** The field that orders the list. */
  @IsIn(['created_at', 'name'])
  @IsString()
  sort: 'created_at' | 'name' = 'created_at';

  /** The direction of the sort. */
  @IsIn(['asc', 'desc'])
  @IsString()
  order: 'asc' | 'desc' = 'desc';

  /** Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListKeysQuery/properties/start_date')
  start_date?: types.ListKeysQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListKeysQuery/properties/end_date')
  end_date?: types.ListKeysQuery['end_date'];

  /** Only keys in this state. A key that was revoked counts as revoked also after it has expired. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['active', 'revoked', 'expired'])
  @IsString()
  status?: 'active' | 'revoked' | 'expired';
}

@MatchesSchema('CreateKeyRequest')
export class CreateKeyRequest implements types.CreateKeyRequest {
  /** What the key is for. */
  @MatchesSchema('CreateKeyRequest/properties/name')
  name!: types.CreateKeyRequest['name'];

  /** When the key stops working, ISO 8601; null or absent means never. A date alone is the midnight UTC with which the day begins; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateKeyRequest/properties/expires_at')
  expires_at?: types.CreateKeyRequest['expires_at'];
}

@MatchesSchema('RotateKeyRequest')
export class RotateKeyRequest implements types.RotateKeyRequest {
  /** How long the old secret stays valid beside the new one; 0 ends it and all older ones at once. */
  @Min(0)
  @Max(86400)
  @IsInt()
  overlap_seconds: number = 0;
}

/** A field that is absent stays as it is; null removes that limit. A limit finer than 0.000000001 USD is refused (422). */
@MatchesSchema('SpendingLimitsRequest')
export class SpendingLimitsRequest implements types.SpendingLimitsRequest {
  /** USD a calendar day. */
  @IsOptional()
  @Min(0)
  @Max(1000000000)
  @IsNumber()
  daily_limit?: number | null;

  /** USD a calendar month. */
  @IsOptional()
  @Min(0)
  @Max(1000000000)
  @IsNumber()
  monthly_limit?: number | null;

  /** USD a call. */
  @IsOptional()
  @Min(0)
  @Max(1000000000)
  @IsNumber()
  per_request_limit?: number | null;

  /** IANA name of the zone whose calendar counts; UTC unless set. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('SpendingLimitsRequest/properties/timezone')
  timezone?: types.SpendingLimitsRequest['timezone'];
}
