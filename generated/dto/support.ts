// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsIn, IsInt, IsString, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('NewUpgradeRequest')
export class NewUpgradeRequest implements types.NewUpgradeRequest {
  @IsIn(['basic', 'pro', 'enterprise'])
  @IsString()
  requested_tier!: 'basic' | 'pro' | 'enterprise';

  @MatchesSchema('NewUpgradeRequest/properties/reason')
  reason!: types.NewUpgradeRequest['reason'];

  @ValidateIf((_, value) => value !== undefined)
  @Min(1)
  @Max(1000000000)
  @IsInt()
  estimated_requests_per_day?: number;
}
