// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsBoolean, IsIn, IsInt, IsNumber, IsOptional, IsString, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('GenerateStoryRequest')
export class GenerateStoryRequest implements types.GenerateStoryRequest {
  /** What the story is about. */
  @MatchesSchema('GenerateStoryRequest/properties/prompt')
  prompt!: types.GenerateStoryRequest['prompt'];

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateStoryRequest/properties/genre')
  genre?: types.GenerateStoryRequest['genre'];

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateStoryRequest/properties/characters')
  characters?: types.GenerateStoryRequest['characters'];

  /** How many beats an outline has, and how long prose is asked to be: about 300, 800 or 2,000 words. */
  @IsIn(['short', 'medium', 'long'])
  @IsString()
  length: 'short' | 'medium' | 'long' = 'medium';

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateStoryRequest/properties/tone')
  tone?: types.GenerateStoryRequest['tone'];

  /** Null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateStoryRequest/properties/model')
  model?: types.GenerateStoryRequest['model'];

  @IsOptional()
  @Min(0)
  @Max(2)
  @IsNumber()
  temperature?: number | null;

  /** The most output tokens; null or absent means the service's default. */
  @IsOptional()
  @Min(1)
  @Max(32768)
  @IsInt()
  max_tokens?: number | null;

  /** Whether the story arrives as server-sent events. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  stream?: boolean;

  /** Whether the embedded engine may answer in place of a failing upstream; absent means no. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  allow_degraded?: boolean;
}

@MatchesSchema('ListStoriesQuery', { fromText: true })
export class ListStoriesQuery implements types.ListStoriesQuery {
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
  @IsIn(['created_at', 'title'])
  @IsString()
  sort: 'created_at' | 'title' = 'created_at';

  /** The direction of the sort. */
  @IsIn(['asc', 'desc'])
  @IsString()
  order: 'asc' | 'desc' = 'desc';

  /** Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListStoriesQuery/properties/start_date')
  start_date?: types.ListStoriesQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListStoriesQuery/properties/end_date')
  end_date?: types.ListStoriesQuery['end_date'];
}
