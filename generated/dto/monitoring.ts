// Generated from openapi/ by `npm run generate`. Do not edit.
import { ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('GetUsageQuery', { fromText: true })
export class GetUsageQuery implements types.GetUsageQuery {
  /** Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GetUsageQuery/properties/start_date')
  start_date?: types.GetUsageQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GetUsageQuery/properties/end_date')
  end_date?: types.GetUsageQuery['end_date'];
}

@MatchesSchema('GetCostsQuery', { fromText: true })
export class GetCostsQuery implements types.GetCostsQuery {
  /** Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GetCostsQuery/properties/start_date')
  start_date?: types.GetCostsQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GetCostsQuery/properties/end_date')
  end_date?: types.GetCostsQuery['end_date'];
}

@MatchesSchema('GetKeyUsageQuery', { fromText: true })
export class GetKeyUsageQuery implements types.GetKeyUsageQuery {
  /** Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GetKeyUsageQuery/properties/start_date')
  start_date?: types.GetKeyUsageQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GetKeyUsageQuery/properties/end_date')
  end_date?: types.GetKeyUsageQuery['end_date'];
}
