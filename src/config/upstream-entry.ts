import 'reflect-metadata';
import { Transform, Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsInt,
  IsOptional,
  Length,
  Matches,
  Max,
  Min,
  NotEquals,
  ValidateNested,
} from 'class-validator';

const TIMEOUT_MS_MAX = 3_600_000;
const MODELS_MAX = 1000;
const ALIASES_MAX = 100;

/** A name that is safe in a header and in a log line, and has no space at either end. */
const MODEL_NAME = /^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/;
const USD_PER_TOKEN = /^\d{1,6}(\.\d{1,9})?$/;

const ModelName = (each: boolean) =>
  Matches(MODEL_NAME, { each, message: 'must be 1 to 256 printable ASCII characters' });
/** For what upstream-terms.ts checks. */
const Checked = () => Allow();
const Milliseconds = () => Transform(({ value }) => (value === null ? undefined : (value as unknown)));
const Price = () => Transform(({ value }) => (typeof value === 'number' ? decimal(value) : value) as unknown);
const PriceText = () => Matches(USD_PER_TOKEN, { message: 'must be USD with at most nine decimals' });

/** A model with the field names of UPSTREAMS. */
export class UpstreamModelEntry {
  @ModelName(false) id!: string;
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(ALIASES_MAX)
  @ModelName(true)
  aliases?: string[] | null;
  @Price() @IsOptional() @PriceText() input_price_per_token_usd?: string | null;
  @Price() @IsOptional() @PriceText() output_price_per_token_usd?: string | null;
  @Checked() part_tokens?: unknown;
}

/** An upstream with the field names of UPSTREAMS, and the defaults of its time-outs. No message may repeat a value. */
export class UpstreamEntry {
  @Matches(/^[A-Za-z0-9_.-]{1,64}$/, { message: 'must be 1 to 64 letters, digits or _.-' })
  @NotEquals('embedded', { message: 'must not be embedded, which the service itself is called' })
  name!: string;
  @Length(1, 2048) base_url!: string;
  @IsOptional()
  @Matches(/^[\x21-\x7e]{1,4096}$/, { message: 'must be printable ASCII without spaces' })
  api_key?: string | null;
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MODELS_MAX)
  @ValidateNested({ each: true })
  @Type(() => UpstreamModelEntry)
  models?: UpstreamModelEntry[] | null;
  @Checked() part_tokens?: unknown;
  @Checked() pass_fields?: unknown;
  @Milliseconds() @IsOptional() @IsInt() @Min(1) @Max(TIMEOUT_MS_MAX) connect_timeout_ms = 5000;
  @Milliseconds() @IsOptional() @IsInt() @Min(1) @Max(TIMEOUT_MS_MAX) first_byte_timeout_ms = 110_000;
  @Milliseconds() @IsOptional() @IsInt() @Min(1) @Max(TIMEOUT_MS_MAX) total_timeout_ms = 600_000;
}

/** A number as decimal text. One that is not whole in nano-USD stays a number, which the rule for prices refuses. */
function decimal(usd: number): string | number {
  const text = usd.toFixed(9);
  return Number(text) === usd ? text.replace(/\.?0+$/, '') : usd;
}
