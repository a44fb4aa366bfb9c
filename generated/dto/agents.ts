// Generated from openapi/ by `npm run generate`. Do not edit.
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsBoolean, IsIn, IsInt, IsNumber, IsObject, IsString, Max, Min } from 'class-validator';
import { FromText } from '../../src/contract/constraints/from-text';
import { HasCodePoints } from '../../src/contract/constraints/has-code-points';
import { MayBeAbsent } from '../../src/contract/constraints/may-be-absent';
import { MayBeNull } from '../../src/contract/constraints/may-be-null';
import { Nested } from '../../src/contract/constraints/nested';
import { where } from '../../src/contract/constraints/where';
import type * as types from '../types';

/** The query of GET /api/hub/agents. */
export class ListAgentsQuery implements types.ListAgentsQuery {
  /** How many records to return. */
  @FromText('integer')
  @Max(100)
  @Min(1)
  @IsInt()
  limit: number = 20;

  /** How many records to skip. */
  @FromText('integer')
  @Max(100000)
  @Min(0)
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
}

export class AgentMemory implements types.AgentMemory {
  /** Whether the model is told the memories that match the last user message, 4,000 tokens of them at most. */
  @IsBoolean()
  enabled: boolean = false;

  /** The memories that the agent knows and searches. */
  @HasCodePoints({ min: 1, max: 100 })
  @IsString()
  namespace: string = 'default';

  /** How many memories at most. */
  @Max(20)
  @Min(1)
  @IsInt()
  top_k: number = 5;
}

export class CreateAgentRequest implements types.CreateAgentRequest {
  /** Need not be unique. */
  @HasCodePoints({ min: 1, max: 200 })
  @IsString()
  name!: string;

  /** What the model is told before the messages. */
  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 100000 })
  @IsString()
  system_prompt?: string | null;

  /** Null or absent means the default model. */
  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ min: 1, max: 200 })
  @IsString()
  model?: string | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(2)
  @Min(0)
  @IsNumber()
  temperature?: number | null;

  /** The most output tokens of one step; null or absent means the service's default. */
  @MayBeAbsent()
  @MayBeNull()
  @Max(32768)
  @Min(1)
  @IsInt()
  max_tokens?: number | null;

  /** What the model may call: `memory.search` finds the account's memories in the agent's namespace, `calculator` evaluates an arithmetic expression, `time` tells the time in a zone. A tool that this service does not have yet, as `rag.retrieve`, is refused (422). */
  @MayBeAbsent()
  @IsIn(['rag.retrieve', 'memory.search', 'calculator', 'time'], where.eachItem)
  @IsString(where.eachItem)
  @ArrayUnique()
  @ArrayMaxSize(4)
  @IsArray()
  tools?: ('rag.retrieve' | 'memory.search' | 'calculator' | 'time')[];

  @MayBeAbsent()
  @Nested(() => AgentMemory)
  @IsObject()
  memory?: AgentMemory;

  /** Anything: at most 256 values and 16 KiB. */
  @MayBeAbsent()
  @IsObject()
  metadata?: Record<string, unknown>;
}

export class GenerateWithAgentRequest implements types.GenerateWithAgentRequest {
  @HasCodePoints({ min: 1, max: 400000 })
  @IsString()
  prompt!: string;

  /** Null or absent means no agent. */
  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 100 })
  @IsString()
  agent_id?: string | null;

  /** What the model is told before the messages. */
  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 100000 })
  @IsString()
  system_prompt?: string | null;

  /** Null or absent means the default model. */
  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ min: 1, max: 200 })
  @IsString()
  model?: string | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(2)
  @Min(0)
  @IsNumber()
  temperature?: number | null;

  /** The most output tokens of one step; null or absent means the service's default. */
  @MayBeAbsent()
  @MayBeNull()
  @Max(32768)
  @Min(1)
  @IsInt()
  max_tokens?: number | null;

  /** Whether the embedded engine may answer in place of a failing upstream; absent means no. */
  @MayBeAbsent()
  @IsBoolean()
  allow_degraded?: boolean;
}

export class AgentMessage implements types.AgentMessage {
  @IsIn(['system', 'user', 'assistant'])
  @IsString()
  role!: 'system' | 'user' | 'assistant';

  @HasCodePoints({ max: 400000 })
  @IsString()
  content!: string;
}

export class ChatWithAgentRequest implements types.ChatWithAgentRequest {
  @Nested(() => AgentMessage)
  @IsObject(where.eachItem)
  @ArrayMaxSize(1000)
  @ArrayMinSize(1)
  @IsArray()
  messages!: AgentMessage[];

  /** Null or absent means no agent. */
  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 100 })
  @IsString()
  agent_id?: string | null;

  /** Null or absent means the default model. */
  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ min: 1, max: 200 })
  @IsString()
  model?: string | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(2)
  @Min(0)
  @IsNumber()
  temperature?: number | null;

  /** The most output tokens of one step; null or absent means the service's default. */
  @MayBeAbsent()
  @MayBeNull()
  @Max(32768)
  @Min(1)
  @IsInt()
  max_tokens?: number | null;

  /** Whether the answer arrives as server-sent events. */
  @MayBeAbsent()
  @IsBoolean()
  stream?: boolean;

  /** Whether the embedded engine may answer in place of a failing upstream; absent means no. */
  @MayBeAbsent()
  @IsBoolean()
  allow_degraded?: boolean;
}

export class UpdateAgentRequest implements types.UpdateAgentRequest {
  @MayBeAbsent()
  @HasCodePoints({ min: 1, max: 200 })
  @IsString()
  name?: string;

  /** What the model is told before the messages. */
  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ max: 100000 })
  @IsString()
  system_prompt?: string | null;

  /** Null or absent means the default model. */
  @MayBeAbsent()
  @MayBeNull()
  @HasCodePoints({ min: 1, max: 200 })
  @IsString()
  model?: string | null;

  @MayBeAbsent()
  @MayBeNull()
  @Max(2)
  @Min(0)
  @IsNumber()
  temperature?: number | null;

  /** The most output tokens of one step; null or absent means the service's default. */
  @MayBeAbsent()
  @MayBeNull()
  @Max(32768)
  @Min(1)
  @IsInt()
  max_tokens?: number | null;

  /** What the model may call: `memory.search` finds the account's memories in the agent's namespace, `calculator` evaluates an arithmetic expression, `time` tells the time in a zone. A tool that this service does not have yet, as `rag.retrieve`, is refused (422). */
  @MayBeAbsent()
  @IsIn(['rag.retrieve', 'memory.search', 'calculator', 'time'], where.eachItem)
  @IsString(where.eachItem)
  @ArrayUnique()
  @ArrayMaxSize(4)
  @IsArray()
  tools?: ('rag.retrieve' | 'memory.search' | 'calculator' | 'time')[];

  @MayBeAbsent()
  @Nested(() => AgentMemory)
  @IsObject()
  memory?: AgentMemory;

  /** Anything: at most 256 values and 16 KiB. */
  @MayBeAbsent()
  @IsObject()
  metadata?: Record<string, unknown>;
}
