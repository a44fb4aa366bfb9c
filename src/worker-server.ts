import type { INestApplicationContext } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from './core/errors/api-error';
import { NotFound } from './core/errors/request-errors';
import { createHttpAdapter, type HttpOptions } from './infrastructure/http/http-adapter';
import { plainError } from './infrastructure/http/plain-answer';
import { Metrics } from './infrastructure/metrics/metrics';
import { publishMetrics } from './metrics-route';
import { HealthService } from './modules/health/health.service';
import { apiErrorOf } from './pipeline/http/thrown-error';
import { unexpectedError } from './pipeline/known-error';

/**
 * What a process of role `worker` answers: whether it lives, whether it can work, and its metrics. No operation of the
 * document but these two of health is there, so whoever reaches its port can spend nothing.
 */
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
