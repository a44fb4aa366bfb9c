import { Transform } from 'class-transformer';
import { IsEmail, IsIn, IsInt, IsOptional, Length, Matches, Max, Min, MinLength } from 'class-validator';

const Integer = () =>
  Transform(({ value }) => (/^\d+$/.test(String(value)) ? Number(value) : (value as unknown)));

const HTTP_URL = /^https?:\/\/[^\s]+$/;

/** The environment variables under their own names, with their defaults. Only Configuration uses this class. */
export class Environment {
  @Integer() @IsInt() @Min(0) @Max(65_535) PORT = 3000;
  @Length(1, 255) HOST = '127.0.0.1';
  @Length(1, 4096) DATA_DIR = '.data';
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: 'must be a postgres:// URL' })
  DATABASE_URL?: string;
  @IsOptional() @Length(1, 1000) DATABASE_PASSWORD?: string;
  @IsOptional() @Matches(/^rediss?:\/\//, { message: 'must be a redis:// URL' }) REDIS_URL?: string;
  @Matches(/^[\w:.-]{1,64}$/, { message: 'must be 1 to 64 letters, digits or :.-_' })
  REDIS_KEY_PREFIX = 'api:';
  @Integer() @IsInt() @Min(10) @Max(10_000) REDIS_TIMEOUT_MS = 150;
  @IsIn(['all', 'api', 'worker', 'migrate']) ROLE: 'all' | 'api' | 'worker' | 'migrate' = 'all';
  @IsIn(['true', 'false']) MIGRATE_AT_START: 'true' | 'false' = 'true';
  @IsIn(['test', 'live']) SERVICE_ENVIRONMENT: 'test' | 'live' = 'test';
  @IsOptional() @MinLength(32, { message: 'must be at least 32 bytes' }) JWT_SECRET?: string;
  @IsOptional() @IsEmail() ADMIN_EMAIL?: string;
  @IsOptional() @Length(8, 128) ADMIN_PASSWORD?: string;
  @IsIn(['true', 'false']) ADMIN_PROMOTE: 'true' | 'false' = 'false';
  @Matches(/^\d{1,6}(\.\d{1,9})?$/, { message: 'must be an amount in USD' }) WELCOME_CREDIT_USD = '0';
  @IsOptional() @Length(1, 4096) RATE_TIERS_FILE?: string;
  @IsOptional() @Length(1, 4096) PRICES_FILE?: string;
  @Integer() @IsInt() @Min(1) @Max(32_768) DEFAULT_OUTPUT_TOKENS_MAX = 1024;
  @IsOptional() UPSTREAMS?: string;
  @Integer() @IsInt() @Min(1) @Max(100_000) IMAGE_TOKENS_MAX = 1_536;
  @IsIn(['true', 'false']) STRICT_MODELS: 'true' | 'false' = 'false';
  @Matches(/^[\x21-\x7e]{0,256}$/, { message: 'must be the name of a model, or none' })
  RETRIEVAL_EMBEDDING_MODEL = '';
  @Integer() @IsInt() @Min(16) @Max(65_536) RETRIEVAL_VECTORS_MB_MAX = 256;
  @IsIn(['fatal', 'error', 'warn', 'log', 'debug', 'verbose']) LOG_LEVEL = 'log';
  @Integer() @IsInt() @Min(2) @Max(500) DATABASE_POOL_SIZE_MAX = 20;
  @Integer() @IsInt() @Min(1) @Max(1_024) ACCOUNT_SHARDS = 1;
  @IsOptional() @MinLength(32, { message: 'must be at least 32 bytes' }) METRICS_TOKEN?: string;
  @IsOptional()
  @Matches(HTTP_URL, { message: 'must be an http:// or https:// URL' })
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  @Integer() @IsInt() @Min(1) @Max(1200) USAGE_RETENTION_MONTHS = 24;
  @IsOptional() @Length(1, 1000) TRUSTED_PROXIES?: string;
  @Integer() @IsInt() @Min(100) @Max(3_600_000) STALLED_WRITE_TIMEOUT_MS = 20_000;
  @IsOptional() @Integer() @IsInt() @Min(1_048_576) @Max(1_099_511_627_776) UNSENT_BYTES_MAX?: number;
  @IsIn(['true', 'false']) ALLOW_INSECURE_WEBHOOKS: 'true' | 'false' = 'false';
  @IsIn(['true', 'false']) ALLOW_INSECURE_INPUT_URLS: 'true' | 'false' = 'false';
  @IsOptional() @Length(1, 4096) OUTBOUND_CA_FILE?: string;
  @IsOptional() @Length(1, 200) BTC_XPUB?: string;
  @IsOptional() @Matches(HTTP_URL, { message: 'must be an http:// or https:// URL' }) BTC_RPC_URL?: string;
  @IsOptional()
  @Matches(HTTP_URL, { message: 'must be an http:// or https:// URL' })
  BTC_ESPLORA_URL?: string;
  @IsOptional() @Length(1, 200) ETH_XPUB?: string;
  @IsOptional() @Matches(HTTP_URL, { message: 'must be an http:// or https:// URL' }) ETH_RPC_URL?: string;
  @IsOptional() @Length(1, 200) SOL_MERCHANT_ADDRESS?: string;
  @IsOptional() @Length(1, 1_048_576) SOL_ADDRESS_POOL?: string;
  @IsOptional() @Matches(HTTP_URL, { message: 'must be an http:// or https:// URL' }) SOL_RPC_URL?: string;
  @Integer() @IsInt() @Min(5) @Max(1_440) PAYMENT_EXPIRY_MINUTES = 15;
  @Integer() @IsInt() @Min(1) @Max(600) PAYMENT_POLL_SECONDS = 15;
  @IsOptional() @Length(1, 4096) PAYMENT_CONFIRMATIONS_FILE?: string;
  @IsOptional() @Length(1, 1_048_576) PRICE_SOURCES?: string;
}
