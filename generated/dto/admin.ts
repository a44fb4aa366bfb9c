// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsBoolean, IsIn, IsInt, IsNumber, IsObject, IsString, Max, Min } from 'class-validator';
import { Fields } from '../../src/contract/constraints/fields';
import { FromText } from '../../src/contract/constraints/from-text';
import { HasCodePoints } from '../../src/contract/constraints/has-code-points';
import { MayBeAbsent } from '../../src/contract/constraints/may-be-absent';
import { MayBeNull } from '../../src/contract/constraints/may-be-null';
import { Nested } from '../../src/contract/constraints/nested';
import type * as types from '../types';

/** The query of GET /api/admin/users. */
export class ListUsersQuery implements types.ListUsersQuery {
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
  @IsIn(['created_at', 'email'])
  @IsString()
  sort: 'created_at' | 'email' = 'created_at';

  /** The direction of the sort. */
  @IsIn(['asc', 'desc'])
  @IsString()
  order: 'asc' | 'desc' = 'desc';

  /** Only accounts whose e-mail address or username contains this text. */
  @MayBeAbsent()
  @HasCodePoints({ min: 1, max: 254 })
  @IsString()
  search?: string;
}

/** The account's own limits; a number that is null or absent means no limit, null as a whole removes them. */
@Fields({ min: 1 })
export class CustomRateLimitsRequest implements NonNullable<types.CustomRateLimitsRequest> {
  @MayBeAbsent()
  @MayBeNull()
  @Max(1000000000)
  @Min(0.001)
  @IsNumber()
  requests_per_second?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(1000000000)
  @Min(0.001)
  @IsNumber()
  requests_per_minute?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(1000000000)
  @Min(0.001)
  @IsNumber()
  requests_per_hour?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(1000000000)
  @Min(0.001)
  @IsNumber()
  requests_per_day?: number | null;
}

/** A field that is absent stays as it is. */
@Fields({ min: 1 })
export class UpdateUserRequest implements types.UpdateUserRequest {
  @MayBeAbsent()
  @IsIn(['free', 'basic', 'pro', 'enterprise'])
  @IsString()
  tier?: 'free' | 'basic' | 'pro' | 'enterprise';

  @MayBeAbsent()
  @MayBeNull()
  @Nested(() => CustomRateLimitsRequest)
  @IsObject()
  rate_limits?: CustomRateLimitsRequest | null;

  /** False refuses every credential of the account. */
  @MayBeAbsent()
  @IsBoolean()
  is_active?: boolean;
}
