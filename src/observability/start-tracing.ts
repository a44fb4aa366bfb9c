import { createRequire } from 'node:module';
import { NoTracing, type Tracing } from './tracing';

const load = createRequire(__filename);

/**
 * OpenTelemetry's code is loaded only where there is an endpoint: it takes a quarter of a second and some megabytes.
 */
export function startTracing(endpoint: string | null, role: string): Tracing {
  if (endpoint === null) {
    return new NoTracing();
  }
  const { OtlpTracing } = load('./otlp-tracing') as typeof import('./otlp-tracing');
  return new OtlpTracing(role);
}
