// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsBoolean, IsIn, IsInt, IsNumber, IsOptional, IsString, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('ListAgentsQuery', { fromText: true })
export class ListAgentsQuery implements types.ListAgentsQuery {
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
  @IsIn(['created_at', 'updated_at', 'name'])
  @IsString()
  sort: 'created_at' | 'updated_at' | 'name' = 'created_at';

  /** The direction of the sort. */
  @IsIn(['asc', 'desc'])
  @IsString()
  order: 'asc' | 'desc' = 'desc';

  /** Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListAgentsQuery/properties/start_date')
  start_date?: types.ListAgentsQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListAgentsQuery/properties/end_date')
  end_date?: types.ListAgentsQuery['end_date'];
}

@MatchesSchema('CreateAgentRequest')
export class CreateAgentRequest implements types.CreateAgentRequest {
  /** Need not be unique. */
  @MatchesSchema('CreateAgentRequest/properties/name')
  name!: types.CreateAgentRequest['name'];

  /** What the model is told before the messages. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateAgentRequest/properties/system_prompt')
  system_prompt?: types.CreateAgentRequest['system_prompt'];

  /** Null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateAgentRequest/properties/model')
  model?: types.CreateAgentRequest['model'];

  @IsOptional()
  @Min(0)
  @Max(2)
  @IsNumber()
  temperature?: number | null;

  /** The most output tokens of one step; null or absent means the service's default. */
  @IsOptional()
  @Min(1)
  @Max(32768)
  @IsInt()
  max_tokens?: number | null;

  /** What the model may call: `rag.retrieve` finds parts of the account's indexed documents, `memory.search` finds the account's memories in the agent's namespace, `calculator` evaluates an arithmetic expression, `time` tells the time in a zone. They need a model of an upstream: an agent with tools is refused (400) where only the embedded model would answer. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateAgentRequest/properties/tools')
  tools?: types.CreateAgentRequest['tools'];

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateAgentRequest/properties/memory')
  memory?: types.CreateAgentRequest['memory'];

  /** Anything: at most 256 values and 16 KiB. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateAgentRequest/properties/metadata')
  metadata?: types.CreateAgentRequest['metadata'];
}

@MatchesSchema('GenerateWithAgentRequest')
export class GenerateWithAgentRequest implements types.GenerateWithAgentRequest {
  @MatchesSchema('GenerateWithAgentRequest/properties/prompt')
  prompt!: types.GenerateWithAgentRequest['prompt'];

  /** Null or absent means no agent. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateWithAgentRequest/properties/agent_id')
  agent_id?: types.GenerateWithAgentRequest['agent_id'];

  /** What the model is told before the messages. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateWithAgentRequest/properties/system_prompt')
  system_prompt?: types.GenerateWithAgentRequest['system_prompt'];

  /** Null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateWithAgentRequest/properties/model')
  model?: types.GenerateWithAgentRequest['model'];

  @IsOptional()
  @Min(0)
  @Max(2)
  @IsNumber()
  temperature?: number | null;

  /** The most output tokens of one step; null or absent means the service's default. */
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

@MatchesSchema('ChatWithAgentRequest')
export class ChatWithAgentRequest implements types.ChatWithAgentRequest {
  @MatchesSchema('ChatWithAgentRequest/properties/messages')
  messages!: types.ChatWithAgentRequest['messages'];

  /** Null or absent means no agent. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ChatWithAgentRequest/properties/agent_id')
  agent_id?: types.ChatWithAgentRequest['agent_id'];

  /** Null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ChatWithAgentRequest/properties/model')
  model?: types.ChatWithAgentRequest['model'];

  @IsOptional()
  @Min(0)
  @Max(2)
  @IsNumber()
  temperature?: number | null;

  /** The most output tokens of one step; null or absent means the service's default. */
  @IsOptional()
  @Min(1)
  @Max(32768)
  @IsInt()
  max_tokens?: number | null;

  /** Whether the answer arrives as server-sent events. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  stream?: boolean;

  /** Whether the embedded engine may answer in place of a failing upstream; absent means no. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  allow_degraded?: boolean;
}

@MatchesSchema('UpdateAgentRequest')
export class UpdateAgentRequest implements types.UpdateAgentRequest {
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('UpdateAgentRequest/properties/name')
  name?: types.UpdateAgentRequest['name'];

  /** What the model is told before the messages. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('UpdateAgentRequest/properties/system_prompt')
  system_prompt?: types.UpdateAgentRequest['system_prompt'];

  /** Null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('UpdateAgentRequest/properties/model')
  model?: types.UpdateAgentRequest['model'];

  @IsOptional()
  @Min(0)
  @Max(2)
  @IsNumber()
  temperature?: number | null;

  /** The most output tokens of one step; null or absent means the service's default. */
  @IsOptional()
  @Min(1)
  @Max(32768)
  @IsInt()
  max_tokens?: number | null;

  /** What the model may call: `rag.retrieve` finds parts of the account's indexed documents, `memory.search` finds the account's memories in the agent's namespace, `calculator` evaluates an arithmetic expression, `time` tells the time in a zone. They need a model of an upstream: an agent with tools is refused (400) where only the embedded model would answer. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('UpdateAgentRequest/properties/tools')
  tools?: types.UpdateAgentRequest['tools'];

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('UpdateAgentRequest/properties/memory')
  memory?: types.UpdateAgentRequest['memory'];

  /** Anything: at most 256 values and 16 KiB. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('UpdateAgentRequest/properties/metadata')
  metadata?: types.UpdateAgentRequest['metadata'];
}
