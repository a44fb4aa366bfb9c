// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('ProcessInputsRequest')
export class ProcessInputsRequest implements types.ProcessInputsRequest {
  /** What is worked on. */
  @MatchesSchema('ProcessInputsRequest/properties/inputs')
  inputs!: types.ProcessInputsRequest['inputs'];

  @IsIn(['describe', 'summarize', 'extract', 'classify', 'keywords', 'ocr', 'transcribe'])
  @IsString()
  task!: 'describe' | 'summarize' | 'extract' | 'classify' | 'keywords' | 'ocr' | 'transcribe';

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ProcessInputsRequest/properties/parameters')
  parameters?: types.ProcessInputsRequest['parameters'];

  /** The most tokens that the texts of files and addresses may have together, beside those of inputs of type `text`. So many are reserved where there is such an input; a call whose inputs turn out to have more is refused (422). Name fewer where the balance or a key's limit is small: a 402 says in `affordable_max_input_tokens` how many would fit. */
  @Min(1)
  @Max(500000)
  @IsInt()
  max_input_tokens: number = 20000;

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ProcessInputsRequest/properties/model')
  model?: types.ProcessInputsRequest['model'];

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

@MatchesSchema('AnalyzeInputsRequest')
export class AnalyzeInputsRequest implements types.AnalyzeInputsRequest {
  /** What is worked on. */
  @MatchesSchema('AnalyzeInputsRequest/properties/inputs')
  inputs!: types.AnalyzeInputsRequest['inputs'];

  /** The most tokens that the texts of files and addresses may have together, beside those of inputs of type `text`. So many are reserved where there is such an input; a call whose inputs turn out to have more is refused (422). Name fewer where the balance or a key's limit is small: a 402 says in `affordable_max_input_tokens` how many would fit. */
  @Min(1)
  @Max(500000)
  @IsInt()
  max_input_tokens: number = 20000;

  /** The most output tokens; null or absent means the service's default. A model's answer that does not fit is an error (502); an embedded answer is not cut, and charged no more than so many. */
  @IsOptional()
  @Min(1)
  @Max(32768)
  @IsInt()
  max_tokens?: number | null;
}

@MatchesSchema('GenerateFromInputsRequest')
export class GenerateFromInputsRequest implements types.GenerateFromInputsRequest {
  /** What is wanted. Places such as `{{name}}` take the values of `variables`, and `{{input_1}}` the text of the first input. */
  @MatchesSchema('GenerateFromInputsRequest/properties/prompt')
  prompt!: types.GenerateFromInputsRequest['prompt'];

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateFromInputsRequest/properties/variables')
  variables?: types.GenerateFromInputsRequest['variables'];

  /** What it is written from. Those without a place in the prompt go along with it. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateFromInputsRequest/properties/inputs')
  inputs?: types.GenerateFromInputsRequest['inputs'];

  /** Only texts are written; nothing here makes pictures or sounds (422). */
  @IsIn(['text', 'image', 'audio'])
  @IsString()
  output_type: 'text' | 'image' | 'audio' = 'text';

  /** The most tokens that the texts of files and addresses may have together, beside those of inputs of type `text`. So many are reserved where there is such an input; a call whose inputs turn out to have more is refused (422). Name fewer where the balance or a key's limit is small: a 402 says in `affordable_max_input_tokens` how many would fit. */
  @Min(1)
  @Max(500000)
  @IsInt()
  max_input_tokens: number = 20000;

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateFromInputsRequest/properties/model')
  model?: types.GenerateFromInputsRequest['model'];

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

@MatchesSchema('TransformInputRequest')
export class TransformInputRequest implements types.TransformInputRequest {
  @MatchesSchema('TransformInputRequest/properties/input')
  input!: types.TransformInputRequest['input'];

  @IsIn(['text', 'markdown', 'html', 'docx', 'pdf', 'png', 'jpeg', 'webp', 'audio'])
  @IsString()
  to!: 'text' | 'markdown' | 'html' | 'docx' | 'pdf' | 'png' | 'jpeg' | 'webp' | 'audio';

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('TransformInputRequest/properties/resize')
  resize?: types.TransformInputRequest['resize'];

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('TransformInputRequest/properties/crop')
  crop?: types.TransformInputRequest['crop'];

  /** Of JPEG and WebP. 80 if absent. */
  @ValidateIf((_, value) => value !== undefined)
  @Min(1)
  @Max(100)
  @IsInt()
  quality?: number;

  /** The most tokens that the texts of files and addresses may have together, beside those of inputs of type `text`. So many are reserved where there is such an input; a call whose inputs turn out to have more is refused (422). Name fewer where the balance or a key's limit is small: a 402 says in `affordable_max_input_tokens` how many would fit. */
  @Min(1)
  @Max(500000)
  @IsInt()
  max_input_tokens: number = 20000;
}

@MatchesSchema('RunOmmBatchRequest')
export class RunOmmBatchRequest implements types.RunOmmBatchRequest {
  @MatchesSchema('RunOmmBatchRequest/properties/items')
  items!: types.RunOmmBatchRequest['items'];
}
