// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('UploadDocumentRequest')
export class UploadDocumentRequest implements types.UploadDocumentRequest {
  /** The file with its name, of at most 25 MiB. */
  @MatchesSchema('UploadDocumentRequest/properties/file')
  file!: types.UploadDocumentRequest['file'];

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('UploadDocumentRequest/properties/metadata')
  metadata?: types.UploadDocumentRequest['metadata'];
}

@MatchesSchema('ListDocumentsQuery', { fromText: true })
export class ListDocumentsQuery implements types.ListDocumentsQuery {
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

  /** Only documents in this state. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['uploaded', 'processing', 'ready', 'failed'])
  @IsString()
  status?: 'uploaded' | 'processing' | 'ready' | 'failed';

  /** Only documents of this format. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['txt', 'md', 'html', 'csv', 'json', 'pdf', 'docx', 'png', 'jpeg', 'webp'])
  @IsString()
  type?: 'txt' | 'md' | 'html' | 'csv' | 'json' | 'pdf' | 'docx' | 'png' | 'jpeg' | 'webp';

  /** The field that orders the list. */
  @IsIn(['created_at', 'updated_at', 'title', 'size_bytes'])
  @IsString()
  sort: 'created_at' | 'updated_at' | 'title' | 'size_bytes' = 'created_at';

  /** The direction of the sort. */
  @IsIn(['asc', 'desc'])
  @IsString()
  order: 'asc' | 'desc' = 'desc';

  /** Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListDocumentsQuery/properties/start_date')
  start_date?: types.ListDocumentsQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListDocumentsQuery/properties/end_date')
  end_date?: types.ListDocumentsQuery['end_date'];
}

/** At least one of `what` and `schema` is given. */
@MatchesSchema('ExtractDocumentRequest')
export class ExtractDocumentRequest implements types.ExtractDocumentRequest {
  /** What is looked for; with a `schema`, what the model is to look for above all. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ExtractDocumentRequest/properties/what')
  what?: types.ExtractDocumentRequest['what'];

  /** A JSON Schema of what is wanted, for a model of an upstream. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ExtractDocumentRequest/properties/schema')
  schema?: types.ExtractDocumentRequest['schema'];

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ExtractDocumentRequest/properties/model')
  model?: types.ExtractDocumentRequest['model'];

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
