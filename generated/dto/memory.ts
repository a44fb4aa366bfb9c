// Generated from openapi/ by `npm run generate`. Do not edit.
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsInt, IsObject, IsString, Max, Min } from 'class-validator';
import { HasCodePoints } from '../../src/contract/constraints/has-code-points';
import { MayBeAbsent } from '../../src/contract/constraints/may-be-absent';
import { MayBeNull } from '../../src/contract/constraints/may-be-null';
import { Nested } from '../../src/contract/constraints/nested';
import { where } from '../../src/contract/constraints/where';
import type * as types from '../types';

export class CreateMemoryRequest implements types.CreateMemoryRequest {
  /** Names the memory in its namespace. */
  @HasCodePoints({ min: 1, max: 255 })
  @IsString()
  key!: string;

  /** Search looks at its first 100,000 characters. */
  @HasCodePoints({ min: 1, max: 400000 })
  @IsString()
  value!: string;

  /** Anything to filter by later: at most 256 values and 16 KiB. */
  @MayBeAbsent()
  @IsObject()
  metadata?: Record<string, unknown>;

  @HasCodePoints({ min: 1, max: 100 })
  @IsString()
  namespace: string = 'default';

  /** How long the memory lives; null or absent means until it is replaced. */
  @MayBeAbsent()
  @MayBeNull()
  @Max(31536000)
  @Min(1)
  @IsInt()
  ttl_seconds?: number | null;
}

/** A memory has to meet every filter that is given; none means all memories. */
export class QueryMemoriesRequest implements types.QueryMemoriesRequest {
  /** Absent means all namespaces. */
  @MayBeAbsent()
  @HasCodePoints({ min: 1, max: 100 })
  @IsString()
  namespace?: string;

  @MayBeAbsent()
  @HasCodePoints({ min: 1, max: 255 }, where.eachItem)
  @IsString(where.eachItem)
  @ArrayMaxSize(100)
  @ArrayMinSize(1)
  @IsArray()
  keys?: string[];

  @MayBeAbsent()
  @HasCodePoints({ min: 1, max: 255 })
  @IsString()
  key_prefix?: string;

  /** Only memories whose metadata contains all of this: at most 256 values and 16 KiB. */
  @MayBeAbsent()
  @IsObject()
  metadata?: Record<string, unknown>;

  @Max(100)
  @Min(1)
  @IsInt()
  limit: number = 20;

  @Max(100000)
  @Min(0)
  @IsInt()
  offset: number = 0;

  /** By the time of creation. */
  @IsIn(['asc', 'desc'])
  @IsString()
  order: 'asc' | 'desc' = 'desc';
}

export class SearchMemoriesRequest implements types.SearchMemoriesRequest {
  /** A memory with any of its words is found; its first 64 words count. */
  @HasCodePoints({ min: 1, max: 10000 })
  @IsString()
  query!: string;

  @Max(100)
  @Min(1)
  @IsInt()
  limit: number = 10;

  /** Absent means all namespaces. */
  @MayBeAbsent()
  @HasCodePoints({ min: 1, max: 100 })
  @IsString()
  namespace?: string;

  /** Only memories whose metadata contains all of this: at most 256 values and 16 KiB. */
  @MayBeAbsent()
  @IsObject()
  metadata?: Record<string, unknown>;
}

export class CreateMemoryBatchRequest implements types.CreateMemoryBatchRequest {
  /** Of items with the same namespace and key the last one is stored. */
  @Nested(() => CreateMemoryRequest)
  @IsObject(where.eachItem)
  @ArrayMaxSize(100)
  @ArrayMinSize(1)
  @IsArray()
  items!: CreateMemoryRequest[];
}
