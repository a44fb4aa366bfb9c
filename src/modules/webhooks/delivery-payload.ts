import { createHmac } from 'node:crypto';
import type { OperationRoute, OperationRoutes } from '../../events/outbox';

const STANDARD_PREFIX = 'whsec_';

interface SigningSecrets {
  present: string;
  previous: string | null;
}

/** `sha256=` and the HMAC-SHA256 of the body in hex, by the secret's text with its prefix (reference, Signing 1). */
function serviceSignature(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** Standard Webhooks 1.0.0, "Signature scheme". The key is the decoded base64 after `whsec_`, or else the text. */
function standardSignature(secret: string, id: string, unixSeconds: number, body: string): string {
  const key = secret.startsWith(STANDARD_PREFIX)
    ? Buffer.from(secret.slice(STANDARD_PREFIX.length), 'base64')
    : Buffer.from(secret);
  const hmac = createHmac('sha256', key).update(`${id}.${unixSeconds}.${body}`);
  return `v1,${hmac.digest('base64')}`;
}

/** During an overlap the standard header carries a signature by each secret; the service's own has another header. */
export function signingHeaders(
  secrets: SigningSecrets,
  eventId: string,
  attemptedAt: Date,
  body: string,
): Record<string, string> {
  const { present, previous } = secrets;
  const unixSeconds = Math.floor(attemptedAt.getTime() / 1000);
  const standard = [present, ...(previous === null ? [] : [previous])].map((secret) =>
    standardSignature(secret, eventId, unixSeconds, body),
  );
  return {
    'X-Service-Signature': serviceSignature(present, body),
    ...(previous === null ? {} : { 'X-Service-Signature-Previous': serviceSignature(previous, body) }),
    'webhook-id': eventId,
    'webhook-timestamp': String(unixSeconds),
    'webhook-signature': standard.join(' '),
  };
}

const NAMING_THE_ROUTE = new Set(['usage.limit_exceeded', 'rate_limit.exceeded']);

export interface StoredEvent {
  eventId: string;
  eventType: string;
  data: Record<string, unknown>;
  operation: string | null;
  occurredAt: Date;
}

export interface SignedEvent extends StoredEvent {
  secret: string;
  previousSecret: string | null;
}

/** `signature` signs the body without that field (reference, Payload): no text can hold its own digest. */
export function payloadOf(event: StoredEvent, routes: OperationRoutes, secret: string): string {
  const unsigned = JSON.stringify({
    event_id: event.eventId,
    event_type: event.eventType,
    timestamp: event.occurredAt.toISOString(),
    data: { ...event.data, ...routeFields(event, routes) },
  });
  return `${unsigned.slice(0, -1)},"signature":${JSON.stringify(serviceSignature(secret, unsigned))}}`;
}

export interface DeliveryRequest {
  headers: Record<string, string>;
  body: string;
}

export function requestOf(event: SignedEvent, routes: OperationRoutes, attemptedAt: Date): DeliveryRequest {
  const { secret: present, previousSecret: previous } = event;
  const body = payloadOf(event, routes, present);
  return {
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Service-Webhooks/1.0',
      ...signingHeaders({ present, previous }, event.eventId, attemptedAt, body),
    },
    body,
  };
}

function routeFields(
  { eventType, data, operation }: StoredEvent,
  routes: OperationRoutes,
): Record<string, unknown> {
  const known: OperationRoute | undefined = operation === null ? undefined : routes[operation];
  const [route, method] = [known?.route ?? null, known?.method ?? null];
  if (eventType === 'balance.updated') {
    const metadata = data.metadata as object | undefined;
    return { metadata: { route, method, request_id: null, cause: null, ...metadata } };
  }
  if (NAMING_THE_ROUTE.has(eventType) && !('request_route' in data)) {
    return { request_route: route };
  }
  return {};
}
