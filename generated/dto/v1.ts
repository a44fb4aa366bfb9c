// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsBoolean, IsInt, IsNumber, IsOptional, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

/** Fields that are not listed here are passed on to the model's provider. Left out are those that some servers read as another output cap (such as `n_predict`), because the price follows from the listed ones. Refused with 400, unless the operator has priced them, are those that may cost more than tokens (such as `service_tier`, `web_search_options`, tools that the provider runs), and parts whose tokens have no bound, such as files. */
@MatchesSchema('CreateChatCompletionRequest')
export class CreateChatCompletionRequest implements types.CreateChatCompletionRequest {
  @MatchesSchema('CreateChatCompletionRequest/properties/model')
  model!: types.CreateChatCompletionRequest['model'];

  @MatchesSchema('CreateChatCompletionRequest/properties/messages')
  messages!: types.CreateChatCompletionRequest['messages'];

  @IsOptional()
  @Min(1)
  @Max(32768)
  @IsInt()
  max_tokens?: number | null;

  /** Takes precedence over `max_tokens` where both are given. */
  @IsOptional()
  @Min(1)
  @Max(32768)
  @IsInt()
  max_completion_tokens?: number | null;

  @IsOptional()
  @Min(0)
  @Max(2)
  @IsNumber()
  temperature?: number | null;

  @IsOptional()
  @Min(0)
  @Max(1)
  @IsNumber()
  top_p?: number | null;

  @IsOptional()
  @Min(1)
  @Max(128)
  @IsInt()
  n?: number | null;

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateChatCompletionRequest/properties/stop')
  stop?: types.CreateChatCompletionRequest['stop'];

  /** Whether the answer arrives as server-sent events. */
  @IsOptional()
  @IsBoolean()
  stream?: boolean | null;

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateChatCompletionRequest/properties/stream_options')
  stream_options?: types.CreateChatCompletionRequest['stream_options'];

  @IsOptional()
  @Min(-2)
  @Max(2)
  @IsNumber()
  presence_penalty?: number | null;

  @IsOptional()
  @Min(-2)
  @Max(2)
  @IsNumber()
  frequency_penalty?: number | null;

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateChatCompletionRequest/properties/logit_bias')
  logit_bias?: types.CreateChatCompletionRequest['logit_bias'];

  @IsOptional()
  @IsBoolean()
  logprobs?: boolean | null;

  @IsOptional()
  @Min(0)
  @Max(20)
  @IsInt()
  top_logprobs?: number | null;

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateChatCompletionRequest/properties/response_format')
  response_format?: types.CreateChatCompletionRequest['response_format'];

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateChatCompletionRequest/properties/tools')
  tools?: types.CreateChatCompletionRequest['tools'];

  @IsOptional()
  @IsInt()
  seed?: number | null;

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateChatCompletionRequest/properties/user')
  user?: types.CreateChatCompletionRequest['user'];

  /** Whether the embedded engine may answer in place of a failing upstream; absent means no. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  allow_degraded?: boolean;

  [name: string]: unknown;
}

/** Fields that are not listed here are passed on to the model's provider. Left out are those that some servers read as another output cap (such as `n_predict`), because the price follows from the listed ones. Refused with 400, unless the operator has priced them, are those that may cost more than tokens (such as `service_tier`, `web_search_options`, tools that the provider runs), and parts whose tokens have no bound, such as files. */
@MatchesSchema('CreateCompletionRequest')
export class CreateCompletionRequest implements types.CreateCompletionRequest {
  @MatchesSchema('CreateCompletionRequest/properties/model')
  model!: types.CreateCompletionRequest['model'];

  /** A text, an array of texts, the tokens of a text, or an array of those; at most 100 prompts. */
  @MatchesSchema('CreateCompletionRequest/properties/prompt')
  prompt!: types.CreateCompletionRequest['prompt'];

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateCompletionRequest/properties/suffix')
  suffix?: types.CreateCompletionRequest['suffix'];

  @IsOptional()
  @Min(1)
  @Max(32768)
  @IsInt()
  max_tokens?: number | null;

  /** Takes precedence over `max_tokens` where both are given. */
  @IsOptional()
  @Min(1)
  @Max(32768)
  @IsInt()
  max_completion_tokens?: number | null;

  @IsOptional()
  @Min(0)
  @Max(2)
  @IsNumber()
  temperature?: number | null;

  @IsOptional()
  @Min(0)
  @Max(1)
  @IsNumber()
  top_p?: number | null;

  @IsOptional()
  @Min(1)
  @Max(128)
  @IsInt()
  n?: number | null;

  @IsOptional()
  @Min(1)
  @Max(128)
  @IsInt()
  best_of?: number | null;

  @IsOptional()
  @IsBoolean()
  echo?: boolean | null;

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateCompletionRequest/properties/stop')
  stop?: types.CreateCompletionRequest['stop'];

  /** Whether the answer arrives as server-sent events. */
  @IsOptional()
  @IsBoolean()
  stream?: boolean | null;

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateCompletionRequest/properties/stream_options')
  stream_options?: types.CreateCompletionRequest['stream_options'];

  @IsOptional()
  @Min(-2)
  @Max(2)
  @IsNumber()
  presence_penalty?: number | null;

  @IsOptional()
  @Min(-2)
  @Max(2)
  @IsNumber()
  frequency_penalty?: number | null;

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateCompletionRequest/properties/logit_bias')
  logit_bias?: types.CreateCompletionRequest['logit_bias'];

  @IsOptional()
  @Min(0)
  @Max(5)
  @IsInt()
  logprobs?: number | null;

  @IsOptional()
  @IsInt()
  seed?: number | null;

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateCompletionRequest/properties/user')
  user?: types.CreateCompletionRequest['user'];

  /** Whether the embedded engine may answer in place of a failing upstream; absent means no. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  allow_degraded?: boolean;

  [name: string]: unknown;
}

/** Fields that are not listed here are passed on to the model's provider. Nothing is stored, so a conversation is continued by sending its earlier items again. Refused with 400, unless the operator has priced them, are fields that may cost more than tokens (such as `service_tier`, tools that the provider runs, a stored `prompt`), and parts whose tokens have no bound, such as files. */
@MatchesSchema('CreateResponseRequest')
export class CreateResponseRequest implements types.CreateResponseRequest {
  @MatchesSchema('CreateResponseRequest/properties/model')
  model!: types.CreateResponseRequest['model'];

  @MatchesSchema('CreateResponseRequest/properties/input')
  input!: types.CreateResponseRequest['input'];

  /** A system message that precedes the input. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateResponseRequest/properties/instructions')
  instructions?: types.CreateResponseRequest['instructions'];

  @IsOptional()
  @Min(1)
  @Max(32768)
  @IsInt()
  max_output_tokens?: number | null;

  @IsOptional()
  @Min(0)
  @Max(2)
  @IsNumber()
  temperature?: number | null;

  @IsOptional()
  @Min(0)
  @Max(1)
  @IsNumber()
  top_p?: number | null;

  @IsOptional()
  @Min(0)
  @Max(20)
  @IsInt()
  top_logprobs?: number | null;

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateResponseRequest/properties/tools')
  tools?: types.CreateResponseRequest['tools'];

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateResponseRequest/properties/tool_choice')
  tool_choice?: types.CreateResponseRequest['tool_choice'];

  @IsOptional()
  @IsBoolean()
  parallel_tool_calls?: boolean | null;

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateResponseRequest/properties/text')
  text?: types.CreateResponseRequest['text'];

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateResponseRequest/properties/reasoning')
  reasoning?: types.CreateResponseRequest['reasoning'];

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateResponseRequest/properties/include')
  include?: types.CreateResponseRequest['include'];

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateResponseRequest/properties/truncation')
  truncation?: types.CreateResponseRequest['truncation'];

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateResponseRequest/properties/metadata')
  metadata?: types.CreateResponseRequest['metadata'];

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateResponseRequest/properties/user')
  user?: types.CreateResponseRequest['user'];

  /** Whether the answer arrives as server-sent events. */
  @IsOptional()
  @IsBoolean()
  stream?: boolean | null;

  /** Is ignored. Nothing is stored, and the response says `false`. */
  @IsOptional()
  @IsBoolean()
  store?: boolean | null;

  /** Only false or null, because a response that is not stored can't be fetched later. */
  @IsOptional()
  @IsBoolean()
  background?: boolean | null;

  /** Only null, as responses are not stored. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateResponseRequest/properties/previous_response_id')
  previous_response_id?: types.CreateResponseRequest['previous_response_id'];

  /** Only null, as conversations are not stored. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateResponseRequest/properties/conversation')
  conversation?: types.CreateResponseRequest['conversation'];

  /** Whether the embedded engine may answer in place of a failing upstream; absent means no. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  allow_degraded?: boolean;

  [name: string]: unknown;
}

/** Fields that are not listed here are passed on to the model's provider. Left out are those that some servers read as another output cap (such as `n_predict`), because the price follows from the listed ones. Refused with 400, unless the operator has priced them, are those that may cost more than tokens (such as `service_tier`, `web_search_options`, tools that the provider runs), and parts whose tokens have no bound, such as files. */
@MatchesSchema('CreateEmbeddingRequest')
export class CreateEmbeddingRequest implements types.CreateEmbeddingRequest {
  @MatchesSchema('CreateEmbeddingRequest/properties/model')
  model!: types.CreateEmbeddingRequest['model'];

  /** A text, an array of texts, the tokens of a text, or an array of those; at most 2,048 inputs. */
  @MatchesSchema('CreateEmbeddingRequest/properties/input')
  input!: types.CreateEmbeddingRequest['input'];

  /** Null or absent means `float`; `base64` is the little-endian float32 values. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateEmbeddingRequest/properties/encoding_format')
  encoding_format?: types.CreateEmbeddingRequest['encoding_format'];

  @IsOptional()
  @Min(1)
  @Max(8192)
  @IsInt()
  dimensions?: number | null;

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateEmbeddingRequest/properties/user')
  user?: types.CreateEmbeddingRequest['user'];

  /** Whether the embedded engine may answer in place of a failing upstream; absent means no. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  allow_degraded?: boolean;

  [name: string]: unknown;
}
