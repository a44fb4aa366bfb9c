import { resolve } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { Environment, readSecretFiles, trustedProxiesFault } from './environment';
import { readUpstreams, type UpstreamSettings } from './upstream-settings';

/**
 * What is wrong with a password that is given beside the address of the database: null where nothing is.
 *
 * @param url DATABASE_URL
 * @param password DATABASE_PASSWORD, which may hold any characters
 */
function databasePasswordFault(url: string | undefined, password: string | undefined): string | null {
  if (password === undefined) {
    return null;
  }
  if (url === undefined || !URL.canParse(url) || new URL(url).username === '') {
    return 'DATABASE_PASSWORD needs a DATABASE_URL that names a host and a user';
  }
  return new URL(url).password === ''
    ? null
    : 'DATABASE_URL holds a password, so DATABASE_PASSWORD must not be set';
}

/** The address with the password in it. */
export function databaseAddress(url: string | undefined, password: string | undefined): string | null {
  if (url === undefined || password === undefined) {
    return url ?? null;
  }
  const address = new URL(url);
  // The setter leaves some characters alone that have a meaning to those who take the address apart, such as %.
  address.password = encodeURIComponent(password);
  return address.href;
}

/** How payments are taken. A chain without settings takes none; in the test environment a sandbox plays it. */
interface PaymentSettings {
  readonly btc: { readonly xpub: string; readonly node: BitcoinNodeSettings } | null;
  readonly eth: { readonly xpub: string; readonly rpcUrl: string } | null;
  readonly sol: { readonly places: SolanaPlaceSettings; readonly rpcUrl: string } | null;
  /** For how long the price of a payment is locked. */
  readonly expiryMinutes: number;
  readonly pollSeconds: number;
  readonly confirmationsFile: string | null;
  /** JSON or the path of a JSON file; null for the sources that come with the service. */
  readonly priceSources: string | null;
}

interface BitcoinNodeSettings {
  readonly kind: 'core' | 'esplora';
  /** May hold user and password. */
  readonly url: string;
}

/** `pool` is addresses with white space or commas between them, or the path of a file of such. */
type SolanaPlaceSettings = { readonly merchantAddress: string } | { readonly pool: string };

/** @param variables in which paymentFaults() has found none */
function paymentSettings(variables: Environment): PaymentSettings {
  const { BTC_XPUB, BTC_RPC_URL, BTC_ESPLORA_URL, ETH_XPUB, ETH_RPC_URL, SOL_RPC_URL } = variables;
  const node = bitcoinNode(BTC_RPC_URL, BTC_ESPLORA_URL);
  const places = solanaPlaces(variables);
  return {
    btc: BTC_XPUB !== undefined && node ? { xpub: BTC_XPUB, node } : null,
    eth: ETH_XPUB !== undefined && ETH_RPC_URL !== undefined ? { xpub: ETH_XPUB, rpcUrl: ETH_RPC_URL } : null,
    sol: places && SOL_RPC_URL !== undefined ? { places, rpcUrl: SOL_RPC_URL } : null,
    expiryMinutes: variables.PAYMENT_EXPIRY_MINUTES,
    pollSeconds: variables.PAYMENT_POLL_SECONDS,
    confirmationsFile: variables.PAYMENT_CONFIRMATIONS_FILE ?? null,
    priceSources: variables.PRICE_SOURCES ?? null,
  };
}

/** Half a chain is a mistake: nobody would see what is paid, or nobody could pay. */
function paymentFaults(variables: Environment): string[] {
  const has = (name: keyof Environment): boolean => variables[name] !== undefined;
  const rules: [boolean, string][] = [
    [has('BTC_RPC_URL') && has('BTC_ESPLORA_URL'), 'BTC_RPC_URL and BTC_ESPLORA_URL exclude each other'],
    [
      has('BTC_XPUB') !== (has('BTC_RPC_URL') || has('BTC_ESPLORA_URL')),
      'BTC_XPUB goes together with BTC_RPC_URL or BTC_ESPLORA_URL',
    ],
    [has('ETH_XPUB') !== has('ETH_RPC_URL'), 'ETH_XPUB and ETH_RPC_URL go together'],
    [
      has('SOL_MERCHANT_ADDRESS') && has('SOL_ADDRESS_POOL'),
      'SOL_MERCHANT_ADDRESS and SOL_ADDRESS_POOL exclude each other',
    ],
    [
      has('SOL_RPC_URL') !== (has('SOL_MERCHANT_ADDRESS') || has('SOL_ADDRESS_POOL')),
      'SOL_RPC_URL goes together with SOL_MERCHANT_ADDRESS or SOL_ADDRESS_POOL',
    ],
  ];
  return rules.filter(([broken]) => broken).map(([, text]) => text);
}

function bitcoinNode(rpcUrl: string | undefined, esploraUrl: string | undefined): BitcoinNodeSettings | null {
  if (rpcUrl !== undefined) {
    return { kind: 'core', url: rpcUrl };
  }
  return esploraUrl === undefined ? null : { kind: 'esplora', url: esploraUrl };
}

function solanaPlaces({ SOL_MERCHANT_ADDRESS, SOL_ADDRESS_POOL }: Environment): SolanaPlaceSettings | null {
  if (SOL_MERCHANT_ADDRESS !== undefined) {
    return { merchantAddress: SOL_MERCHANT_ADDRESS };
  }
  return SOL_ADDRESS_POOL === undefined ? null : { pool: SOL_ADDRESS_POOL };
}

/**
 * The environment is not valid, and the service must not start. Each of `faults` names a variable and what is wrong.
 */
export class InvalidConfiguration extends Error {
  constructor(readonly faults: string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/** The bytes of an unsent answer are in memory about three times, and calls that run already will add theirs. */
const HEAP_PER_UNSENT_BYTE = 8;

/** The settings of the environment, parsed once. */
export class Configuration {
  readonly port: number;
  readonly host: string;
  readonly dataFolder: string;
  /** Null in embedded mode, where the service runs its own Postgres. */
  readonly databaseUrl: string | null;
  /** Null where there is no Redis: then each process counts rate limits for its own calls alone. */
  readonly redisUrl: string | null;
  readonly redisKeyPrefix: string;
  readonly redisTimeoutMs: number;
  /** A process of role `migrate` brings the database to the newest schema and ends. */
  readonly role: 'all' | 'api' | 'worker' | 'migrate';
  /** Whether a start brings the database to the newest schema; otherwise it refuses one that is not there yet. */
  readonly migratesAtStart: boolean;
  readonly environment: 'test' | 'live';
  /** Null in embedded mode until the secret of the data folder is read. */
  readonly jwtSecret: string | null;
  readonly adminEmail: string | null;
  readonly adminPassword: string | null;
  /** Whether an account that is no admin becomes one when it has the admin's address. */
  readonly adminPromote: boolean;
  /** Decimal string, USD. */
  readonly welcomeCreditUsd: string;
  readonly rateTiersFile: string | null;
  readonly pricesFile: string | null;
  readonly defaultOutputTokensMax: number;
  /** For how many tokens an image is reserved, unless it is sent in low detail. */
  readonly imageTokensMax: number;
  readonly strictModels: boolean;
  /** In the order in which a call tries them. */
  readonly upstreams: readonly UpstreamSettings[];
  /** The model that embeds texts for retrieval: empty for the default of the upstreams, null where none is to do so. */
  readonly retrievalEmbeddingModel: string | null;
  /** How many bytes of vectors a process keeps in memory to search them. */
  readonly retrievalVectorBytesMax: number;
  readonly logLevel: string;
  readonly databasePoolSizeMax: number;
  /** Into how many partitions the hash of account_id divides the tables; 1 as the migrations make them. */
  readonly accountShards: number;
  /** The bearer token for /metrics; null where nobody may read them. */
  readonly metricsToken: string | null;
  /** Where spans go; null for nowhere. The other OTEL_* variables are read by OpenTelemetry's own code. */
  readonly tracesEndpoint: string | null;
  /** For how many whole months the rows of single calls are kept. Their hourly and daily sums are kept for ever. */
  readonly usageRetentionMonths: number;
  readonly trustedProxies: string | null;
  /** For how long a write may make no progress, because the client does not read, before its connection is ended. */
  readonly stalledWriteTimeoutMs: number;
  /** How many bytes of answers may wait for their readers before no more work begins. */
  readonly unsentBytesMax: number;
  /** Whether webhooks may go to this machine, then also by plain http. Never in live. */
  readonly allowLoopbackWebhooks: boolean;
  /** Whether inputs may be fetched from this machine, whose services show their callers more than strangers. Never in live. */
  readonly allowLoopbackInputs: boolean;
  /** Certificates in PEM of authorities that are trusted for customers' addresses beside those that Node trusts. */
  readonly outboundCaFile: string | null;
  readonly payments: PaymentSettings;

  private constructor(variables: Environment, upstreams: readonly UpstreamSettings[]) {
    this.port = variables.PORT;
    this.host = variables.HOST;
    this.dataFolder = resolve(variables.DATA_DIR);
    this.databaseUrl = databaseAddress(variables.DATABASE_URL, variables.DATABASE_PASSWORD);
    this.redisUrl = variables.REDIS_URL ?? null;
    this.redisKeyPrefix = variables.REDIS_KEY_PREFIX;
    this.redisTimeoutMs = variables.REDIS_TIMEOUT_MS;
    this.role = variables.ROLE;
    this.migratesAtStart = variables.MIGRATE_AT_START === 'true';
    this.environment = variables.SERVICE_ENVIRONMENT;
    this.jwtSecret = variables.JWT_SECRET ?? null;
    this.adminEmail = variables.ADMIN_EMAIL ?? null;
    this.adminPassword = variables.ADMIN_PASSWORD ?? null;
    this.adminPromote = variables.ADMIN_PROMOTE === 'true';
    this.welcomeCreditUsd = variables.WELCOME_CREDIT_USD;
    this.rateTiersFile = variables.RATE_TIERS_FILE ?? null;
    this.pricesFile = variables.PRICES_FILE ?? null;
    this.defaultOutputTokensMax = variables.DEFAULT_OUTPUT_TOKENS_MAX;
    this.imageTokensMax = variables.IMAGE_TOKENS_MAX;
    this.strictModels = variables.STRICT_MODELS === 'true';
    this.upstreams = upstreams;
    this.retrievalEmbeddingModel =
      variables.RETRIEVAL_EMBEDDING_MODEL === 'none' ? null : variables.RETRIEVAL_EMBEDDING_MODEL;
    this.retrievalVectorBytesMax = variables.RETRIEVAL_VECTORS_MB_MAX * 1_048_576;
    this.logLevel = variables.LOG_LEVEL;
    this.databasePoolSizeMax = variables.DATABASE_POOL_SIZE_MAX;
    this.accountShards = variables.ACCOUNT_SHARDS;
    this.metricsToken = variables.METRICS_TOKEN ?? null;
    this.tracesEndpoint = variables.OTEL_EXPORTER_OTLP_ENDPOINT ?? null;
    this.usageRetentionMonths = variables.USAGE_RETENTION_MONTHS;
    this.trustedProxies = variables.TRUSTED_PROXIES ?? null;
    this.stalledWriteTimeoutMs = variables.STALLED_WRITE_TIMEOUT_MS;
    this.unsentBytesMax =
      variables.UNSENT_BYTES_MAX ?? Math.floor(getHeapStatistics().heap_size_limit / HEAP_PER_UNSENT_BYTE);
    this.allowLoopbackWebhooks = variables.ALLOW_INSECURE_WEBHOOKS === 'true';
    this.allowLoopbackInputs = variables.ALLOW_INSECURE_INPUT_URLS === 'true';
    this.outboundCaFile = variables.OUTBOUND_CA_FILE ?? null;
    this.payments = paymentSettings(variables);
  }

  /**
   * Reads and checks the environment; empty variables count as absent.
   * @throws InvalidConfiguration naming every fault at once
   */
  static read(environment: NodeJS.ProcessEnv): Configuration {
    const secrets = readSecretFiles(environment);
    if (secrets.faults.length > 0) {
      throw new InvalidConfiguration(secrets.faults);
    }
    const present = Object.fromEntries(
      Object.entries(secrets.environment).filter(([, value]) => value !== ''),
    );
    const variables = plainToInstance(Environment, present, { exposeDefaultValues: true });
    const faults = validateSync(variables).flatMap(({ property, constraints }) =>
      Object.values(constraints ?? {}).map((fault) =>
        fault.startsWith(property) ? fault : `${property}: ${fault}`,
      ),
    );
    const { upstreams, faults: upstreamFaults } = readUpstreams(variables.UPSTREAMS);
    const all = [...(faults.length > 0 ? faults : rulesBetween(variables)), ...upstreamFaults];
    if (all.length > 0) {
      throw new InvalidConfiguration(all);
    }
    return new Configuration(variables, upstreams);
  }

  get isEmbedded(): boolean {
    return this.databaseUrl === null;
  }

  /** What is valid, but looks like a mistake: a line each, for the log of a start. */
  get warnings(): string[] {
    return this.environment === 'test' && !this.isEmbedded ? [this.testOnDatabase] : [];
  }

  /** Whoever brings a database of his own mostly means production, where a sandbox would give credit away. */
  private get testOnDatabase(): string {
    const played = (['btc', 'eth', 'sol'] as const).filter((chain) => this.payments[chain] === null);
    const sandbox =
      played.length === 0
        ? ''
        : ` A sandbox plays ${played.join(', ').toUpperCase()}: every account holder can confirm payments that nobody made.`;
    return `SERVICE_ENVIRONMENT is test, with a DATABASE_URL.${sandbox} Production needs SERVICE_ENVIRONMENT=live.`;
  }
}

/**
 * Faults that the checks of single variables cannot find. Most of them keep a live service from running on settings
 * that are only good for trying it out.
 */
function rulesBetween(variables: Environment): string[] {
  const isLive = variables.SERVICE_ENVIRONMENT === 'live';
  const isServing = variables.ROLE !== 'migrate';
  const rules: [boolean, string][] = [
    [
      isLive && !variables.DATABASE_URL,
      'DATABASE_URL is required in live: the embedded database is for test only',
    ],
    [isServing && isLive && !variables.JWT_SECRET, 'JWT_SECRET is required in live'],
    [isLive && isRepetitive(variables.JWT_SECRET), 'JWT_SECRET is too weak: use 32 or more random bytes'],
    [
      isServing && !isLive && !variables.JWT_SECRET && Boolean(variables.DATABASE_URL),
      'JWT_SECRET is required with DATABASE_URL',
    ],
    [
      Boolean(variables.ADMIN_EMAIL) !== Boolean(variables.ADMIN_PASSWORD),
      'ADMIN_EMAIL and ADMIN_PASSWORD go together',
    ],
    [
      isLive && variables.ALLOW_INSECURE_WEBHOOKS === 'true',
      'ALLOW_INSECURE_WEBHOOKS is not allowed in live',
    ],
    [
      isLive && variables.ALLOW_INSECURE_INPUT_URLS === 'true',
      'ALLOW_INSECURE_INPUT_URLS is not allowed in live',
    ],
    [
      !isServing && !variables.DATABASE_URL,
      'ROLE=migrate needs DATABASE_URL: the embedded database is migrated at its start',
    ],
    [
      variables.MIGRATE_AT_START === 'false' && !variables.DATABASE_URL,
      'MIGRATE_AT_START=false needs DATABASE_URL: the embedded database is migrated at its start',
    ],
  ];
  const faults = [
    trustedProxiesFault(variables.TRUSTED_PROXIES ?? '127.0.0.1'),
    databasePasswordFault(variables.DATABASE_URL, variables.DATABASE_PASSWORD),
  ];
  return [
    ...rules.filter(([broken]) => broken).map(([, text]) => text),
    ...faults.filter((fault) => fault !== null),
    ...paymentFaults(variables),
  ];
}

function isRepetitive(secret: string | undefined): boolean {
  return secret !== undefined && new Set(secret).size < 10;
}
