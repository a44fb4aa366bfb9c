// Generated from openapi/ by `npm run generate`. Do not edit.
import { ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/matches-schema';
import type * as types from '../types';

@MatchesSchema('GetUsageQuery', { fromText: true })
export class GetUsageQuery implements types.GetUsageQuery {
  /** Only what happened at or after this time. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GetUsageQuery/properties/start_date')
  start_date?: types.GetUsageQuery['start_date'];

  /** Only what happened before this time; a date without a time includes that day. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GetUsageQuery/properties/end_date')
  end_date?: types.GetUsageQuery['end_date'];
}

@MatchesSchema('GetCostsQuery', { fromText: true })
export class GetCostsQuery implements types.GetCostsQuery {
  /** Only what happened at or after this time. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GetCostsQuery/properties/start_date')
  start_date?: types.GetCostsQuery['start_date'];

  /** Only what happened before this time; a date without a time includes that day. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GetCostsQuery/properties/end_date')
  end_date?: types.GetCostsQuery['end_date'];
}

@MatchesSchema('GetKeyUsageQuery', { fromText: true })
export class GetKeyUsageQuery implements types.GetKeyUsageQuery {
  /** Only what happened at or after this time. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GetKeyUsageQuery/properties/start_date')
  start_date?: types.GetKeyUsageQuery['start_date'];

  /** Only what happened before this time; a date without a time includes that day. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GetKeyUsageQuery/properties/end_date')
  end_date?: types.GetKeyUsageQuery['end_date'];
}
