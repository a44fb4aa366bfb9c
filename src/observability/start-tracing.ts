import { createRequire } from 'node:module';
import { NoTracing, type Tracing } from './tracing';

const load = createRequire(__filename);

/** OpenTelemetry's code takes a quarter of a second and some megabytes, so it is loaded only with an endpoint. */
export function startTracing(endpoint: string | null, role: string): Tracing {
  if (endpoint === null) {
    return new NoTracing();
  }
  const { OtlpTracing } = load('./otlp-tracing') as typeof import('./otlp-tracing');
  return new OtlpTracing(role);
}
