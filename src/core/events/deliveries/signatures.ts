import { createHmac } from 'node:crypto';

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
export function serviceSignature(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/**
 * One signature of the Standard Webhooks specification, version 1.0.0, "Signature scheme": `v1,` and the HMAC-SHA256 of
 * `id.timestamp.body` in base64. The key is what the base64 after `whsec_` stands for; of a secret without the prefix it
 * is the text.
 */
export function standardSignature(secret: string, id: string, unixSeconds: number, body: string): string {
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
