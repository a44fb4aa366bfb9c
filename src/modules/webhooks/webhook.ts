import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { WebhookSecret } from '../../../generated/types';
import { Configuration } from '../../config/configuration';
import { Unprocessable } from '../../errors/api-errors';
import type { Subscription } from '../../events/outbox';
import { OutboundFault } from '../../http/outbound/outbound-fault';
import { outboundTarget } from '../../http/outbound/ssrf-policy';

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

/** A URL that events may be sent to. */
interface WebhookAddress {
  url: string;
  /** Its host in lower case and its port, `hooks.example.com:443`: what is bounded together when events are sent. */
  receiver: string;
}

/** Judges the URLs that customers give. Where a host leads is judged at each connection (src/http/outbound). */
@Injectable()
export class WebhookAddresses {
  constructor(private readonly configuration: Configuration) {}

  /** @throws Unprocessable for a URL that events are never sent to */
  judge(text: string): WebhookAddress {
    try {
      const { url, receiver } = outboundTarget(text, {
        allowLoopback: this.configuration.allowLoopbackWebhooks,
      });
      return { url: url.href, receiver };
    } catch (error) {
      throw error instanceof OutboundFault ? new Unprocessable(`url: ${error.message}`) : error;
    }
  }
}

/** Where the events of an account are sent to, and how that goes. */
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

/** A webhook as its owner and operators see it: without its secret. */
export function toWebhook(webhook: Webhook) {
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.events,
    is_active: webhook.isActive,
    disabled_reason: webhook.disabledReason,
    description: webhook.description,
    failing_since: webhook.failingSince?.toISOString() ?? null,
    last_delivered_at: webhook.lastDeliveredAt?.toISOString() ?? null,
    created_at: webhook.createdAt.toISOString(),
  };
}

export function toWebhookSecret(webhook: Webhook): WebhookSecret {
  const { secret, previousSecretUntil } = webhook;
  return {
    ...toWebhook(webhook),
    secret,
    previous_secret_until: previousSecretUntil?.toISOString() ?? null,
  };
}
