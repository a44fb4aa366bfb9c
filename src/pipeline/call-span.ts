import type { SpanFacts } from '../infrastructure/tracing/span';
import type { MeteredCall } from './metered-call';

/**
 * What the span of a call says of it: names of the document and the id by which its receipt is found. It says nothing
 * of who called and nothing of what was sent, not even a path with its parameters.
 */
export function factsOf({ policy, requestId }: Pick<MeteredCall, 'policy' | 'requestId'>): SpanFacts {
  return {
    'http.request.method': policy.method,
    'http.route': policy.path,
    'app.operation_id': policy.operationId,
    'app.request_id': requestId,
  };
}
