import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Column, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import type { ListAllWebhooksQuery, WebhookSecret } from '../../../generated/types';
import { AccountRows, type BoundedRowPage } from '../../accounts/account-rows';
import { Configuration } from '../../config/configuration';
import { AccountDatabases } from '../../database/account-databases';
import { inBatches } from '../../database/bounded-statements';
import { Conflict, IdempotencyKeyUsed, Unprocessable } from '../../errors/api-errors';
import type { Subscription } from '../../events/outbox';
import { targetIn } from '../../http/outbound/ssrf-policy';
import { openPeriod } from '../../ledger/period';
import { Clock } from '../../runtime/clock';
import { createdId, isId } from '../../runtime/ids';
import { inSnakeCase } from '../../runtime/json';
import { CHANGED_AT_ONCE_MAX, SWITCHED_OFF_TEXT } from './delivery.limits';

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

/** The resolved address is judged at each connection. @throws Unprocessable for a URL that events are never sent to */
function judgedAddress(text: string, allowLoopback: boolean): { url: string; receiver: string } {
  const { url, receiver } = targetIn('url', text, { allowLoopback });
  return { url: url.href, receiver };
}

@Entity('webhooks')
export class Webhook {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') accountId!: string;
  @Column('text') url!: string;
  @Column('text') receiver!: string;
  @Column('text', { array: true }) events!: Subscription[];
  @Column('text', { nullable: true }) description!: string | null;
  /** Signs deliveries, so it cannot be stored as a hash. */
  @Column('text') secret!: string;
  /** Signs deliveries as well until its time has passed. */
  @Column('text', { nullable: true }) previousSecret!: string | null;
  @Column('timestamptz', { nullable: true }) previousSecretUntil!: Date | null;
  /** The same for every try of the rotation that made the secret; null where there are none. */
  @Column('text', { nullable: true }) rotationCall!: string | null;
  @Column('boolean') isActive!: boolean;
  @Column('text', { nullable: true }) disabledReason!: string | null;
  /** The first failed attempt since the last success, the present URL or switching on; null where there is none. */
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

/** One statement for the deliveries of a month could time out every time. */
const DELETED_AT_ONCE_MAX = 5_000;
const DELETED_BATCHES_MAX = 20_000;

interface NewWebhook extends Pick<Webhook, 'accountId' | 'url' | 'events' | 'description'> {
  secret: string | null;
  idempotencyId?: string | null;
}

type WebhookChange = Partial<Pick<Webhook, 'url' | 'events' | 'description' | 'isActive'>>;

interface WebhookCounts {
  active: number;
  inactive: number;
  switchedOff: number;
}

const SWITCHED_ON = { isActive: true, disabledReason: null, failingSince: null };

/** A change stores the account's subscriptions for later events. Webhooks are locked before deliveries. */
@Injectable()
export class Webhooks extends AccountRows<Webhook> {
  constructor(
    databases: AccountDatabases,
    private readonly configuration: Configuration,
    private readonly clock: Clock,
  ) {
    super(databases, Webhook, { name: 'webhook', plural: 'webhooks', countMax: 20 });
  }

  /** @throws Unprocessable for a forbidden URL or a secret that cannot sign, Conflict at 20 webhooks */
  async create({ idempotencyId = null, ...fields }: NewWebhook): Promise<Webhook> {
    const { accountId, secret } = fields;
    const { url, receiver } = judgedAddress(fields.url, this.configuration.allowLoopbackWebhooks);
    const asked = {
      url,
      events: fields.events,
      description: fields.description,
      ...(secret !== null && { secret }),
    };
    const webhook = this.repository(accountId).create({
      ...asked,
      accountId,
      receiver,
      id: createdId(idempotencyId),
      secret: secret === null ? newWebhookSecret() : customerSecret(secret),
      previousSecret: null,
      previousSecretUntil: null,
      rotationCall: null,
      ...SWITCHED_ON,
      lastDeliveredAt: null,
      createdAt: this.clock.now(),
    });
    return this.transaction(accountId, async (manager) => {
      const stored = await this.insertOnce(manager, webhook, asked);
      await manager.query(SUBSCRIBE, [accountId]);
      return stored;
    });
  }

  async listOfAll(query: ListAllWebhooksQuery): Promise<BoundedRowPage<Webhook>> {
    const { status } = query;
    return this.listAll(
      { ...query, ...openPeriod(query) },
      {
        'account_id = $': query.user_id,
        'is_active = $': status && status === 'active',
        '(disabled_reason IS NOT NULL) = $': status === 'switched_off' ? true : null,
      },
    );
  }

  /** A new URL applies to waiting deliveries. Switching it off ends them. @throws NotFound, Unprocessable */
  async change(accountId: string, id: string, change: WebhookChange): Promise<Webhook> {
    const { url, events, description, isActive } = change;
    const { allowLoopbackWebhooks } = this.configuration;
    const address = url === undefined ? undefined : judgedAddress(url, allowLoopbackWebhooks);
    return this.changing(accountId, id, async (manager, webhook) => {
      const changed: Partial<Webhook> = {
        ...address,
        ...(address && address.url !== webhook.url && { failingSince: null }),
        ...(events && { events }),
        ...(description !== undefined && { description }),
        ...(isActive !== undefined && { isActive }),
        ...(isActive === true && !webhook.isActive && SWITCHED_ON),
      };
      await manager.update(Webhook, { id }, changed);
      if (address && address.receiver !== webhook.receiver) {
        await manager.query(MOVE_DELIVERIES, [id, address.receiver, CHANGED_AT_ONCE_MAX]);
      }
      if (isActive === false) {
        await manager.query(END_DELIVERIES, [id, SWITCHED_OFF_TEXT, this.clock.now(), CHANGED_AT_ONCE_MAX]);
      }
      return Object.assign(webhook, changed);
    });
  }

  /** `judge` decides under the lock; if it throws, nothing is changed. @throws NotFound */
  async switchOn(
    id: string,
    judge: (manager: EntityManager, webhook: Webhook) => Promise<boolean>,
  ): Promise<Webhook> {
    const found = isId(id) ? await this.databases.everyone.getRepository(Webhook).findOneBy({ id }) : null;
    if (!found) {
      return this.missing();
    }
    return this.changing(found.accountId, id, async (manager, webhook) => {
      if (!(await judge(manager, webhook))) {
        return webhook;
      }
      await manager.update(Webhook, { id }, SWITCHED_ON);
      return Object.assign(webhook, SWITCHED_ON);
    });
  }

  /** Deliveries of a disabled account were held back, so none of its webhooks could succeed. */
  async forgetFailures(manager: EntityManager, accountId: string): Promise<void> {
    await manager.query(FORGET_FAILURES, [accountId]);
  }

  async counts(accountId: string): Promise<WebhookCounts> {
    const [counts]: [WebhookCounts] = await this.databases.of(accountId).query(COUNTS, [accountId]);
    return counts;
  }

  /** With very many deliveries it is switched off first, and stays so if not all are deleted. @throws NotFound */
  override async remove(accountId: string, id: string): Promise<void> {
    const { id: ownId } = await this.get(accountId, id);
    const database = this.databases.of(accountId);
    const many: unknown[] = await database.query(HAS_MANY, [ownId, DELETED_AT_ONCE_MAX]);
    if (many.length > 0) {
      await this.change(accountId, id, { isActive: false });
      await inBatches({ sizeMax: DELETED_AT_ONCE_MAX, batchesMax: DELETED_BATCHES_MAX }, async (sizeMax) => {
        const deleted: [unknown, number] = await database.query(DELETE_DELIVERIES, [ownId, sizeMax]);
        return deleted[1];
      });
    }
    await this.changing(accountId, id, async (manager) => {
      await manager.delete(Webhook, { id });
    });
  }

  /** 0 ends a leaked secret at once. @throws Conflict during an overlap, except for a retry: only two signatures fit */
  async rotate(fields: {
    accountId: string;
    id: string;
    overlapSeconds: number;
    secret: string | null;
    idempotencyId: string | null;
  }): Promise<Webhook> {
    const { accountId, id, overlapSeconds, idempotencyId } = fields;
    const secret = fields.secret === null ? newWebhookSecret() : customerSecret(fields.secret);
    const now = this.clock.now();
    return this.changing(accountId, id, async (manager, webhook) => {
      const { previousSecretUntil } = webhook;
      if (overlapSeconds > 0 && previousSecretUntil && previousSecretUntil > now) {
        if (idempotencyId !== null && webhook.rotationCall === idempotencyId) {
          if (fields.secret !== null && fields.secret !== webhook.secret) {
            throw new IdempotencyKeyUsed();
          }
          return webhook;
        }
        throw new Conflict(
          `The secret before the present one is valid until ${previousSecretUntil.toISOString()}. Rotate then, or ` +
            'with overlap_seconds 0, which ends both at once.',
        );
      }
      const changed: Partial<Webhook> = {
        secret,
        previousSecret: overlapSeconds > 0 ? webhook.secret : null,
        previousSecretUntil: overlapSeconds > 0 ? new Date(now.getTime() + overlapSeconds * 1000) : null,
        rotationCall: idempotencyId,
      };
      await manager.update(Webhook, { id }, changed);
      return Object.assign(webhook, changed);
    });
  }

  /** Also stores what the account subscribes to after the change. */
  private async changing<Result>(
    accountId: string,
    id: string,
    change: (manager: EntityManager, webhook: Webhook) => Promise<Result>,
  ): Promise<Result> {
    return this.transaction(accountId, async (manager) => {
      const webhook = await this.locked(manager, accountId, id);
      const result = await change(manager, webhook);
      await manager.query(SUBSCRIBE, [accountId]);
      return result;
    });
  }
}

// Locked in the order of deliveries_record.
const FORGET_FAILURES = `
  UPDATE webhooks SET failing_since = NULL WHERE id IN (
    SELECT id FROM webhooks WHERE account_id = $1 AND is_active AND failing_since IS NOT NULL
    ORDER BY id FOR NO KEY UPDATE)`;

const COUNTS = `
  SELECT count(*) FILTER (WHERE is_active)::integer AS active,
    count(*) FILTER (WHERE NOT is_active)::integer AS inactive,
    count(*) FILTER (WHERE NOT is_active AND disabled_reason IS NOT NULL)::integer AS "switchedOff"
  FROM webhooks WHERE account_id = $1`;

const SUBSCRIBE = 'SELECT webhook_subscriptions($1)';

// A delivery's receiver only decides its concurrency bound: all go to the present URL. More are not worth the wait.
const MOVE_DELIVERIES = `
  UPDATE deliveries SET receiver = $2
  WHERE id IN (SELECT id FROM deliveries WHERE webhook_id = $1 AND stage <> 'over' AND receiver <> $2 LIMIT $3)`;

// A worker ends the deliveries it already holds, and later those beyond the limit, when it sees the webhook off.
const END_DELIVERIES = `
  SELECT deliveries_end(
    ARRAY(SELECT id FROM deliveries WHERE webhook_id = $1 AND stage IN ('due', 'later') LIMIT $4), $2, $3)`;

const HAS_MANY = 'SELECT FROM deliveries WHERE webhook_id = $1 OFFSET $2 LIMIT 1';

const DELETE_DELIVERIES = `
  DELETE FROM deliveries WHERE id IN (
    SELECT id FROM deliveries WHERE webhook_id = $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;
