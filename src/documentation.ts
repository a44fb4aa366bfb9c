import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import socketDocument from '../generated/asyncapi.json';
import document from '../generated/openapi.json';
import { RateLimitExceeded } from './core/access/rate-limits/rate-limit-exceeded';
import { rateLimitHeaders } from './core/access/rate-limits/rate-limit-headers';
import { RateLimiter } from './core/access/rate-limits/rate-limiter';
import { NotFound } from './core/errors/request-errors';
import { Clock } from './infrastructure/clock/clock';
import { POLICY_OF_DOCUMENTATION } from './infrastructure/http/security-headers';
import { StaticAnswers } from './infrastructure/http/static-answers';
import { RateSubjects } from './pipeline/rate-subjects';

const DOCUMENT = '/openapi.json';
const SOCKET_DOCUMENT = '/asyncapi.json';
const PAGE = '/docs';
/** What would make the page wider than a telephone: the column of links, of which the document has none, and buttons in a row. */
const PAGE_STYLE =
  '.swagger-ui .response-col_links { display: none } .swagger-ui .opblock-section-header { flex-wrap: wrap }';
/** All that is served: the documents, the page and what the page loads. Swagger UI's folder has many other files. */
const PATHS = new Set([
  DOCUMENT,
  SOCKET_DOCUMENT,
  PAGE,
  `${PAGE}/`,
  ...[
    'index.html',
    'swagger-ui-init.js',
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-standalone-preset.js',
    'favicon-16x16.png',
    'favicon-32x32.png',
  ].map((file) => `${PAGE}/${file}`),
]);

/**
 * Serves the document at /openapi.json, that of the sockets at /asyncapi.json and Swagger UI at /docs, to anybody, within the rates of the tier `documents`.
 * The document's server is the relative address `/`: the service does not know under which address a proxy publishes
 * it.
 */
export function publishDocument(application: NestFastifyApplication): void {
  const server = application.getHttpAdapter().getInstance();
  const answers = new StaticAnswers(PATHS);
  const count = counter(application);
  server.addHook('onRoute', (route: RouteOptions) => {
    if (PATHS.has(route.url) || route.url.startsWith(`${PAGE}/`)) {
      route.onRequest = async (request, reply) => {
        await count(request, reply);
        if (!answers.isFor(request)) {
          throw new NotFound(`route: ${request.method} ${request.url.split('?')[0]}`);
        }
        if (request.method === 'HEAD' && !answers.has(request)) {
          // HEAD has the headers of GET, so GET is asked first: it alone makes what is kept.
          await server.inject({ url: request.url, remoteAddress: request.ip });
        }
        reply.header('content-security-policy', POLICY_OF_DOCUMENTATION);
        return answers.send(request, reply) ? reply : undefined;
      };
      route.onSend = (request, reply, payload) => answers.leave(request, reply, payload);
    }
  });
  server.get(DOCUMENT, (_, reply) => {
    const published = { ...document, servers: [{ url: '/', description: 'This service.' }] };
    void reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(published));
  });
  server.get(SOCKET_DOCUMENT, (_, reply) => {
    void reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(socketDocument));
  });
  // Swagger UI fetches the document from its address where it is given an empty one. It would also ask a validator on
  // the internet about that address.
  SwaggerModule.setup(PAGE.slice(1), application, {} as OpenAPIObject, {
    raw: false,
    swaggerUrl: DOCUMENT,
    // All groups in sight, and each unfolded by a click: with every operation unfolded the page would render only those
    // near its window, so that neither a browser's search nor a screen reader finds the others.
    swaggerOptions: { validatorUrl: null, docExpansion: 'none' },
    customCss: PAGE_STYLE,
    customSiteTitle: document.info.title,
  });
}

/** Counts a request under its address, apart from calls. @throws RateLimitExceeded */
function counter(application: NestFastifyApplication) {
  const [limiter, subjects, clock] = [
    application.get(RateLimiter),
    application.get(RateSubjects),
    application.get(Clock),
  ];
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const decision = await limiter.take([subjects.ofDocuments(request.ip)], clock.now().getTime());
    if (!decision.allowed) {
      throw new RateLimitExceeded(decision);
    }
    reply.headers(rateLimitHeaders(decision));
  };
}
