// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsBoolean, IsInt, IsOptional, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('SummarizeLegalRequest')
export class SummarizeLegalRequest implements types.SummarizeLegalRequest {
  /** The text itself. Exactly one of `content` and `document_id` is given. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('SummarizeLegalRequest/properties/content')
  content?: types.SummarizeLegalRequest['content'];

  /** The id of an uploaded document of the account that is `ready`, in place of `content`. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('SummarizeLegalRequest/properties/document_id')
  document_id?: types.SummarizeLegalRequest['document_id'];

  /** How many sentences the summary has at most. */
  @Min(1)
  @Max(20)
  @IsInt()
  sentences: number = 5;

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('SummarizeLegalRequest/properties/model')
  model?: types.SummarizeLegalRequest['model'];

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

@MatchesSchema('AnalyzeLegalRequest')
export class AnalyzeLegalRequest implements types.AnalyzeLegalRequest {
  /** The text itself. Exactly one of `content` and `document_id` is given. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('AnalyzeLegalRequest/properties/content')
  content?: types.AnalyzeLegalRequest['content'];

  /** The id of an uploaded document of the account that is `ready`, in place of `content`. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('AnalyzeLegalRequest/properties/document_id')
  document_id?: types.AnalyzeLegalRequest['document_id'];

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('AnalyzeLegalRequest/properties/model')
  model?: types.AnalyzeLegalRequest['model'];

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

@MatchesSchema('ExtractLegalRequest')
export class ExtractLegalRequest implements types.ExtractLegalRequest {
  /** The text itself. Exactly one of `content` and `document_id` is given. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ExtractLegalRequest/properties/content')
  content?: types.ExtractLegalRequest['content'];

  /** The id of an uploaded document of the account that is `ready`, in place of `content`. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ExtractLegalRequest/properties/document_id')
  document_id?: types.ExtractLegalRequest['document_id'];

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ExtractLegalRequest/properties/model')
  model?: types.ExtractLegalRequest['model'];

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

@MatchesSchema('CompareLegalRequest')
export class CompareLegalRequest implements types.CompareLegalRequest {
  @MatchesSchema('CompareLegalRequest/properties/before')
  before!: types.CompareLegalRequest['before'];

  @MatchesSchema('CompareLegalRequest/properties/after')
  after!: types.CompareLegalRequest['after'];

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CompareLegalRequest/properties/model')
  model?: types.CompareLegalRequest['model'];

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
