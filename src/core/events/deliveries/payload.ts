import type { OperationRoute, OperationRoutes } from '../outbox/event-document';
import { serviceSignature } from './signatures';

const NAMING_THE_ROUTE = new Set(['usage.limit_exceeded', 'rate_limit.exceeded']);

/** An event as the outbox holds it. */
export interface StoredEvent {
  eventId: string;
  eventType: string;
  data: Record<string, unknown>;
  /** The operation that caused it, for the types that name its route. */
  operation: string | null;
  occurredAt: Date;
}

/**
 * The body that is sent for an event (reference, Payload). Its `signature` is that of the same body without the field,
 * because no text can hold its own digest; the header's signature is that of the whole body.
 * @param secret the webhook's present secret
 */
export function payloadOf(event: StoredEvent, routes: OperationRoutes, secret: string): string {
  const unsigned = JSON.stringify({
    event_id: event.eventId,
    event_type: event.eventType,
    timestamp: event.occurredAt.toISOString(),
    data: { ...event.data, ...routeFields(event, routes) },
  });
  return `${unsigned.slice(0, -1)},"signature":${JSON.stringify(serviceSignature(secret, unsigned))}}`;
}

/** The fields of `data` that name the route of the operation. A test's data has them already. */
function routeFields(
  { eventType, data, operation }: StoredEvent,
  routes: OperationRoutes,
): Record<string, unknown> {
  const known: OperationRoute | undefined = operation === null ? undefined : routes[operation];
  const [route, method] = [known?.route ?? null, known?.method ?? null];
  if (eventType === 'balance.updated' && !('metadata' in data)) {
    return { metadata: { route, method } };
  }
  if (NAMING_THE_ROUTE.has(eventType) && !('request_route' in data)) {
    return { request_route: route };
  }
  return {};
}
