// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('AnalyzeProfessionalRequest')
export class AnalyzeProfessionalRequest implements types.AnalyzeProfessionalRequest {
  /** The text itself. Exactly one of `content` and `document_id` is given. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('AnalyzeProfessionalRequest/properties/content')
  content?: types.AnalyzeProfessionalRequest['content'];

  /** The id of an uploaded document of the account that is `ready`, in place of `content`. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('AnalyzeProfessionalRequest/properties/document_id')
  document_id?: types.AnalyzeProfessionalRequest['document_id'];

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('AnalyzeProfessionalRequest/properties/model')
  model?: types.AnalyzeProfessionalRequest['model'];

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

@MatchesSchema('GenerateProfessionalRequest')
export class GenerateProfessionalRequest implements types.GenerateProfessionalRequest {
  @IsIn(['proposal', 'report', 'letter', 'email', 'memo', 'meeting_minutes', 'press_release', 'job_posting'])
  @IsString()
  kind!: 'proposal' | 'report' | 'letter' | 'email' | 'memo' | 'meeting_minutes' | 'press_release' | 'job_posting';

  /** What the document has to say. */
  @MatchesSchema('GenerateProfessionalRequest/properties/brief')
  brief!: types.GenerateProfessionalRequest['brief'];

  /** Who reads it. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateProfessionalRequest/properties/audience')
  audience?: types.GenerateProfessionalRequest['audience'];

  @IsIn(['formal', 'neutral', 'friendly'])
  @IsString()
  tone: 'formal' | 'neutral' | 'friendly' = 'neutral';

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateProfessionalRequest/properties/model')
  model?: types.GenerateProfessionalRequest['model'];

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

@MatchesSchema('OptimizeProfessionalRequest')
export class OptimizeProfessionalRequest implements types.OptimizeProfessionalRequest {
  /** The text itself. Exactly one of `content` and `document_id` is given. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('OptimizeProfessionalRequest/properties/content')
  content?: types.OptimizeProfessionalRequest['content'];

  /** The id of an uploaded document of the account that is `ready`, in place of `content`. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('OptimizeProfessionalRequest/properties/document_id')
  document_id?: types.OptimizeProfessionalRequest['document_id'];

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('OptimizeProfessionalRequest/properties/model')
  model?: types.OptimizeProfessionalRequest['model'];

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
