// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('GenerateDocsRequest')
export class GenerateDocsRequest implements types.GenerateDocsRequest {
  @IsIn(['readme', 'api', 'guide', 'changelog'])
  @IsString()
  kind!: 'readme' | 'api' | 'guide' | 'changelog';

  /** The page's title, such as the product's name; an API's reference has that of its document. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateDocsRequest/properties/title')
  title?: types.GenerateDocsRequest['title'];

  /** What is to be documented. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateDocsRequest/properties/brief')
  brief?: types.GenerateDocsRequest['brief'];

  /** The source: an OpenAPI 3 document in JSON for `api`, commits for `changelog` (one a line, or as `git log` prints them), a text of the product or its package.json for `readme` and `guide`. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateDocsRequest/properties/content')
  content?: types.GenerateDocsRequest['content'];

  /** The id of an uploaded document of the account that is `ready`, in place of `content`. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateDocsRequest/properties/document_id')
  document_id?: types.GenerateDocsRequest['document_id'];

  /** The release that a changelog is about; null or absent for what is not released yet. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateDocsRequest/properties/version')
  version?: types.GenerateDocsRequest['version'];

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GenerateDocsRequest/properties/model')
  model?: types.GenerateDocsRequest['model'];

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

@MatchesSchema('ImproveDocsRequest')
export class ImproveDocsRequest implements types.ImproveDocsRequest {
  /** The text itself. Exactly one of `content` and `document_id` is given. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ImproveDocsRequest/properties/content')
  content?: types.ImproveDocsRequest['content'];

  /** The id of an uploaded document of the account that is `ready`, in place of `content`. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ImproveDocsRequest/properties/document_id')
  document_id?: types.ImproveDocsRequest['document_id'];

  /** For whom the page is; only a model of an upstream can heed it. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ImproveDocsRequest/properties/audience')
  audience?: types.ImproveDocsRequest['audience'];

  /** How many suggestions there are at most; the first ones in the text are kept. */
  @Min(1)
  @Max(200)
  @IsInt()
  suggestions_max: number = 50;

  /** The model of an upstream that is asked; null or absent means the default model. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ImproveDocsRequest/properties/model')
  model?: types.ImproveDocsRequest['model'];

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

@MatchesSchema('StructureDocsRequest')
export class StructureDocsRequest implements types.StructureDocsRequest {
  /** The text itself. Exactly one of `content` and `document_id` is given. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('StructureDocsRequest/properties/content')
  content?: types.StructureDocsRequest['content'];

  /** The id of an uploaded document of the account that is `ready`, in place of `content`. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('StructureDocsRequest/properties/document_id')
  document_id?: types.StructureDocsRequest['document_id'];

  /** How deep the table of contents goes. */
  @Min(1)
  @Max(6)
  @IsInt()
  depth_max: number = 6;
}
