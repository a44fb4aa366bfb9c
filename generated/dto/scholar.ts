// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsBoolean, IsIn, IsInt, IsNumber, IsOptional, IsString, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('ResearchScholarRequest')
export class ResearchScholarRequest implements types.ResearchScholarRequest {
  @MatchesSchema('ResearchScholarRequest/properties/question')
  question!: types.ResearchScholarRequest['question'];

  /** Absent means all collections. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ResearchScholarRequest/properties/collection')
  collection?: types.ResearchScholarRequest['collection'];

  /** Only documents whose metadata contains all of this: at most 256 values and 16 KiB. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ResearchScholarRequest/properties/filter')
  filter?: types.ResearchScholarRequest['filter'];

  /** Chunks with a smaller score are left out; absent means none is. What a score says depends on the method, see `score`. */
  @ValidateIf((_, value) => value !== undefined)
  @Min(0)
  @Max(1)
  @IsNumber()
  min_score?: number;

  /** How many chunks are read at most. */
  @Min(1)
  @Max(50)
  @IsInt()
  top_k: number = 8;

  /** How many findings at most. */
  @Min(1)
  @Max(20)
  @IsInt()
  findings: number = 5;

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ResearchScholarRequest/properties/model')
  model?: types.ResearchScholarRequest['model'];

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

@MatchesSchema('CiteScholarRequest')
export class CiteScholarRequest implements types.CiteScholarRequest {
  @MatchesSchema('CiteScholarRequest/properties/sources')
  sources!: types.CiteScholarRequest['sources'];

  @IsIn(['apa', 'mla', 'chicago', 'bibtex', 'ris'])
  @IsString()
  style!: 'apa' | 'mla' | 'chicago' | 'bibtex' | 'ris';
}

@MatchesSchema('SummarizeScholarRequest')
export class SummarizeScholarRequest implements types.SummarizeScholarRequest {
  /** The text itself. Exactly one of `content` and `document_id` is given. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('SummarizeScholarRequest/properties/content')
  content?: types.SummarizeScholarRequest['content'];

  /** The id of an uploaded document of the account that is `ready`, in place of `content`. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('SummarizeScholarRequest/properties/document_id')
  document_id?: types.SummarizeScholarRequest['document_id'];

  /** How many sentences the summary has at most. */
  @Min(1)
  @Max(20)
  @IsInt()
  sentences: number = 5;

  /** How many sentences are quoted of a section at most. */
  @Min(1)
  @Max(5)
  @IsInt()
  points_per_section: number = 1;

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('SummarizeScholarRequest/properties/model')
  model?: types.SummarizeScholarRequest['model'];

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

@MatchesSchema('AnalyzeScholarRequest')
export class AnalyzeScholarRequest implements types.AnalyzeScholarRequest {
  /** The text itself. Exactly one of `content` and `document_id` is given. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('AnalyzeScholarRequest/properties/content')
  content?: types.AnalyzeScholarRequest['content'];

  /** The id of an uploaded document of the account that is `ready`, in place of `content`. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('AnalyzeScholarRequest/properties/document_id')
  document_id?: types.AnalyzeScholarRequest['document_id'];

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('AnalyzeScholarRequest/properties/model')
  model?: types.AnalyzeScholarRequest['model'];

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
