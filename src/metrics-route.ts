import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { ApiError } from './core/errors/api-error';
import type { Metrics } from './infrastructure/metrics/metrics';

/**
 * Serves GET /metrics to whoever shows the token; Prometheus is the usual reader. The path does not exist where no
 * token is configured. A private address is no substitute for the token: behind a proxy every caller has one, and the
 * numbers are the operator's business alone.
 */
export function publishMetrics(server: FastifyInstance, metrics: Metrics, token: string | null): void {
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

/** Digests have one length, which timingSafeEqual needs, and the time to compare them tells nothing about the token. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
