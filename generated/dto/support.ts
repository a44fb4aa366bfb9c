// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { HasCodePoints } from '../../src/contract/constraints/has-code-points';
import { MayBeAbsent } from '../../src/contract/constraints/may-be-absent';
import type * as types from '../types';

export class NewUpgradeRequest implements types.NewUpgradeRequest {
  @IsIn(['basic', 'pro', 'enterprise'])
  @IsString()
  requested_tier!: 'basic' | 'pro' | 'enterprise';

  @HasCodePoints({ min: 1, max: 2000 })
  @IsString()
  reason!: string;

  @MayBeAbsent()
  @Max(1000000000)
  @Min(1)
  @IsInt()
  estimated_requests_per_day?: number;
}
