import { randomBytes } from 'node:crypto';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { WebhookSecret } from '../../../generated/types';
import { Unprocessable } from '../../errors/api-errors';
import type { Subscription } from '../../events/outbox';
import { OutboundFault } from '../../http/outbound/outbound-fault';
import { outboundTarget } from '../../http/outbound/ssrf-policy';
import { inSnakeCase } from '../../runtime/snake-case';

const PREFIX = 'whsec_';
const GENERATED_BYTES = 32;
const PRINTABLE = /^[ -~]{16,128}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const DECODED_BYTES_MIN = 24;
const DECODED_BYTES_MAX = 64;

export function newWebhookSecret(): string {
  return PREFIX + randomBytes(GENERATED_BYTES).toString('base64');
}

/** Standard Webhooks libraries decode what follows `whsec_` as base64 and want 24 to 64 bytes. @throws Unprocessable */
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

/** Where its host leads is judged at each connection. @throws Unprocessable for a URL that events are never sent to */
export function judgedAddress(text: string, allowLoopback: boolean): { url: string; receiver: string } {
  try {
    const { url, receiver } = outboundTarget(text, { allowLoopback });
    return { url: url.href, receiver };
  } catch (error) {
    throw error instanceof OutboundFault ? new Unprocessable(`url: ${error.message}`) : error;
  }
}

@Entity('webhooks')
export class Webhook {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') accountId!: string;
  @Column('text') url!: string;
  /** Host and port of the URL, `hooks.example.com:443`. */
  @Column('text') receiver!: string;
  @Column('text', { array: true }) events!: Subscription[];
  @Column('text', { nullable: true }) description!: string | null;
  /** Deliveries are signed with it, so it is stored as it is and not as a hash. */
  @Column('text') secret!: string;
  /** Deliveries are signed with it as well until its time has passed. */
  @Column('text', { nullable: true }) previousSecret!: string | null;
  @Column('timestamptz', { nullable: true }) previousSecretUntil!: Date | null;
  @Column('boolean') isActive!: boolean;
  /** Why the service switched the webhook off; null where it did not. */
  @Column('text', { nullable: true }) disabledReason!: string | null;
  /** The first failed attempt since the last successful one; null where there is none. */
  @Column('timestamptz', { nullable: true }) failingSince!: Date | null;
  @Column('timestamptz', { nullable: true }) lastDeliveredAt!: Date | null;
  @Column('timestamptz') createdAt!: Date;
}

export function toWebhook(webhook: Webhook) {
  return {
    ...inSnakeCase(webhook, 'id', 'url', 'events', 'description', 'createdAt'),
    ...inSnakeCase(webhook, 'isActive', 'disabledReason', 'failingSince', 'lastDeliveredAt'),
  };
}

export function toWebhookSecret(webhook: Webhook): WebhookSecret {
  return { ...toWebhook(webhook), ...inSnakeCase(webhook, 'secret', 'previousSecretUntil') };
}
