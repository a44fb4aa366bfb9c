import { createHash, timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import { type INestApplicationContext, Logger, type ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import socketDocument from '../generated/asyncapi.json';
import { apis } from '../generated/contract';
import { eventExamples } from '../generated/events';
import document from '../generated/openapi.json';
import { JwtSecret } from './accounts/credentials';
import { RateLimiter } from './accounts/rate-limiter';
import { InProcessRateLimiter, RateLimitExceeded, rateLimitHeaders } from './accounts/rate-windows';
import { AppModule, type ServiceOptions, WorkerModule } from './app.module';
import { filesOf } from './check-settings';
import type { Configuration } from './config/configuration';
import { API_VERSION, type OperationPolicy, serializerOf } from './contract/operation';
import { ProcessRegister } from './database/process-register';
import { ApiError, NoRoute, NotFound } from './errors/api-errors';
import { EventDocument, type OperationRoutes } from './events/outbox';
import { plainError } from './http/error-forms';
import { POLICY_OF_CONSOLE, POLICY_OF_DOCUMENTATION, StaticAnswers } from './http/response-headers';
import { createHttpAdapter, type HttpOptions } from './http/http-adapter';
import { DocumentDispatcher } from './modules/documents/document-attempts';
import { HealthService } from './modules/system/system';
import { TaskDispatcher } from './modules/tasks/task-attempts';
import { DeliveryDispatcher } from './modules/webhooks/delivery-dispatcher';
import { Metrics } from './observability/metrics';
import type * as otlp from './observability/otlp-tracing';
import { RedactingLogger } from './observability/redacting-logger';
import { NoTracing, type Tracing } from './observability/tracing';
import { CallsInFlight } from './pipeline/calls-in-flight';
import { RateSubjects } from './pipeline/credentials';
import { apiErrorOf } from './pipeline/http/error-renderer';
import { unexpectedError } from './pipeline/known-error';
import { SocketAdapter } from './pipeline/socket/socket.adapter';
import { Clock, endedWithin, resultWithin } from './runtime/clock';
import { QueueProcessors } from './work/queue-worker';
import { Timers } from './work/timers';

const DOCUMENT = '/openapi.json';
const SOCKET_DOCUMENT = '/asyncapi.json';
const PAGE = '/docs';
const PAGES = [PAGE, `${PAGE}/`, `${PAGE}/index.html`];
/** Without the column of links, which is empty, and with wrapped buttons the page fits a telephone. */
const PAGE_STYLE =
  '.swagger-ui .response-col_links { display: none } .swagger-ui .opblock-section-header { flex-wrap: wrap }';
const PAGE_FILES = [
  'swagger-ui-init.js',
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
];
const PATHS = new Set([DOCUMENT, SOCKET_DOCUMENT, ...PAGES, ...PAGE_FILES.map((file) => `${PAGE}/${file}`)]);

/** Under the rates of `documents`. The server's address is relative: a proxy may publish it anywhere. */
function publishDocument(application: NestFastifyApplication): void {
  const server = application.getHttpAdapter().getInstance();
  const answers = new StaticAnswers(PATHS);
  const count = counter(application);
  /** Versioned addresses let browsers cache for ever. The files are served once first, to have a hash. */
  const withVersions = async (page: Buffer): Promise<Buffer> => {
    await Promise.all(PAGE_FILES.map((file) => server.inject({ url: `${PAGE}/${file}` })));
    const names = new RegExp(`(?<=/)(?:${PAGE_FILES.join('|').replaceAll('.', '\\.')})(?=["'])`, 'g');
    return Buffer.from(
      page
        .toString()
        .replaceAll(names, (file) => answers.versioned(`${PAGE}/${file}`).slice(PAGE.length + 1)),
    );
  };
  server.addHook('onRoute', (route: RouteOptions) => {
    if (PATHS.has(route.url) || route.url.startsWith(`${PAGE}/`)) {
      route.onRequest = async (request, reply) => {
        await count(request, reply);
        if (!answers.isFor(request)) {
          throw new NoRoute(request.method, request.url);
        }
        if (request.method === 'HEAD' && !answers.has(request)) {
          // Only GET fills the cache, and HEAD needs its headers.
          await server.inject({ url: request.url, remoteAddress: request.ip });
        }
        reply.header('content-security-policy', POLICY_OF_DOCUMENTATION);
        return answers.send(request, reply) ? reply : undefined;
      };
      const edit = PAGES.includes(route.url) ? withVersions : undefined;
      route.onSend = (request, reply, payload) => answers.leave(request, reply, payload, edit);
    }
  });
  const published = { ...document, servers: [{ url: '/', description: 'This service.' }] };
  for (const [path, json] of [
    [DOCUMENT, published],
    [SOCKET_DOCUMENT, socketDocument],
  ] as const) {
    server.get(path, (_, reply) => {
      void reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(json));
    });
  }
  // With an empty document Swagger UI fetches it from its address, and would tell a validator online.
  SwaggerModule.setup(PAGE.slice(1), application, {} as OpenAPIObject, {
    raw: false,
    swaggerUrl: DOCUMENT,
    // Unfolded, the page would render only operations near the window, hidden from search and screen readers.
    swaggerOptions: { validatorUrl: null, docExpansion: 'none' },
    customCss: PAGE_STYLE,
    customSiteTitle: document.info.title,
  });
}

const CONSOLE_FOLDER = resolve('console', 'dist');
const CONSOLE = '/console';

/** Relative addresses, since a proxy may add a path. The folder may be built while the service runs. */
function publishConsole(
  server: FastifyInstance,
  folder: string,
  count: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
): void {
  server.addHook('onRoute', (route: RouteOptions) => {
    if (route.url === CONSOLE || route.url.startsWith(`${CONSOLE}/`)) {
      route.onRequest = async (request, reply) => {
        await count(request, reply);
        reply.header('content-security-policy', POLICY_OF_CONSOLE);
      };
    }
  });
  void server.register(fastifyStatic, {
    root: folder,
    prefix: `${CONSOLE}/`,
    index: false,
    dotfiles: 'deny',
    preCompressed: true,
    cacheControl: false,
    suppressWarning: true,
    setHeaders: (reply, path) => {
      const isNamedByHash = path.startsWith(join(folder, 'assets'));
      reply.header('cache-control', isNamedByHash ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  server.get(CONSOLE, (request, reply) => {
    if (!existsSync(join(folder, 'index.html'))) {
      throw new NotFound('console here yet: build it by `npm run build:console`');
    }
    return request.url.split('?', 1)[0] === CONSOLE
      ? reply.redirect('console/')
      : reply.sendFile('index.html');
  });
  // A route would change the error of other methods on /.
  server.redirectUnrouted = ({ method, url, headers }) => {
    const isRead = method === 'GET' || method === 'HEAD';
    return isRead && /^\/(\?|$)/.test(url) && headers.accept?.includes('text/html') ? 'console/' : null;
  };
}

function counter(application: NestFastifyApplication, requests: 'documents' | 'console' = 'documents') {
  const limiter = application.get(RateLimiter);
  const subjects = application.get(RateSubjects);
  const clock = application.get(Clock);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const decision = await limiter.take([subjects.ofAddress(request.ip, requests)], clock.now().getTime());
    if (!decision.allowed) {
      throw new RateLimitExceeded(decision);
    }
    reply.headers(rateLimitHeaders(decision));
  };
}

const UNROUTED_ADDRESSES_MAX = 20_000;

/** Only in this process: asking Redis would take longer than the answer. */
function countUnrouted(application: NestFastifyApplication): FastifyInstance['countUnrouted'] {
  const limiter = new InProcessRateLimiter(UNROUTED_ADDRESSES_MAX);
  const subjects = application.get(RateSubjects);
  const clock = application.get(Clock);
  return ({ method, ip }, reply) => {
    const subject = subjects.ofAddress(ip, method === 'OPTIONS' ? 'preflights' : 'unrouted');
    const decision = limiter.take([subject], clock.now().getTime());
    if (decision.allowed) {
      reply.headers(rateLimitHeaders(decision));
    }
    return decision.allowed ? null : new RateLimitExceeded(decision);
  };
}

/** Exists only with a token: behind a proxy every caller's address may be private. */
function publishMetrics(server: FastifyInstance, metrics: Metrics, token: string | null): void {
  if (token === null) {
    return;
  }
  const expected = digest(`Bearer ${token}`);
  server.get('/metrics', async (request, reply) => {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) {
      throw new ApiError(401, 'Invalid token', 'Send METRICS_TOKEN as a bearer token.', {
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    }
    return reply.header('content-type', metrics.contentType).send(await metrics.text());
  });
}

/** timingSafeEqual needs equal lengths, and the time of the comparison must not reveal the token. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export interface ApplicationOptions extends Pick<
  ServiceOptions,
  'configuration' | 'databaseUrl' | 'clock' | 'tracing' | 'chains'
> {
  jwtSecret: string;
  /** Your own modules beside the API groups. Their controllers pass the pipeline where @Serves binds them. */
  extraModules?: ModuleMetadata['imports'];
  consoleFolder?: string;
}

/** Pages of other origins read these only if they are exposed (Fetch standard, section 3.3.4). */
const HEADERS_OF_SOME_ANSWERS = ['Allow', 'Accept-Ranges', 'Content-Disposition', 'Content-Range', 'ETag'];

/** Ready to listen. @throws InvalidConfiguration for an invalid operator's file */
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
  server.countUnrouted = countUnrouted(application);
  publishConsole(server, options.consoleFolder ?? CONSOLE_FOLDER, counter(application, 'console'));
  publishMetrics(server, application.get(Metrics), configuration.metricsToken);
  return application;
}

/** For background jobs, without calls. @throws InvalidConfiguration */
export async function createWorker(options: ApplicationOptions): Promise<INestApplicationContext> {
  const module = WorkerModule.with(moduleOptions(options));
  return NestFactory.createApplicationContext(module, nestOptions(options.configuration));
}

export function httpOptions({ configuration, clock }: ApplicationOptions): HttpOptions {
  return {
    apiVersion: API_VERSION,
    serializerOf,
    exposedHeaders: [...Object.keys(document.components.headers), ...HEADERS_OF_SOME_ANSWERS],
    trustedProxies: configuration.trustedProxies,
    stalledWriteTimeoutMs: configuration.stalledWriteTimeoutMs,
    v1ErrorFormat: configuration.v1ErrorFormat,
    clock,
  };
}

function moduleOptions({ jwtSecret, ...options }: ApplicationOptions) {
  return {
    ...options,
    jwtSecret: new JwtSecret(jwtSecret),
    ...filesOf(options.configuration),
    eventDocument: new EventDocument(eventExamples, operationRoutes()),
  };
}

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

/** Serves health only: whoever reaches a worker's port can spend nothing. */
export function createWorkerServer(
  worker: INestApplicationContext,
  options: HttpOptions,
  metricsToken: string | null,
): FastifyInstance {
  const server = createHttpAdapter(options).getInstance<FastifyInstance>();
  const health = worker.get(HealthService, { strict: false });
  const refuse = (request: FastifyRequest, reply: FastifyReply, error: ApiError) => {
    const { headers, body } = plainError({ headers: {}, clock: options.clock }, request.id, error);
    return reply.code(error.status).headers(headers).send(body);
  };
  server.setErrorHandler((error, request, reply) =>
    refuse(request, reply, apiErrorOf(error, request) ?? unexpectedError()),
  );
  server.setNotFoundHandler((request, reply) => refuse(request, reply, new NotFound('route')));
  server.get('/health/live', () => health.alive());
  server.get('/health/ready', () => health.ready());
  publishMetrics(server, worker.get(Metrics), metricsToken);
  return server;
}

/** Call once the process listens, so that it never begins a job and then fails to start. */
export function startBackgroundWork(application: INestApplicationContext, role: Configuration['role']): void {
  if (role === 'api') {
    return;
  }
  const started = [DeliveryDispatcher, TaskDispatcher, DocumentDispatcher, QueueProcessors, Timers].map(
    (provider) => application.get<{ start(): void }>(provider, { strict: false }),
  );
  const register = application.get(ProcessRegister, { strict: false });
  // By then it is known which process leads. Never rejects.
  void register.work().then(() => started.forEach((each) => each.start()));
}

const load = createRequire(__filename);

/** Loaded only with an endpoint: OpenTelemetry takes a quarter of a second and some megabytes. */
export function startTracing(endpoint: string | null, role: string): Tracing {
  if (endpoint === null) {
    return new NoTracing();
  }
  return new (load('./observability/otlp-tracing') as typeof otlp).OtlpTracing(role);
}

const DRAIN_MS_MAX = 30_000;
/** Ends the process before it would be killed, should several bounded steps wait in vain. */
const ENDED_WITHIN_MS = 36_000;
const IDLE_SWEPT_EVERY_MS = 100;
/** How long calls are still taken, as some may come on connections that are open. */
const CONNECTIONS_ENDED_WITHIN_MS = 1_000;

/**
 * Takes no new connections, serves what comes on those that are open, and ends each with its next answer or when it
 * is idle. Then it refuses new calls and lets others finish.
 */
export function shutDownOnSignals(
  application: INestApplicationContext,
  server: Server,
  stopDatabase: () => Promise<void>,
): void {
  const shutDown = async (): Promise<void> => {
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_SWEPT_EVERY_MS);
    const forced = setTimeout(() => server.closeAllConnections(), DRAIN_MS_MAX);
    application.get(CallsInFlight, { strict: false }).endConnections();
    server.prependListener('request', (_request, response) => {
      response.shouldKeepAlive = false;
    });
    const ended = new Promise((resolve) => server.close(resolve));
    try {
      await endedWithin(CONNECTIONS_ENDED_WITHIN_MS, ended);
      await application.close();
    } finally {
      clearInterval(idle);
      clearTimeout(forced);
      await stopDatabase();
    }
  };
  // npm passes a process group's signal on, so it arrives twice; the second must not cut the shutdown short.
  let isShuttingDown = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isShuttingDown) {
        return;
      }
      isShuttingDown = true;
      new Logger('Service').log(`${signal}: what is under way is finished first`);
      const late = () => {
        throw new Error(`it took longer than ${ENDED_WITHIN_MS} ms, and what is left ends as after a crash`);
      };
      resultWithin(ENDED_WITHIN_MS, shutDown(), late).then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`the shutdown failed: ${String(error)}\n`);
          process.exit(1);
        },
      );
    });
  }
}
