import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { Transform } from 'class-transformer';
import { IsEmail, IsIn, IsInt, IsOptional, Length, Matches, Max, Min, MinLength } from 'class-validator';
import ipaddr from 'ipaddr.js';

/** The variables that are secrets, or addresses that may hold a password. */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_PASSWORD',
  'REDIS_URL',
  'JWT_SECRET',
  'ADMIN_PASSWORD',
  'METRICS_TOKEN',
  'UPSTREAMS',
  'BTC_XPUB',
  'BTC_RPC_URL',
  'BTC_ESPLORA_URL',
  'ETH_XPUB',
  'ETH_RPC_URL',
  'SOL_RPC_URL',
  'PRICE_SOURCES',
] as const;

/** No secret is longer; a larger file is another one than was meant. */
const SECRET_BYTES_MAX = 1_048_576;

interface SecretFiles {
  /** The environment with every `NAME_FILE` replaced by `NAME`. */
  environment: NodeJS.ProcessEnv;
  /** Each names a variable and what is wrong with its file, and nothing of what the file holds. */
  faults: string[];
}

/**
 * Reads the secrets that are given as files, as Docker and Kubernetes hand them over: `JWT_SECRET_FILE` is the path of
 * a file that holds what would be in `JWT_SECRET`. A line end at the end of the file is not part of the secret.
 */
export function readSecretFiles(environment: NodeJS.ProcessEnv): SecretFiles {
  const read: NodeJS.ProcessEnv = { ...environment };
  const faults: string[] = [];
  for (const name of SECRET_VARIABLES) {
    const path = environment[`${name}_FILE`];
    delete read[`${name}_FILE`];
    if (path === undefined || path === '') {
      continue;
    }
    if (environment[name] !== undefined && environment[name] !== '') {
      faults.push(`${name} and ${name}_FILE exclude each other`);
      continue;
    }
    try {
      read[name] = contentOf(path);
    } catch (error) {
      faults.push(`${name}_FILE: ${(error as Error).message}`);
    }
  }
  return { environment: read, faults };
}

/** @throws Error that names the file */
function contentOf(path: string): string {
  const bytes = readFileSync(path);
  if (bytes.length > SECRET_BYTES_MAX) {
    throw new Error(`${path} is larger than a secret`);
  }
  const secret = bytes.toString('utf8').replace(/\r?\n$/, '');
  if (secret === '') {
    throw new Error(`${path} is empty`);
  }
  return secret;
}

const BITS = { 4: 32, 6: 128 } as const;

interface AddressRange {
  version: 4 | 6;
  first: bigint;
  last: bigint;
}

/**
 * What is wrong with the value of TRUSTED_PROXIES: null where nothing is. Ranges that together hold all IPv4 or all
 * IPv6 addresses are refused, because whoever calls could then choose the address that the service takes for his, and
 * with it whose allowance his calls use up.
 */
export function trustedProxiesFault(list: string): string | null {
  const ranges = list.split(',').map((text) => rangeOf(text.trim()));
  if (ranges.some((range) => range === null)) {
    return 'TRUSTED_PROXIES must be addresses or ranges, separated by commas';
  }
  const known = ranges.filter((range) => range !== null);
  return holdsAll(known, 4) || holdsAll(known, 6)
    ? 'TRUSTED_PROXIES trusts every address, so that any caller could name an address of his choice as his own; ' +
        'name the proxies alone'
    : null;
}

/**
 * The addresses of `10.0.0.1` or `10.0.0.0/8`; null for any other text. A range of IPv4 addresses in their IPv6 form is one of
 * IPv4 addresses: as such the service compares it.
 */
function rangeOf(text: string): AddressRange | null {
  const version = isIP(text);
  const cidr = version === 0 ? text : `${text}/${version === 4 ? 32 : 128}`;
  // The library also takes addresses in spellings that Node does not, such as 10.1.
  if (isIP(cidr.slice(0, cidr.indexOf('/'))) === 0 || !ipaddr.isValidCIDR(cidr)) {
    return null;
  }
  const [address, bits] = ipaddr.parseCIDR(cidr);
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96
    ? addressesOf(address.toIPv4Address(), bits - 96)
    : addressesOf(address, bits);
}

function addressesOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): AddressRange {
  const version = address.kind() === 'ipv4' ? 4 : 6;
  const number = address.toByteArray().reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const size = 1n << BigInt(BITS[version] - bits);
  const first = number - (number % size);
  return { version, first, last: first + size - 1n };
}

/** Whether the ranges of one version, put side by side in order, leave no address out. */
function holdsAll(ranges: readonly AddressRange[], version: 4 | 6): boolean {
  const ofVersion = ranges.filter((range) => range.version === version);
  ofVersion.sort((a, b) => (a.first < b.first ? -1 : 1));
  let next = 0n;
  for (const { first, last } of ofVersion) {
    if (first > next) {
      return false;
    }
    next = last >= next ? last + 1n : next;
  }
  return next === 1n << BigInt(BITS[version]);
}

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
