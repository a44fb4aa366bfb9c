import { createHmac } from 'node:crypto';
import type { OperationRoute, OperationRoutes } from '../../events/outbox';

const STANDARD_PREFIX = 'whsec_';

/** A webhook's secrets: the present one, and during a rotation's overlap the one before. */
export interface SigningSecrets {
  present: string;
  previous: string | null;
}

/**
 * The service's own signature: `sha256=` and the HMAC-SHA256 of the body in hex. The key is the secret's text as it is,
 * prefix included (reference, Signing 1).
 */
function serviceSignature(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/**
 * One signature of the Standard Webhooks specification, version 1.0.0, "Signature scheme": `v1,` and the HMAC-SHA256 of
 * `id.timestamp.body` in base64. The key is what the base64 after `whsec_` stands for; of a secret without the prefix it
 * is the text.
 */
function standardSignature(secret: string, id: string, unixSeconds: number, body: string): string {
  const key = secret.startsWith(STANDARD_PREFIX)
    ? Buffer.from(secret.slice(STANDARD_PREFIX.length), 'base64')
    : Buffer.from(secret);
  const hmac = createHmac('sha256', key).update(`${id}.${unixSeconds}.${body}`);
  return `v1,${hmac.digest('base64')}`;
}

/**
 * The headers that sign an attempt. During the overlap of a rotation receivers may know either secret: the standard
 * header carries a signature by each, the service's own one by the present secret, with another header for the one
 * before.
 * @param attemptedAt the time of the attempt, by which a receiver refuses old requests that somebody sends again
 */
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

/** What is posted to a receiver. */
export interface DeliveryRequest {
  headers: Record<string, string>;
  body: string;
}

/** The request that an attempt makes at a time, but for what HTTP adds to it. */
export function requestOf(
  event: StoredEvent,
  routes: OperationRoutes,
  secrets: SigningSecrets,
  attemptedAt: Date,
): DeliveryRequest {
  const body = payloadOf(event, routes, secrets.present);
  return {
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Service-Webhooks/1.0',
      ...signingHeaders(secrets, event.eventId, attemptedAt, body),
    },
    body,
  };
}

/** The fields of `data` that name the route of the operation. A test's data has them already. */
function routeFields(
  { eventType, data, operation }: StoredEvent,
  routes: OperationRoutes,
): Record<string, unknown> {
  const known: OperationRoute | undefined = operation === null ? undefined : routes[operation];
  const [route, method] = [known?.route ?? null, known?.method ?? null];
  if (eventType === 'balance.updated') {
    const told = data.metadata as object | undefined;
    return { metadata: { route, method, request_id: null, cause: null, ...told } };
  }
  if (NAMING_THE_ROUTE.has(eventType) && !('request_route' in data)) {
    return { request_route: route };
  }
  return {};
}
