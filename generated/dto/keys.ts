// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsInt, IsNumber, IsString, Max, Min } from 'class-validator';
import { Fields } from '../../src/contract/constraints/fields';
import { FromText } from '../../src/contract/constraints/from-text';
import { HasCodePoints } from '../../src/contract/constraints/has-code-points';
import { HasFormat } from '../../src/contract/constraints/has-format';
import { MayBeAbsent } from '../../src/contract/constraints/may-be-absent';
import { MayBeNull } from '../../src/contract/constraints/may-be-null';
import type * as types from '../types';

/** The query of GET /api/keys. */
export class ListKeysQuery implements types.ListKeysQuery {
  /** How many keys to return. */
  @FromText('integer')
  @Max(100)
  @Min(1)
  @IsInt()
  limit: number = 100;

  /** How many records to skip. */
  @FromText('integer')
  @Max(100000)
  @Min(0)
  @IsInt()
  offset: number = 0;
}

export class CreateKeyRequest implements types.CreateKeyRequest {
  /** What the key is for. */
  @HasCodePoints({ min: 1, max: 100 })
  @IsString()
  name!: string;

  /** When the key stops working; null or absent means never. */
  @MayBeAbsent()
  @MayBeNull()
  @HasFormat('date-time')
  @IsString()
  expires_at?: string | null;
}

export class RotateKeyRequest implements types.RotateKeyRequest {
  /** How long the old secret stays valid beside the new one. */
  @Max(86400)
  @Min(0)
  @IsInt()
  overlap_seconds: number = 0;
}

/** A field that is absent stays as it is; null removes that limit. */
@Fields({ min: 1 })
export class SpendingLimitsRequest implements types.SpendingLimitsRequest {
  /** USD a calendar day. */
  @MayBeAbsent()
  @MayBeNull()
  @Max(1000000000)
  @Min(0)
  @IsNumber()
  daily_limit?: number | null;

  /** USD a calendar month. */
  @MayBeAbsent()
  @MayBeNull()
  @Max(1000000000)
  @Min(0)
  @IsNumber()
  monthly_limit?: number | null;

  /** USD a call. */
  @MayBeAbsent()
  @MayBeNull()
  @Max(1000000000)
  @Min(0)
  @IsNumber()
  per_request_limit?: number | null;

  /** IANA name of the zone whose calendar counts; UTC unless set. */
  @MayBeAbsent()
  @HasFormat('time-zone')
  @HasCodePoints({ max: 64 })
  @IsString()
  timezone?: string;
}
