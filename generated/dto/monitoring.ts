// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsString } from 'class-validator';
import { HasFormat } from '../../src/contract/constraints/has-format';
import { MayBeAbsent } from '../../src/contract/constraints/may-be-absent';
import type * as types from '../types';

/** The query of GET /api/monitoring/usage. */
export class GetUsageQuery implements types.GetUsageQuery {
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

/** The query of GET /api/monitoring/costs. */
export class GetCostsQuery implements types.GetCostsQuery {
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

/** The query of GET /api/monitoring/keys/{key_id}/usage. */
export class GetKeyUsageQuery implements types.GetKeyUsageQuery {
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
