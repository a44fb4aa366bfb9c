import { createHash, timingSafeEqual } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiError } from './core/errors/api-error';
import { Metrics } from './infrastructure/metrics/metrics';

/**
 * GET /metrics for Prometheus, for whoever shows the token; without one there is no such path. Where a request comes
 * from decides nothing: behind a proxy every caller has a private address, and the numbers are the operator's business.
 */
export function publishMetrics(application: NestFastifyApplication, token: string | null): void {
  if (token === null) {
    return;
  }
  const metrics = application.get(Metrics);
  const expected = digest(`Bearer ${token}`);
  application
    .getHttpAdapter()
    .getInstance()
    .get('/metrics', async (request, reply) => {
      if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) {
        throw new ApiError(401, 'Invalid token', 'Send METRICS_TOKEN as a bearer token.', {
          headers: { 'WWW-Authenticate': 'Bearer' },
        });
      }
      return reply.header('content-type', metrics.contentType).send(await metrics.text());
    });
}

/** Digests are of one length, and comparing them tells nothing of what they were made from. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
