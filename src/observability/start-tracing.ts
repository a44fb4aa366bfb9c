import { createRequire } from 'node:module';
import { NoTracing, type Tracing } from './tracing';

const load = createRequire(__filename);

/**
 * Begins to send spans, where there is an endpoint for them. OpenTelemetry's code is loaded only then: it takes a quarter of
 * a second and some megabytes.
 * @param endpoint of a collector; null for none
 */
export function startTracing(endpoint: string | null, role: string): Tracing {
  if (endpoint === null) {
    return new NoTracing();
  }
  const { OtlpTracing } = load('./otlp-tracing') as typeof import('./otlp-tracing');
  return new OtlpTracing(role);
}
