// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('ProcessAdvancedRequest')
export class ProcessAdvancedRequest implements types.ProcessAdvancedRequest {
  /** The text itself. Exactly one of `content` and `document_id` is given. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ProcessAdvancedRequest/properties/content')
  content?: types.ProcessAdvancedRequest['content'];

  /** The id of an uploaded document of the account that is `ready`, in place of `content`. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ProcessAdvancedRequest/properties/document_id')
  document_id?: types.ProcessAdvancedRequest['document_id'];

  /**
   * What is done with the text. The fields of `parameters` that each type has stand in brackets; another type's field is 422.
   *
   * Found by the embedded engine, or by a model of an upstream where one is configured: `summarize` (sentences), `keywords`
   * (keywords_max), `entities` (entity_types), `classify` (labels, required), `sentiment` (none; without an upstream in English
   * only). Always found by rules: `language`, `readability`, `statistics`, `tables`, `key_values` (none), `outline` (level_max).
   * Written by a model of an upstream, and 503 without one: `translate` (target_language, required; source_language), `rewrite`
   * (style, length, instruction; at least one).
   */
  @IsIn(['summarize', 'keywords', 'entities', 'classify', 'sentiment', 'language', 'readability', 'statistics', 'outline', 'tables', 'key_values', 'translate', 'rewrite'])
  @IsString()
  processing_type!: 'summarize' | 'keywords' | 'entities' | 'classify' | 'sentiment' | 'language' | 'readability' | 'statistics' | 'outline' | 'tables' | 'key_values' | 'translate' | 'rewrite';

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ProcessAdvancedRequest/properties/parameters')
  parameters?: types.ProcessAdvancedRequest['parameters'];

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ProcessAdvancedRequest/properties/model')
  model?: types.ProcessAdvancedRequest['model'];

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

@MatchesSchema('AnalyzeAdvancedRequest')
export class AnalyzeAdvancedRequest implements types.AnalyzeAdvancedRequest {
  /** The text itself. Exactly one of `content` and `document_id` is given. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('AnalyzeAdvancedRequest/properties/content')
  content?: types.AnalyzeAdvancedRequest['content'];

  /** The id of an uploaded document of the account that is `ready`, in place of `content`. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('AnalyzeAdvancedRequest/properties/document_id')
  document_id?: types.AnalyzeAdvancedRequest['document_id'];

  /** The most sentences of the summary. */
  @Min(1)
  @Max(20)
  @IsInt()
  sentences: number = 5;

  @Min(1)
  @Max(100)
  @IsInt()
  keywords_max: number = 20;

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('AnalyzeAdvancedRequest/properties/model')
  model?: types.AnalyzeAdvancedRequest['model'];

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

@MatchesSchema('GenerateAdvancedRequest')
export class GenerateAdvancedRequest implements types.GenerateAdvancedRequest {
  /** What a model of an upstream shall write. Exactly one of `prompt` and `template` is given. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateAdvancedRequest/properties/prompt')
  prompt?: types.GenerateAdvancedRequest['prompt'];

  /** Material that the text shall keep to; with `prompt` only. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateAdvancedRequest/properties/context')
  context?: types.GenerateAdvancedRequest['context'];

  /** With `prompt` only. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateAdvancedRequest/properties/tone')
  tone?: types.GenerateAdvancedRequest['tone'];

  /** About how long it may be; with `prompt` only. */
  @IsOptional()
  @Min(10)
  @Max(10000)
  @IsInt()
  words_max?: number | null;

  /** A text with places such as `{{name}}`, which is filled with `variables` by the service itself, with no model. A place without a variable, and a variable without a place, are 422. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateAdvancedRequest/properties/template')
  template?: types.GenerateAdvancedRequest['template'];

  /** With `template` only. */
  @MatchesSchema('GenerateAdvancedRequest/properties/variables')
  variables: types.GenerateAdvancedRequest['variables'] = [];

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateAdvancedRequest/properties/model')
  model?: types.GenerateAdvancedRequest['model'];

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

@MatchesSchema('OptimizeAdvancedRequest')
export class OptimizeAdvancedRequest implements types.OptimizeAdvancedRequest {
  /** The text itself. Exactly one of `content` and `document_id` is given. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('OptimizeAdvancedRequest/properties/content')
  content?: types.OptimizeAdvancedRequest['content'];

  /** The id of an uploaded document of the account that is `ready`, in place of `content`. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('OptimizeAdvancedRequest/properties/document_id')
  document_id?: types.OptimizeAdvancedRequest['document_id'];

  @MatchesSchema('OptimizeAdvancedRequest/properties/goals')
  goals: types.OptimizeAdvancedRequest['goals'] = ["concision","repetition","spacing"];

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('OptimizeAdvancedRequest/properties/model')
  model?: types.OptimizeAdvancedRequest['model'];

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
