// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsIn, IsInt, IsString, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('IndexSearchItemsRequest')
export class IndexSearchItemsRequest implements types.IndexSearchItemsRequest {
  /** Of items with the same id the last one is stored. */
  @MatchesSchema('IndexSearchItemsRequest/properties/items')
  items!: types.IndexSearchItemsRequest['items'];
}

@MatchesSchema('SearchRequest')
export class SearchRequest implements types.SearchRequest {
  /** Words, `"phrases"`, `-word` and `-"phrase"`; the first 64 of them count. */
  @MatchesSchema('SearchRequest/properties/query')
  query!: types.SearchRequest['query'];

  @Min(1)
  @Max(100)
  @IsInt()
  limit: number = 20;

  @Min(0)
  @Max(900)
  @IsInt()
  offset: number = 0;

  /** Only items whose metadata contains all of this: at most 256 values and 16 KiB. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('SearchRequest/properties/filter')
  filter?: types.SearchRequest['filter'];

  /** Titles are sorted by their code points; items without one come last. */
  @IsIn(['score', 'created_at', 'updated_at', 'title'])
  @IsString()
  sort: 'score' | 'created_at' | 'updated_at' | 'title' = 'score';

  @IsIn(['asc', 'desc'])
  @IsString()
  order: 'asc' | 'desc' = 'desc';
}
