// Generated from openapi/ by `npm run generate`. Do not edit.
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsIn, IsInt, IsNumber, IsObject, IsString, Max, Min } from 'class-validator';
import { Fields } from '../../src/contract/constraints/fields';
import { HasCodePoints } from '../../src/contract/constraints/has-code-points';
import { HasMembers } from '../../src/contract/constraints/has-members';
import { HasType } from '../../src/contract/constraints/has-type';
import { MayBeAbsent } from '../../src/contract/constraints/may-be-absent';
import { MayBeNull } from '../../src/contract/constraints/may-be-null';
import { Nested } from '../../src/contract/constraints/nested';
import { where } from '../../src/contract/constraints/where';
import type * as types from '../types';

@Fields({ keepsUnknown: true })
export class ContentPart implements types.ContentPart {
  /** `text`, `image_url` and so on. */
  @HasCodePoints({ min: 1, max: 50 })
  @IsString()
  type!: string;

  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 400000 })
  @IsString()
  text?: string | null;

  [name: string]: unknown;
}

@Fields({ keepsUnknown: true })
export class ChatMessage implements types.ChatMessage {
  @IsIn(['developer', 'system', 'user', 'assistant', 'tool', 'function'])
  @IsString()
  role!: 'developer' | 'system' | 'user' | 'assistant' | 'tool' | 'function';

  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 400000 }, where.text)
  @Nested(() => ContentPart, where.array)
  @IsObject(where.eachItem)
  @ArrayMaxSize(1000, where.array)
  @ArrayMinSize(1, where.array)
  @HasType(['string', 'array'])
  content?: string | ContentPart[] | null;

  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 200 })
  @IsString()
  name?: string | null;

  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 200 })
  @IsString()
  tool_call_id?: string | null;

  @MayBeAbsent()
  @MayBeNull()
  @IsObject(where.eachItem)
  @ArrayMaxSize(128)
  @IsArray()
  tool_calls?: Record<string, unknown>[] | null;

  [name: string]: unknown;
}

@Fields({ keepsUnknown: true })
export class ResponseFormat implements NonNullable<types.ResponseFormat> {
  @IsIn(['text', 'json_object', 'json_schema'])
  @IsString()
  type!: 'text' | 'json_object' | 'json_schema';

  [name: string]: unknown;
}

/** Fields that are not listed here are passed on to the model's provider, but for those by which some servers read a cap or another model in place of the ones that the price was made from (such as `n_predict`, `models`). */
@Fields({ keepsUnknown: true, max: 200 })
export class CreateChatCompletionRequest implements types.CreateChatCompletionRequest {
  @HasCodePoints({ min: 1, max: 200 })
  @IsString()
  model!: string;

  @Nested(() => ChatMessage)
  @IsObject(where.eachItem)
  @ArrayMaxSize(1000)
  @ArrayMinSize(1)
  @IsArray()
  messages!: ChatMessage[];

  @MayBeAbsent()
  @MayBeNull()
  @Max(32768)
  @Min(1)
  @IsInt()
  max_tokens?: number | null;

  /** Counts before `max_tokens` where both are given. */
  @MayBeAbsent()
  @MayBeNull()
  @Max(32768)
  @Min(1)
  @IsInt()
  max_completion_tokens?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(2)
  @Min(0)
  @IsNumber()
  temperature?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(1)
  @Min(0)
  @IsNumber()
  top_p?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(128)
  @Min(1)
  @IsInt()
  n?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 1000 }, where.text)
  @HasCodePoints({ max: 1000 }, where.eachItem)
  @IsString(where.eachItem)
  @ArrayMaxSize(16, where.array)
  @HasType(['string', 'array'])
  stop?: string | string[] | null;

  /** Whether the answer arrives as server-sent events. */
  @MayBeAbsent()
  @MayBeNull()
  @IsBoolean()
  stream?: boolean | null;

  @MayBeAbsent()
  @MayBeNull()
  @IsObject()
  stream_options?: Record<string, unknown> | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(2)
  @Min(-2)
  @IsNumber()
  presence_penalty?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(2)
  @Min(-2)
  @IsNumber()
  frequency_penalty?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @IsObject()
  logit_bias?: Record<string, unknown> | null;

  @MayBeAbsent()
  @MayBeNull()
  @IsBoolean()
  logprobs?: boolean | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(20)
  @Min(0)
  @IsInt()
  top_logprobs?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @Nested(() => ResponseFormat)
  @IsObject()
  response_format?: ResponseFormat | null;

  @MayBeAbsent()
  @MayBeNull()
  @IsObject(where.eachItem)
  @ArrayMaxSize(128)
  @IsArray()
  tools?: Record<string, unknown>[] | null;

  @MayBeAbsent()
  @MayBeNull()
  @IsInt()
  seed?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 512 })
  @IsString()
  user?: string | null;

  /** Whether the embedded engine may answer in place of a failing upstream; absent means no. */
  @MayBeAbsent()
  @IsBoolean()
  allow_degraded?: boolean;

  [name: string]: unknown;
}

class CreateCompletionRequestPromptMember {
  @HasCodePoints({ max: 400000 }, where.text)
  @Min(0, where.number)
  @Min(0, where.eachItem)
  @IsInt(where.eachItem)
  @ArrayMaxSize(400000, where.array)
  @ArrayMinSize(1, where.array)
  @HasType(['string', 'integer', 'array'])
  member!: string | number | number[];
}

/** Fields that are not listed here are passed on to the model's provider, but for those by which some servers read a cap or another model in place of the ones that the price was made from (such as `n_predict`, `models`). */
@Fields({ keepsUnknown: true, max: 200 })
export class CreateCompletionRequest implements types.CreateCompletionRequest {
  @HasCodePoints({ min: 1, max: 200 })
  @IsString()
  model!: string;

  /** A text, an array of texts, the tokens of a text, or an array of those; at most 100 prompts. */
  @HasCodePoints({ max: 400000 }, where.text)
  @HasMembers(() => CreateCompletionRequestPromptMember, where.array)
  @ArrayMaxSize(400000, where.array)
  @ArrayMinSize(1, where.array)
  @HasType(['string', 'array'])
  prompt!: string | (string | number | number[])[];

  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 400000 })
  @IsString()
  suffix?: string | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(32768)
  @Min(1)
  @IsInt()
  max_tokens?: number | null;

  /** Counts before `max_tokens` where both are given. */
  @MayBeAbsent()
  @MayBeNull()
  @Max(32768)
  @Min(1)
  @IsInt()
  max_completion_tokens?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(2)
  @Min(0)
  @IsNumber()
  temperature?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(1)
  @Min(0)
  @IsNumber()
  top_p?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(128)
  @Min(1)
  @IsInt()
  n?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(128)
  @Min(1)
  @IsInt()
  best_of?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @IsBoolean()
  echo?: boolean | null;

  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 1000 }, where.text)
  @HasCodePoints({ max: 1000 }, where.eachItem)
  @IsString(where.eachItem)
  @ArrayMaxSize(16, where.array)
  @HasType(['string', 'array'])
  stop?: string | string[] | null;

  /** Whether the answer arrives as server-sent events. */
  @MayBeAbsent()
  @MayBeNull()
  @IsBoolean()
  stream?: boolean | null;

  @MayBeAbsent()
  @MayBeNull()
  @IsObject()
  stream_options?: Record<string, unknown> | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(2)
  @Min(-2)
  @IsNumber()
  presence_penalty?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(2)
  @Min(-2)
  @IsNumber()
  frequency_penalty?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @IsObject()
  logit_bias?: Record<string, unknown> | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(5)
  @Min(0)
  @IsInt()
  logprobs?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @IsInt()
  seed?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 512 })
  @IsString()
  user?: string | null;

  /** Whether the embedded engine may answer in place of a failing upstream; absent means no. */
  @MayBeAbsent()
  @IsBoolean()
  allow_degraded?: boolean;

  [name: string]: unknown;
}

/** A message (`role` and `content`), a `function_call`, a `function_call_output`, or an item that an earlier response gave as its output. */
@Fields({ keepsUnknown: true })
export class ResponseInputItem implements types.ResponseInputItem {
  /** Null or absent means `message`. */
  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ min: 1, max: 50 })
  @IsString()
  type?: string | null;

  @MayBeAbsent()
  @IsIn(['developer', 'system', 'user', 'assistant'])
  @IsString()
  role?: 'developer' | 'system' | 'user' | 'assistant';

  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 400000 }, where.text)
  @Nested(() => ContentPart, where.array)
  @IsObject(where.eachItem)
  @ArrayMaxSize(1000, where.array)
  @HasType(['string', 'array'])
  content?: string | ContentPart[] | null;

  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 200 })
  @IsString()
  call_id?: string | null;

  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 200 })
  @IsString()
  name?: string | null;

  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 400000 }, where.text)
  @HasType(['string', 'object'])
  arguments?: string | Record<string, unknown> | null;

  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 400000 }, where.text)
  @IsObject(where.eachItem)
  @ArrayMaxSize(1000, where.array)
  @HasType(['string', 'array', 'object'])
  output?: string | Record<string, unknown>[] | Record<string, unknown> | null;

  [name: string]: unknown;
}

@Fields({ keepsUnknown: true })
export class ResponseTextFormat implements NonNullable<types.ResponseTextFormat> {
  /** `text`, `json_schema` or `json_object`. */
  @HasCodePoints({ min: 1, max: 50 })
  @IsString()
  type!: string;

  [name: string]: unknown;
}

@Fields({ keepsUnknown: true })
export class ResponseText implements NonNullable<types.ResponseText> {
  @MayBeAbsent()
  @MayBeNull()
  @Nested(() => ResponseTextFormat)
  @IsObject()
  format?: ResponseTextFormat | null;

  [name: string]: unknown;
}

@Fields({ keepsUnknown: true })
export class ResponseReasoning implements NonNullable<types.ResponseReasoning> {
  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 50 })
  @IsString()
  effort?: string | null;

  [name: string]: unknown;
}

/** Fields that are not listed here are passed on to the model's provider. Nothing is stored, so a conversation is continued by sending its earlier items again. */
@Fields({ keepsUnknown: true })
export class CreateResponseRequest implements types.CreateResponseRequest {
  @HasCodePoints({ min: 1, max: 200 })
  @IsString()
  model!: string;

  @HasCodePoints({ max: 400000 }, where.text)
  @Nested(() => ResponseInputItem, where.array)
  @IsObject(where.eachItem)
  @ArrayMaxSize(1000, where.array)
  @ArrayMinSize(1, where.array)
  @HasType(['string', 'array'])
  input!: string | ResponseInputItem[];

  /** Come before the input as a system message. */
  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 400000 })
  @IsString()
  instructions?: string | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(32768)
  @Min(1)
  @IsInt()
  max_output_tokens?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(2)
  @Min(0)
  @IsNumber()
  temperature?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(1)
  @Min(0)
  @IsNumber()
  top_p?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(20)
  @Min(0)
  @IsInt()
  top_logprobs?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @IsObject(where.eachItem)
  @ArrayMaxSize(128)
  @IsArray()
  tools?: Record<string, unknown>[] | null;

  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 50 }, where.text)
  @HasType(['string', 'object'])
  tool_choice?: string | Record<string, unknown> | null;

  @MayBeAbsent()
  @MayBeNull()
  @IsBoolean()
  parallel_tool_calls?: boolean | null;

  @MayBeAbsent()
  @MayBeNull()
  @Nested(() => ResponseText)
  @IsObject()
  text?: ResponseText | null;

  @MayBeAbsent()
  @MayBeNull()
  @Nested(() => ResponseReasoning)
  @IsObject()
  reasoning?: ResponseReasoning | null;

  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 100 }, where.eachItem)
  @IsString(where.eachItem)
  @ArrayMaxSize(50)
  @IsArray()
  include?: string[] | null;

  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 50 })
  @IsString()
  truncation?: string | null;

  @MayBeAbsent()
  @MayBeNull()
  @IsObject()
  metadata?: Record<string, unknown> | null;

  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 512 })
  @IsString()
  user?: string | null;

  /** Whether the answer arrives as server-sent events. */
  @MayBeAbsent()
  @MayBeNull()
  @IsBoolean()
  stream?: boolean | null;

  /** Nothing is stored whatever is said here; the response says `false`. */
  @MayBeAbsent()
  @MayBeNull()
  @IsBoolean()
  store?: boolean | null;

  /** Only false: a response that is not stored can't be fetched later. */
  @MayBeAbsent()
  @MayBeNull()
  @IsBoolean()
  background?: boolean | null;

  /** Only null, as responses are not stored. */
  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 200 })
  @IsString()
  previous_response_id?: string | null;

  /** Only null, as conversations are not stored. */
  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 200 }, where.text)
  @HasType(['string', 'object'])
  conversation?: string | Record<string, unknown> | null;

  /** Whether the embedded engine may answer in place of a failing upstream; absent means no. */
  @MayBeAbsent()
  @IsBoolean()
  allow_degraded?: boolean;

  [name: string]: unknown;
}

class CreateEmbeddingRequestInputMember {
  @HasCodePoints({ min: 1, max: 400000 }, where.text)
  @Min(0, where.number)
  @Min(0, where.eachItem)
  @IsInt(where.eachItem)
  @ArrayMaxSize(400000, where.array)
  @ArrayMinSize(1, where.array)
  @HasType(['string', 'integer', 'array'])
  member!: string | number | number[];
}

/** Fields that are not listed here are passed on to the model's provider, but for those by which some servers read a cap or another model in place of the ones that the price was made from (such as `n_predict`, `models`). */
@Fields({ keepsUnknown: true, max: 200 })
export class CreateEmbeddingRequest implements types.CreateEmbeddingRequest {
  @HasCodePoints({ min: 1, max: 200 })
  @IsString()
  model!: string;

  /** A text, an array of texts, the tokens of a text, or an array of those; at most 2,048 inputs. */
  @HasCodePoints({ min: 1, max: 400000 }, where.text)
  @HasMembers(() => CreateEmbeddingRequestInputMember, where.array)
  @ArrayMaxSize(400000, where.array)
  @ArrayMinSize(1, where.array)
  @HasType(['string', 'array'])
  input!: string | (string | number | number[])[];

  /** Null or absent means `float`; `base64` is the little-endian float32 values. */
  @MayBeAbsent()
  @MayBeNull()
  @IsIn(['float', 'base64'])
  @IsString()
  encoding_format?: 'float' | 'base64' | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(8192)
  @Min(1)
  @IsInt()
  dimensions?: number | null;

  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 512 })
  @IsString()
  user?: string | null;

  /** Whether the embedded engine may answer in place of a failing upstream; absent means no. */
  @MayBeAbsent()
  @IsBoolean()
  allow_degraded?: boolean;

  [name: string]: unknown;
}
