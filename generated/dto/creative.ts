// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('GenerateCreativeRequest')
export class GenerateCreativeRequest implements types.GenerateCreativeRequest {
  @IsIn(['poem', 'haiku', 'limerick', 'sonnet', 'lyrics', 'dialogue', 'monologue', 'scene', 'slogan', 'blurb'])
  @IsString()
  form!: 'poem' | 'haiku' | 'limerick' | 'sonnet' | 'lyrics' | 'dialogue' | 'monologue' | 'scene' | 'slogan' | 'blurb';

  /** What the text is about. */
  @MatchesSchema('GenerateCreativeRequest/properties/prompt')
  prompt!: types.GenerateCreativeRequest['prompt'];

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateCreativeRequest/properties/tone')
  tone?: types.GenerateCreativeRequest['tone'];

  /** For whom it is. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateCreativeRequest/properties/audience')
  audience?: types.GenerateCreativeRequest['audience'];

  /** Who appears in it; the speakers of a dialogue, in their order. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateCreativeRequest/properties/names')
  names?: types.GenerateCreativeRequest['names'];

  /** How many stanzas, turns or paragraphs; what has a fixed form, such as a haiku, keeps it. */
  @IsIn(['short', 'medium', 'long'])
  @IsString()
  length: 'short' | 'medium' | 'long' = 'medium';

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateCreativeRequest/properties/model')
  model?: types.GenerateCreativeRequest['model'];

  /** The most output tokens; null or absent means the service's default. A model's answer that does not fit is an error (502); an embedded answer is not cut, and charged no more than so many. */
  @IsOptional()
  @Min(1)
  @Max(32768)
  @IsInt()
  max_tokens?: number | null;

  /** Whether the embedded engine may answer in place of a failing upstream; absent means no. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  allow_degraded?: boolean;
}

@MatchesSchema('EnhanceCreativeRequest')
export class EnhanceCreativeRequest implements types.EnhanceCreativeRequest {
  /** The text itself. Exactly one of `content` and `document_id` is given. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('EnhanceCreativeRequest/properties/content')
  content?: types.EnhanceCreativeRequest['content'];

  /** The id of an uploaded document of the account that is `ready`, in place of `content`. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('EnhanceCreativeRequest/properties/document_id')
  document_id?: types.EnhanceCreativeRequest['document_id'];

  /** What the draft should become, such as "tenser"; only a model of an upstream can heed it. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('EnhanceCreativeRequest/properties/goal')
  goal?: types.EnhanceCreativeRequest['goal'];

  /** How many suggestions there are at most; the first ones in the text are kept. */
  @Min(1)
  @Max(200)
  @IsInt()
  suggestions_max: number = 50;

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('EnhanceCreativeRequest/properties/model')
  model?: types.EnhanceCreativeRequest['model'];

  /** The most output tokens; null or absent means the service's default. A model's answer that does not fit is an error (502); an embedded answer is not cut, and charged no more than so many. */
  @IsOptional()
  @Min(1)
  @Max(32768)
  @IsInt()
  max_tokens?: number | null;

  /** Whether the embedded engine may answer in place of a failing upstream; absent means no. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  allow_degraded?: boolean;
}

@MatchesSchema('BrainstormCreativeRequest')
export class BrainstormCreativeRequest implements types.BrainstormCreativeRequest {
  @MatchesSchema('BrainstormCreativeRequest/properties/topic')
  topic!: types.BrainstormCreativeRequest['topic'];

  /** How many ideas are wanted. */
  @Min(1)
  @Max(25)
  @IsInt()
  count: number = 7;

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('BrainstormCreativeRequest/properties/model')
  model?: types.BrainstormCreativeRequest['model'];

  /** The most output tokens; null or absent means the service's default. A model's answer that does not fit is an error (502); an embedded answer is not cut, and charged no more than so many. */
  @IsOptional()
  @Min(1)
  @Max(32768)
  @IsInt()
  max_tokens?: number | null;

  /** Whether the embedded engine may answer in place of a failing upstream; absent means no. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  allow_degraded?: boolean;
}
