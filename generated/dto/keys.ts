// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsInt, IsNumber, IsOptional, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/matches-schema';
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
}

@MatchesSchema('CreateKeyRequest')
export class CreateKeyRequest implements types.CreateKeyRequest {
  /** What the key is for. */
  @MatchesSchema('CreateKeyRequest/properties/name')
  name!: types.CreateKeyRequest['name'];

  /** When the key stops working; null or absent means never. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateKeyRequest/properties/expires_at')
  expires_at?: types.CreateKeyRequest['expires_at'];
}

@MatchesSchema('RotateKeyRequest')
export class RotateKeyRequest implements types.RotateKeyRequest {
  /** How long the old secret stays valid beside the new one. */
  @Min(0)
  @Max(86400)
  @IsInt()
  overlap_seconds: number = 0;
}

/** A field that is absent stays as it is; null removes that limit. */
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
