// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsIn, IsInt, IsOptional, IsString, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('CreateMemoryRequest')
export class CreateMemoryRequest implements types.CreateMemoryRequest {
  /** Names the memory in its namespace. */
  @MatchesSchema('CreateMemoryRequest/properties/key')
  key!: types.CreateMemoryRequest['key'];

  /** Search looks at its first 100,000 characters. */
  @MatchesSchema('CreateMemoryRequest/properties/value')
  value!: types.CreateMemoryRequest['value'];

  /** Anything to filter by later: at most 256 values and 16 KiB. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateMemoryRequest/properties/metadata')
  metadata?: types.CreateMemoryRequest['metadata'];

  @MatchesSchema('CreateMemoryRequest/properties/namespace')
  namespace: types.CreateMemoryRequest['namespace'] = 'default';

  /** How many seconds the memory is kept; null or absent means until it is replaced. */
  @IsOptional()
  @Min(1)
  @Max(31536000)
  @IsInt()
  ttl_seconds?: number | null;
}

/** A memory has to meet every filter that is given; none means all memories. */
@MatchesSchema('QueryMemoriesRequest')
export class QueryMemoriesRequest implements types.QueryMemoriesRequest {
  /** Absent means all namespaces. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('QueryMemoriesRequest/properties/namespace')
  namespace?: types.QueryMemoriesRequest['namespace'];

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('QueryMemoriesRequest/properties/keys')
  keys?: types.QueryMemoriesRequest['keys'];

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('QueryMemoriesRequest/properties/key_prefix')
  key_prefix?: types.QueryMemoriesRequest['key_prefix'];

  /** Only memories whose metadata contains all of this: at most 256 values and 16 KiB. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('QueryMemoriesRequest/properties/metadata')
  metadata?: types.QueryMemoriesRequest['metadata'];

  @Min(1)
  @Max(100)
  @IsInt()
  limit: number = 20;

  @Min(0)
  @Max(100000)
  @IsInt()
  offset: number = 0;

  @IsIn(['created_at', 'updated_at', 'key'])
  @IsString()
  sort: 'created_at' | 'updated_at' | 'key' = 'created_at';

  @IsIn(['asc', 'desc'])
  @IsString()
  order: 'asc' | 'desc' = 'desc';

  /** Only memories that were created at or after this time; a date alone is the midnight UTC that begins it. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('QueryMemoriesRequest/properties/start_date')
  start_date?: types.QueryMemoriesRequest['start_date'];

  /** Only memories that were created before this time; a date alone includes that day. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('QueryMemoriesRequest/properties/end_date')
  end_date?: types.QueryMemoriesRequest['end_date'];
}

@MatchesSchema('SearchMemoriesRequest')
export class SearchMemoriesRequest implements types.SearchMemoriesRequest {
  /** A memory with any of its words is found; its first 64 words count. */
  @MatchesSchema('SearchMemoriesRequest/properties/query')
  query!: types.SearchMemoriesRequest['query'];

  @Min(1)
  @Max(100)
  @IsInt()
  limit: number = 10;

  /** Absent means all namespaces. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('SearchMemoriesRequest/properties/namespace')
  namespace?: types.SearchMemoriesRequest['namespace'];

  /** Only memories whose metadata contains all of this: at most 256 values and 16 KiB. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('SearchMemoriesRequest/properties/metadata')
  metadata?: types.SearchMemoriesRequest['metadata'];
}

@MatchesSchema('CreateMemoryBatchRequest')
export class CreateMemoryBatchRequest implements types.CreateMemoryBatchRequest {
  /** Of items with the same namespace and key the last one is stored. */
  @MatchesSchema('CreateMemoryBatchRequest/properties/items')
  items!: types.CreateMemoryBatchRequest['items'];
}
