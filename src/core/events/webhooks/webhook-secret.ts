import { randomBytes } from 'node:crypto';
import { Unprocessable } from '../../errors/request-errors';

const PREFIX = 'whsec_';
const GENERATED_BYTES = 32;
const PRINTABLE = /^[ -~]{16,128}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const DECODED_BYTES_MIN = 24;
const DECODED_BYTES_MAX = 64;

/** A new secret: `whsec_` and the base64 of 32 random bytes, as libraries for Standard Webhooks take it. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(GENERATED_BYTES).toString('base64');
}

/**
 * Judges a secret that a customer gives. Libraries for Standard Webhooks decode what follows `whsec_` as base64 and want
 * 24 to 64 bytes of it: with any other text after that prefix they would refuse every delivery.
 * @returns the secret as it is
 * @throws Unprocessable
 */
export function customerSecret(secret: string): string {
  if (!PRINTABLE.test(secret)) {
    throw new Unprocessable('secret must be 16 to 128 printable ASCII characters.');
  }
  if (secret.startsWith(PREFIX) && !isDecodable(secret.slice(PREFIX.length))) {
    throw new Unprocessable(
      `secret begins with ${PREFIX}, and so must go on with the base64 of ${DECODED_BYTES_MIN} to ${DECODED_BYTES_MAX} bytes.`,
    );
  }
  return secret;
}

function isDecodable(text: string): boolean {
  const bytes = Buffer.byteLength(text, 'base64');
  return BASE64.test(text) && bytes >= DECODED_BYTES_MIN && bytes <= DECODED_BYTES_MAX;
}
