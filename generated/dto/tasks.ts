// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsIn, IsInt, IsString, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('ListTasksQuery', { fromText: true })
export class ListTasksQuery implements types.ListTasksQuery {
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
  @IsIn(['created_at', 'finished_at', 'priority'])
  @IsString()
  sort: 'created_at' | 'finished_at' | 'priority' = 'created_at';

  /** The direction of the sort. */
  @IsIn(['asc', 'desc'])
  @IsString()
  order: 'asc' | 'desc' = 'desc';

  /** Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListTasksQuery/properties/start_date')
  start_date?: types.ListTasksQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListTasksQuery/properties/end_date')
  end_date?: types.ListTasksQuery['end_date'];

  /** Only tasks of this status. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['queued', 'running', 'succeeded', 'failed', 'cancelled'])
  @IsString()
  status?: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

  /** Only tasks of this priority. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['low', 'normal', 'high', 'urgent'])
  @IsString()
  priority?: 'low' | 'normal' | 'high' | 'urgent';

  /** Only tasks of this type. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['createMemory', 'queryMemories', 'searchMemories', 'createMemoryBatch', 'createAgent', 'generateWithAgent', 'chatWithAgent', 'indexRagDocument', 'retrieveRagChunks', 'generateWithRag', 'indexSearchItems', 'search', 'generateStory', 'createChatCompletion', 'createCompletion', 'createResponse', 'createEmbedding', 'processAdvanced', 'analyzeAdvanced', 'generateAdvanced', 'optimizeAdvanced', 'processInputs', 'analyzeInputs', 'generateFromInputs', 'transformInput', 'runOmmBatch'])
  @IsString()
  task_type?: 'createMemory' | 'queryMemories' | 'searchMemories' | 'createMemoryBatch' | 'createAgent' | 'generateWithAgent' | 'chatWithAgent' | 'indexRagDocument' | 'retrieveRagChunks' | 'generateWithRag' | 'indexSearchItems' | 'search' | 'generateStory' | 'createChatCompletion' | 'createCompletion' | 'createResponse' | 'createEmbedding' | 'processAdvanced' | 'analyzeAdvanced' | 'generateAdvanced' | 'optimizeAdvanced' | 'processInputs' | 'analyzeInputs' | 'generateFromInputs' | 'transformInput' | 'runOmmBatch';
}

@MatchesSchema('SubmitTaskRequest')
export class SubmitTaskRequest implements types.SubmitTaskRequest {
  /** The id of the operation that the task runs. */
  @IsIn(['createMemory', 'queryMemories', 'searchMemories', 'createMemoryBatch', 'createAgent', 'generateWithAgent', 'chatWithAgent', 'indexRagDocument', 'retrieveRagChunks', 'generateWithRag', 'indexSearchItems', 'search', 'generateStory', 'createChatCompletion', 'createCompletion', 'createResponse', 'createEmbedding', 'processAdvanced', 'analyzeAdvanced', 'generateAdvanced', 'optimizeAdvanced', 'processInputs', 'analyzeInputs', 'generateFromInputs', 'transformInput', 'runOmmBatch'])
  @IsString()
  task_type!: 'createMemory' | 'queryMemories' | 'searchMemories' | 'createMemoryBatch' | 'createAgent' | 'generateWithAgent' | 'chatWithAgent' | 'indexRagDocument' | 'retrieveRagChunks' | 'generateWithRag' | 'indexSearchItems' | 'search' | 'generateStory' | 'createChatCompletion' | 'createCompletion' | 'createResponse' | 'createEmbedding' | 'processAdvanced' | 'analyzeAdvanced' | 'generateAdvanced' | 'optimizeAdvanced' | 'processInputs' | 'analyzeInputs' | 'generateFromInputs' | 'transformInput' | 'runOmmBatch';

  /** The body of the operation. */
  @MatchesSchema('SubmitTaskRequest/properties/parameters')
  parameters!: types.SubmitTaskRequest['parameters'];

  @IsIn(['low', 'normal', 'high', 'urgent'])
  @IsString()
  priority: 'low' | 'normal' | 'high' | 'urgent' = 'normal';
}
