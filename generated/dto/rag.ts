// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsBoolean, IsIn, IsInt, IsNumber, IsOptional, IsString, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('IndexRagDocumentRequest')
export class IndexRagDocumentRequest implements types.IndexRagDocumentRequest {
  /** Plain text or Markdown. It has to hold a letter or a digit. */
  @MatchesSchema('IndexRagDocumentRequest/properties/content')
  content!: types.IndexRagDocumentRequest['content'];

  /** Anything to filter by later: at most 256 values and 16 KiB. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('IndexRagDocumentRequest/properties/metadata')
  metadata?: types.IndexRagDocumentRequest['metadata'];

  /** What to group documents by. */
  @MatchesSchema('IndexRagDocumentRequest/properties/collection')
  collection: types.IndexRagDocumentRequest['collection'] = 'default';

  /** An id of your own; absent means that one is made. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('IndexRagDocumentRequest/properties/document_id')
  document_id?: types.IndexRagDocumentRequest['document_id'];

  /** Whether the embedded engine may answer in place of a failing upstream; absent means no. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  allow_degraded?: boolean;
}

@MatchesSchema('RetrieveRagChunksRequest')
export class RetrieveRagChunksRequest implements types.RetrieveRagChunksRequest {
  /** Its first 64 words count. */
  @MatchesSchema('RetrieveRagChunksRequest/properties/query')
  query!: types.RetrieveRagChunksRequest['query'];

  /** How many chunks at most. */
  @Min(1)
  @Max(50)
  @IsInt()
  top_k: number = 5;

  /** Absent means all collections. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('RetrieveRagChunksRequest/properties/collection')
  collection?: types.RetrieveRagChunksRequest['collection'];

  /** Only documents whose metadata contains all of this: at most 256 values and 16 KiB. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('RetrieveRagChunksRequest/properties/filter')
  filter?: types.RetrieveRagChunksRequest['filter'];

  /** Chunks with a smaller score are left out; absent means none is. What a score says depends on the method, see `score`. */
  @ValidateIf((_, value) => value !== undefined)
  @Min(0)
  @Max(1)
  @IsNumber()
  min_score?: number;

  /** Whether the embedded engine may answer in place of a failing upstream; absent means no. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  allow_degraded?: boolean;
}

@MatchesSchema('GenerateWithRagRequest')
export class GenerateWithRagRequest implements types.GenerateWithRagRequest {
  @MatchesSchema('GenerateWithRagRequest/properties/query')
  query!: types.GenerateWithRagRequest['query'];

  /** How many chunks at most. */
  @Min(1)
  @Max(50)
  @IsInt()
  top_k: number = 5;

  /** Absent means all collections. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateWithRagRequest/properties/collection')
  collection?: types.GenerateWithRagRequest['collection'];

  /** Only documents whose metadata contains all of this: at most 256 values and 16 KiB. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateWithRagRequest/properties/filter')
  filter?: types.GenerateWithRagRequest['filter'];

  /** Chunks with a smaller score are left out; absent means none is. What a score says depends on the method, see `score`. */
  @ValidateIf((_, value) => value !== undefined)
  @Min(0)
  @Max(1)
  @IsNumber()
  min_score?: number;

  /** Null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateWithRagRequest/properties/model')
  model?: types.GenerateWithRagRequest['model'];

  @IsOptional()
  @Min(0)
  @Max(2)
  @IsNumber()
  temperature?: number | null;

  /** The most output tokens; null or absent means the service's default. */
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

@MatchesSchema('ListRagDocumentsQuery', { fromText: true })
export class ListRagDocumentsQuery implements types.ListRagDocumentsQuery {
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
  @IsIn(['created_at', 'updated_at', 'document_id'])
  @IsString()
  sort: 'created_at' | 'updated_at' | 'document_id' = 'created_at';

  /** The direction of the sort. */
  @IsIn(['asc', 'desc'])
  @IsString()
  order: 'asc' | 'desc' = 'desc';

  /** Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListRagDocumentsQuery/properties/start_date')
  start_date?: types.ListRagDocumentsQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListRagDocumentsQuery/properties/end_date')
  end_date?: types.ListRagDocumentsQuery['end_date'];

  /** Only documents of this collection. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListRagDocumentsQuery/properties/collection')
  collection?: types.ListRagDocumentsQuery['collection'];
}
