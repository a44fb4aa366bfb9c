import { readFileSync } from 'node:fs';
import type { INestApplicationContext, ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import document from '../generated/openapi.json';
import { apis, prices } from '../generated/contract';
import { eventExamples } from '../generated/events';
import { AppModule } from './app.module';
import { InvalidConfiguration, type Configuration } from './config/configuration';
import { serializerOf } from './contract/answer-serializers';
import { API_VERSION } from './contract/api-version';
import type { OperationPolicy } from './contract/operation';
import { JwtSecret } from './core/access/accounts/jwt-secret';
import { EventDocument, type OperationRoutes } from './core/events/outbox/event-document';
import { modelPrices, surchargeTexts } from './core/money/pricing/model-prices';
import { parseConfirmationRules } from './core/money/payments/confirmation-rules';
import { PriceList } from './core/money/pricing/price-list';
import { parseRateTiers } from './core/access/rate-limits/rate-tiers';
import { publishDocument } from './documentation';
import type { PaymentChain } from './infrastructure/chain/payment-chain';
import type { Clock } from './infrastructure/clock/clock';
import { DatabaseUrl } from './infrastructure/database/database-url';
import { createHttpAdapter, type HttpOptions } from './infrastructure/http/http-adapter';
import { RedactingLogger } from './infrastructure/logging/redacting-logger';
import { Metrics } from './infrastructure/metrics/metrics';
import type { Tracing } from './infrastructure/tracing/span';
import { SocketAdapter } from './pipeline/socket/socket.adapter';
import { publishMetrics } from './metrics-route';
import { WorkerModule } from './worker.module';

export interface ApplicationOptions {
  configuration: Configuration;
  /** A database that migrate() has brought to the newest schema. */
  databaseUrl: string;
  jwtSecret: string;
  clock: Clock;
  /** Absent where spans go nowhere. */
  tracing?: Tracing;
  /** Modules of your own beside the API groups. A controller in them passes the pipeline where @Serves binds it. */
  extraModules?: ModuleMetadata['imports'];
  /** Chains of your own, in the place of those that the configuration names. */
  chains?: readonly PaymentChain[];
}

/**
 * What single answers have, such as files: a page of another origin can read a file's name, its tag and the range that it was
 * sent only where that is said (Fetch standard, section 3.3.4).
 */
const HEADERS_OF_SOME_ANSWERS = ['Allow', 'Accept-Ranges', 'Content-Disposition', 'Content-Range', 'ETag'];

/** The whole HTTP service, ready to listen. @throws InvalidConfiguration for an operator's file that is not valid */
export async function createApplication(options: ApplicationOptions): Promise<NestFastifyApplication> {
  const { configuration } = options;
  const adapter = createHttpAdapter(httpOptions(options));
  const module = AppModule.with(moduleOptions(options), options.extraModules);
  const application = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    ...nestOptions(configuration),
    bodyParser: false,
  });
  application.useWebSocketAdapter(new SocketAdapter(application));
  publishDocument(application);
  const server = application.getHttpAdapter().getInstance();
  publishMetrics(server, application.get(Metrics), configuration.metricsToken);
  return application;
}

/**
 * A process that serves no calls and runs the background jobs.
 * @throws InvalidConfiguration for an operator's file that is not valid
 */
export async function createWorker(options: ApplicationOptions): Promise<INestApplicationContext> {
  const module = WorkerModule.with(moduleOptions(options));
  return NestFactory.createApplicationContext(module, nestOptions(options.configuration));
}

/** What is true of every HTTP answer, of a worker's few ones too. */
export function httpOptions({ configuration, clock }: ApplicationOptions): HttpOptions {
  return {
    apiVersion: API_VERSION,
    serializerOf,
    exposedHeaders: [...Object.keys(document.components.headers), ...HEADERS_OF_SOME_ANSWERS],
    trustedProxies: configuration.trustedProxies,
    stalledWriteTimeoutMs: configuration.stalledWriteTimeoutMs,
    clock,
  };
}

function moduleOptions({
  configuration,
  clock,
  tracing,
  databaseUrl,
  jwtSecret,
  chains,
}: ApplicationOptions) {
  return {
    configuration,
    clock,
    tracing,
    chains,
    databaseUrl: new DatabaseUrl(databaseUrl),
    jwtSecret: new JwtSecret(jwtSecret),
    prices: priceList(configuration),
    confirmationRules: fromFile(
      'PAYMENT_CONFIRMATIONS_FILE',
      configuration.payments.confirmationsFile,
      parseConfirmationRules,
    ),
    eventDocument: new EventDocument(eventExamples, operationRoutes()),
    rateTiers: fromFile('RATE_TIERS_FILE', configuration.rateTiersFile, parseRateTiers),
  };
}

/** @throws InvalidConfiguration for a price that can't be charged */
function priceList({ pricesFile, upstreams }: Configuration): PriceList {
  const models = valid('UPSTREAMS', () => modelPrices(upstreams));
  const surcharges = surchargeTexts(upstreams);
  return fromFile('PRICES_FILE', pricesFile, (json) => new PriceList(prices, json, models, surcharges));
}

/** The routes of all operations, in the document's form: `/api/keys/{key_id}`. */
function operationRoutes(): OperationRoutes {
  const policies = apis.flatMap(({ operations }) => Object.values<OperationPolicy>(operations));
  return Object.fromEntries(
    policies.map(({ operationId, method, path }) => [
      operationId,
      { method, route: path.replaceAll(/:(\w+)/g, '{$1}') },
    ]),
  );
}

function nestOptions(configuration: Configuration) {
  return { logger: new RedactingLogger(configuration.logLevel), abortOnError: false };
}

/**
 * Passes the content of an operator's JSON file to `make`, or `{}` where no file is named.
 * @throws InvalidConfiguration naming the variable and the file
 */
function fromFile<Result>(variable: string, path: string | null, make: (json: unknown) => Result): Result {
  return valid(`${variable} (${path})`, () =>
    make(path === null ? {} : (JSON.parse(readFileSync(path, 'utf8')) as unknown)),
  );
}

/** Names the variable in whatever `make` throws. */
function valid<Result>(variable: string, make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    throw new InvalidConfiguration([`${variable}: ${(error as Error).message}`]);
  }
}
