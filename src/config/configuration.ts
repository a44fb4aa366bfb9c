import { resolve } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { Expose, plainToInstance, Transform } from 'class-transformer';
import {
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  Length,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateBy,
  validateSync,
} from 'class-validator';
import { isBaseUrl, misspelledNames, proxyFaults, readSecretFiles, trustedProxiesFault } from './environment';
import { addressWithPassword, hostsFault, isReadableAddress, passwordFault } from './server-addresses';
import { readUpstreams, type UpstreamSettings } from './upstream-settings';

export const VARIABLES = new Map<string, string>();

/** Binds an environment variable; faults and docs/configuration.md use its name. */
function Variable(name: string) {
  return (target: object, property: string): void => {
    Expose({ name })(target, property);
    VARIABLES.set(property, name);
  };
}

const Whole = (min: number, max: number) => (target: object, property: string) => {
  const decorators = [Max(max), Min(min), IsInt(), Transform(({ value }) => wholeNumber(value))];
  decorators.forEach((decorate) => decorate(target, property));
};

function wholeNumber(value: unknown): unknown {
  return /^\d+$/.test(String(value)) ? Number(value) : value;
}

const FLAGS = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
]);

const Flag = () => (target: object, property: string) => {
  IsIn([...FLAGS.values()])(target, property);
  Transform(({ value }) => FLAGS.get(value) ?? (value as unknown))(target, property);
};

/** May hold user and password, so no fault may repeat it. */
const Address = (form: RegExp, kind: string) =>
  ValidateBy({
    name: 'address',
    validator: {
      validate: (value) => form.test(String(value)) && isReadableAddress(String(value)),
      defaultMessage: () => `must be ${kind} URL, in which a user and a password are percent-encoded`,
    },
  });
const HttpUrl = () => Address(/^https?:\/\/[^\s]+$/, 'an http:// or https://');
const BaseUrl = () =>
  ValidateBy({
    name: 'baseUrl',
    validator: {
      validate: (value) => isBaseUrl(String(value)),
      defaultMessage: () => 'must be an http:// or https:// URL without credentials, query and fragment',
    },
  });
const Secret = () => MinLength(32, { message: 'must be at least 32 bytes' });
const PostgresUrl = () => Address(/^postgres(ql)?:\/\//, 'a postgres://');

/** Null means no payments; in the test environment a sandbox plays that chain. */
interface PaymentSettings {
  readonly btc: { readonly xpub: string; readonly node: BitcoinNodeSettings } | null;
  readonly eth: { readonly xpub: string; readonly rpcUrl: string } | null;
  readonly sol: { readonly places: SolanaPlaceSettings; readonly rpcUrl: string } | null;
}

interface BitcoinNodeSettings {
  readonly kind: 'core' | 'esplora';
  readonly url: string;
}

/** `pool`: addresses separated by white space or commas, or the path of a file with them. */
type SolanaPlaceSettings = { readonly merchantAddress: string } | { readonly pool: string };

export class InvalidConfiguration extends Error {
  constructor(readonly faults: string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/** An unsent answer is in memory about three times, and running calls will add theirs. */
const HEAP_PER_UNSENT_BYTE = 8;

/** The environment, parsed once. Absent or empty variables leave these defaults. */
export class Configuration {
  @Variable('PORT') @Whole(0, 65_535) readonly port: number = 3000;
  @Variable('HOST') @Length(1, 255) readonly host: string = '127.0.0.1';
  @Variable('DATA_DIR') @Length(1, 4096) readonly dataPath: string = '.data';
  @Variable('DATABASE_URL') @IsOptional() @PostgresUrl() readonly givenDatabaseUrl: string | null = null;
  /** Leads to Postgres itself, where DATABASE_URL leads to a pooler. Without the separate password. */
  @Variable('DATABASE_SESSION_URL')
  @IsOptional()
  @PostgresUrl()
  readonly givenDatabaseSessionUrl: string | null = null;
  @Variable('DATABASE_PASSWORD') @IsOptional() @Length(1, 1000) readonly databasePassword: string | null =
    null;
  @Variable('REDIS_URL')
  @IsOptional()
  @Address(/^rediss?:\/\/[^/?#]*(\/\d*)?(\?.*)?$/, 'a redis://host:port/number-of-database')
  readonly givenRedisUrl: string | null = null;
  @Variable('REDIS_PASSWORD') @IsOptional() @Length(1, 1000) readonly redisPassword: string | null = null;
  @Variable('REDIS_KEY_PREFIX')
  @Matches(/^[\w:.-]{1,64}$/, { message: 'must be 1 to 64 letters, digits or :.-_' })
  readonly redisKeyPrefix: string = 'api:';
  @Variable('REDIS_TIMEOUT_MS') @Whole(10, 10_000) readonly redisTimeoutMs: number = 150;
  @Variable('ROLE')
  @IsIn(['all', 'api', 'worker', 'migrate'])
  readonly role: 'all' | 'api' | 'worker' | 'migrate' = 'all';
  @Variable('MIGRATE_AT_START') @Flag() readonly migratesAtStart: boolean = true;
  @Variable('SERVICE_ENVIRONMENT') @IsIn(['test', 'live']) readonly environment: 'test' | 'live' = 'test';
  @Variable('JWT_SECRET') @IsOptional() @Secret() readonly jwtSecret: string | null = null;
  @Variable('ADMIN_EMAIL') @IsOptional() @IsEmail() readonly adminEmail: string | null = null;
  @Variable('ADMIN_PASSWORD') @IsOptional() @Length(8, 128) readonly adminPassword: string | null = null;
  @Variable('ADMIN_PROMOTE') @Flag() readonly adminPromote: boolean = false;
  @Variable('WELCOME_CREDIT_USD')
  @Matches(/^\d{1,6}(\.\d{1,9})?$/, { message: 'must be an amount in USD' })
  readonly welcomeCreditUsd: string = '0';
  /** Where browsers reach the service, with a proxy's path. Links in e-mails begin with it. */
  @Variable('PUBLIC_URL') @IsOptional() @BaseUrl() readonly publicUrl: string | null = null;
  /** Such as smtps://user:password@mail.example:465; null sends no e-mail. */
  @Variable('SMTP_URL')
  @IsOptional()
  @Address(/^smtps?:\/\/[^\s]+$/, 'an smtp:// or smtps://')
  readonly smtpUrl: string | null = null;
  @Variable('MAIL_FROM') @IsOptional() @IsEmail() readonly mailFrom: string | null = null;
  @Variable('RATE_TIERS_FILE') @IsOptional() @Length(1, 4096) readonly rateTiersFile: string | null = null;
  @Variable('PRICES_FILE') @IsOptional() @Length(1, 4096) readonly pricesFile: string | null = null;
  @Variable('DEFAULT_OUTPUT_TOKENS_MAX') @Whole(1, 32_768) readonly defaultOutputTokensMax: number = 4096;
  /** JSON or the path of a JSON file; parsed into `upstreams`. */
  @Variable('UPSTREAMS') @IsOptional() readonly upstreamsText: string | null = null;
  readonly upstreams: readonly UpstreamSettings[] = [];
  @Variable('IMAGE_TOKENS_MAX') @Whole(1, 100_000) readonly imageTokensMax: number = 1_536;
  @Variable('STRICT_MODELS') @Flag() readonly strictModels: boolean = true;
  @Variable('DEFAULT_MODEL')
  @Transform(
    ({ value }) =>
      (typeof value === 'string' ? value.split(',').map((name) => name.trim()) : value) as unknown,
  )
  @Matches(/^[\x21-\x7e]{1,256}$/, {
    each: true,
    message: 'must be names of models, with commas between them',
  })
  readonly defaultModels: readonly string[] = [];
  @Variable('V1_ERROR_FORMAT')
  @IsIn(['reference', 'openai'])
  readonly v1ErrorFormat: 'reference' | 'openai' = 'reference';
  /** Of a body of /v1, also unpacked. */
  @Variable('V1_BODY_BYTES_MAX') @Whole(1_024, 134_217_728) readonly v1BodyBytesMax: number = 33_554_432;
  @Variable('V1_OUTPUT_TOKENS_MAX') @Whole(1, 10_000_000) readonly v1OutputTokensMax: number = 32_768;
  /** The embedding model for retrieval: empty for the upstreams' default, null for none. */
  @Variable('RETRIEVAL_EMBEDDING_MODEL')
  @Transform(({ value }) => (value === 'none' ? null : (value as unknown)))
  @IsOptional()
  @Matches(/^[\x21-\x7e]{0,256}$/, { message: 'must be the name of a model, or none' })
  readonly retrievalEmbeddingModel: string | null = '';
  @Variable('RETRIEVAL_VECTORS_MB_MAX') @Whole(16, 65_536) readonly retrievalVectorsMbMax: number = 256;
  @Variable('LOG_LEVEL')
  @IsIn(['fatal', 'error', 'warn', 'log', 'debug', 'verbose'])
  readonly logLevel: string = 'log';
  @Variable('DATABASE_POOL_SIZE_MAX') @Whole(2, 500) readonly databasePoolSizeMax: number = 20;
  @Variable('ACCOUNT_SCHEMAS') @Whole(1, 1_024) readonly accountSchemas: number = 1;
  /** Whether role `migrate` lets Citus distribute them (`distributeSchemas`). */
  @Variable('DISTRIBUTE_SCHEMAS') @Flag() readonly distributesSchemas: boolean = false;
  @Variable('METRICS_TOKEN') @IsOptional() @Secret() readonly metricsToken: string | null = null;
  /** Null for no tracing. OpenTelemetry reads the other OTEL_* variables itself. */
  @Variable('OTEL_EXPORTER_OTLP_ENDPOINT') @IsOptional() @HttpUrl() readonly tracesEndpoint: string | null =
    null;
  @Variable('USAGE_RETENTION_MONTHS') @Whole(1, 1200) readonly usageRetentionMonths: number = 24;
  @Variable('USAGE_HOURS_RETENTION_DAYS') @Whole(40, 36500) readonly usageHoursRetentionDays: number = 90;
  @Variable('TRUSTED_PROXIES') @IsOptional() @Length(1, 1000) readonly trustedProxies: string | null = null;
  @Variable('STALLED_WRITE_TIMEOUT_MS') @Whole(100, 3_600_000) readonly stalledWriteTimeoutMs: number =
    20_000;
  @Variable('UNSENT_BYTES_MAX')
  @Whole(1_048_576, 1_099_511_627_776)
  readonly unsentBytesMax: number = Math.floor(getHeapStatistics().heap_size_limit / HEAP_PER_UNSENT_BYTE);
  /** Also allows plain http. Never in live. */
  @Variable('ALLOW_INSECURE_WEBHOOKS') @Flag() readonly allowLoopbackWebhooks: boolean = false;
  /** Whether inputs may be fetched from this machine, whose services trust it more than strangers. Never in live. */
  @Variable('ALLOW_INSECURE_INPUT_URLS') @Flag() readonly allowLoopbackInputs: boolean = false;
  /** PEM file of authorities trusted for customers' addresses beside Node's. */
  @Variable('OUTBOUND_CA_FILE') @IsOptional() @Length(1, 4096) readonly outboundCaFile: string | null = null;
  @Variable('BTC_XPUB') @IsOptional() @Length(1, 200) readonly btcXpub: string | null = null;
  @Variable('BTC_RPC_URL') @IsOptional() @HttpUrl() readonly btcRpcUrl: string | null = null;
  @Variable('BTC_ESPLORA_URL') @IsOptional() @HttpUrl() readonly btcEsploraUrl: string | null = null;
  @Variable('ETH_XPUB') @IsOptional() @Length(1, 200) readonly ethXpub: string | null = null;
  @Variable('ETH_RPC_URL') @IsOptional() @HttpUrl() readonly ethRpcUrl: string | null = null;
  @Variable('SOL_MERCHANT_ADDRESS') @IsOptional() @Length(1, 200) readonly solMerchant: string | null = null;
  @Variable('SOL_ADDRESS_POOL') @IsOptional() @Length(1, 1_048_576) readonly solPool: string | null = null;
  @Variable('SOL_RPC_URL') @IsOptional() @HttpUrl() readonly solRpcUrl: string | null = null;
  @Variable('PAYMENT_EXPIRY_MINUTES') @Whole(5, 1_440) readonly paymentExpiryMinutes: number = 15;
  @Variable('PAYMENT_POLL_SECONDS') @Whole(1, 600) readonly paymentPollSeconds: number = 15;
  @Variable('PAYMENT_CONFIRMATIONS_FILE')
  @IsOptional()
  @Length(1, 4096)
  readonly paymentConfirmationsFile: string | null = null;
  /** JSON or the path of a JSON file; null for the built-in sources. */
  @Variable('PRICE_SOURCES') @IsOptional() @Length(1, 1_048_576) readonly priceSources: string | null = null;
  /** Warnings about unread variables with a name close to one of these. */
  private readonly misspelled: readonly string[] = [];

  /** Empty variables count as absent. @throws InvalidConfiguration naming every fault at once */
  static read(environment: NodeJS.ProcessEnv): Configuration {
    const secrets = readSecretFiles(environment);
    const misspelled = misspelledNames(environment, [...VARIABLES.values()]);
    if (secrets.faults.length > 0) {
      throw new InvalidConfiguration([...secrets.faults, ...misspelled]);
    }
    const present = Object.fromEntries(
      Object.entries(secrets.environment).filter(([, value]) => value !== ''),
    );
    const options = { exposeDefaultValues: true, excludeExtraneousValues: true };
    const configuration = plainToInstance(Configuration, present, options);
    const faults = validateSync(configuration).flatMap(({ property, constraints }) =>
      Object.values(constraints ?? {}).map((fault) => named(property, fault)),
    );
    const { upstreams, faults: upstreamFaults } = readUpstreams(configuration.upstreamsText);
    const all = [
      ...(faults.length > 0 ? faults : rulesBetween(configuration)),
      ...upstreamFaults,
      ...proxyFaults(present),
    ];
    if (all.length > 0) {
      throw new InvalidConfiguration([...all, ...misspelled]);
    }
    return Object.assign(configuration, { upstreams, misspelled });
  }

  get dataFolder(): string {
    return resolve(this.dataPath);
  }

  /** Null without Redis: each process then limits only its own calls. */
  get redisUrl(): string | null {
    return addressWithPassword(this.givenRedisUrl, this.redisPassword);
  }

  get databaseUrl(): string | null {
    return addressWithPassword(this.givenDatabaseUrl, this.databasePassword);
  }

  get databaseSessionUrl(): string | null {
    return addressWithPassword(this.givenDatabaseSessionUrl, this.databasePassword);
  }

  get isEmbedded(): boolean {
    return this.givenDatabaseUrl === null;
  }

  get retrievalVectorBytesMax(): number {
    return this.retrievalVectorsMbMax * 1_048_576;
  }

  get payments(): PaymentSettings {
    const { btcXpub, btcRpcUrl, btcEsploraUrl, ethXpub, ethRpcUrl, solMerchant, solPool, solRpcUrl } = this;
    const core = btcRpcUrl === null ? null : ({ kind: 'core', url: btcRpcUrl } as const);
    const node = btcEsploraUrl === null ? core : ({ kind: 'esplora', url: btcEsploraUrl } as const);
    const pool = solPool === null ? null : { pool: solPool };
    const places = solMerchant === null ? pool : { merchantAddress: solMerchant };
    return {
      btc: btcXpub !== null && node ? { xpub: btcXpub, node } : null,
      eth: ethXpub !== null && ethRpcUrl !== null ? { xpub: ethXpub, rpcUrl: ethRpcUrl } : null,
      sol: places && solRpcUrl !== null ? { places, rpcUrl: solRpcUrl } : null,
    };
  }

  get sandboxCurrencies(): string[] {
    const chains = (['btc', 'eth', 'sol'] as const).filter((chain) => this.payments[chain] === null);
    return this.environment === 'test' ? chains.map((chain) => chain.toUpperCase()) : [];
  }

  /** Valid settings that look like a mistake, for the log at start. */
  get warnings(): string[] {
    const test = this.environment === 'test' && !this.isEmbedded ? [this.testOnDatabase] : [];
    return [...this.misspelled, ...this.withoutEmail, ...test];
  }

  private get withoutEmail(): string[] {
    const { smtpUrl, mailFrom, publicUrl } = this;
    const isSent = smtpUrl !== null && mailFrom !== null && publicUrl !== null;
    const name = smtpUrl === null ? 'MAIL_FROM' : 'SMTP_URL';
    return isSent || (smtpUrl ?? mailFrom) === null
      ? []
      : [`${name} is set, but no e-mail is sent: that takes SMTP_URL, MAIL_FROM and PUBLIC_URL.`];
  }

  /** An own database mostly means production, where a sandbox would give credit away. */
  private get testOnDatabase(): string {
    const played = this.sandboxCurrencies;
    const sandbox =
      played.length === 0
        ? ''
        : ` A sandbox plays ${played.join(', ')}: every account holder can confirm payments that nobody made.`;
    return `SERVICE_ENVIRONMENT is test, with a DATABASE_URL.${sandbox} Production needs SERVICE_ENVIRONMENT=live.`;
  }
}

/** class-validator's messages may begin with the property. */
function named(property: string, fault: string): string {
  const name = VARIABLES.get(property) ?? property;
  return fault.startsWith(property) ? name + fault.slice(property.length) : `${name}: ${fault}`;
}

function rulesBetween(own: Configuration): string[] {
  const isLive = own.environment === 'live';
  const isServing = own.role !== 'migrate';
  const has = (name: keyof Configuration): boolean => own[name] !== null;
  const rules: [boolean, string][] = [
    [isLive && own.isEmbedded, 'DATABASE_URL is required in live: the embedded database is for test only'],
    [has('givenDatabaseSessionUrl') && own.isEmbedded, 'DATABASE_SESSION_URL needs DATABASE_URL'],
    [isServing && isLive && !has('jwtSecret'), 'JWT_SECRET is required in live'],
    [isLive && isRepetitive(own.jwtSecret), 'JWT_SECRET is too weak: use 32 or more random bytes'],
    [
      isServing && !isLive && !has('jwtSecret') && !own.isEmbedded,
      'JWT_SECRET is required with DATABASE_URL',
    ],
    [has('adminEmail') !== has('adminPassword'), 'ADMIN_EMAIL and ADMIN_PASSWORD go together'],
    [isLive && own.allowLoopbackWebhooks, 'ALLOW_INSECURE_WEBHOOKS is not allowed in live'],
    [isLive && own.allowLoopbackInputs, 'ALLOW_INSECURE_INPUT_URLS is not allowed in live'],
    [
      !isServing && own.isEmbedded,
      'ROLE=migrate needs DATABASE_URL: the embedded database is migrated at its start',
    ],
    [
      !own.migratesAtStart && own.isEmbedded,
      'MIGRATE_AT_START=false needs DATABASE_URL: the embedded database is migrated at its start',
    ],
  ];
  const chainRules: [boolean, string][] = [
    [has('btcRpcUrl') && has('btcEsploraUrl'), 'BTC_RPC_URL and BTC_ESPLORA_URL exclude each other'],
    [
      has('btcXpub') !== (has('btcRpcUrl') || has('btcEsploraUrl')),
      'BTC_XPUB goes together with BTC_RPC_URL or BTC_ESPLORA_URL',
    ],
    [has('ethXpub') !== has('ethRpcUrl'), 'ETH_XPUB and ETH_RPC_URL go together'],
    [has('solMerchant') && has('solPool'), 'SOL_MERCHANT_ADDRESS and SOL_ADDRESS_POOL exclude each other'],
    [
      has('solRpcUrl') !== (has('solMerchant') || has('solPool')),
      'SOL_RPC_URL goes together with SOL_MERCHANT_ADDRESS or SOL_ADDRESS_POOL',
    ],
  ];
  const broken = (list: typeof rules) => list.filter(([isBroken]) => isBroken).map(([, text]) => text);
  return [
    ...broken(rules),
    trustedProxiesFault(own.trustedProxies ?? '127.0.0.1'),
    hostsFault('DATABASE_URL', own.givenDatabaseUrl),
    hostsFault('DATABASE_SESSION_URL', own.givenDatabaseSessionUrl),
    passwordFault('DATABASE', own.givenDatabaseUrl, own.databasePassword),
    own.givenDatabaseSessionUrl === null
      ? null
      : passwordFault('DATABASE', own.givenDatabaseSessionUrl, own.databasePassword, 'DATABASE_SESSION_URL'),
    passwordFault('REDIS', own.givenRedisUrl, own.redisPassword),
    ...broken(chainRules),
  ].filter((fault) => fault !== null);
}

function isRepetitive(secret: string | null): boolean {
  return secret !== null && new Set(secret).size < 10;
}
