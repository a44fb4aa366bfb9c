import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { eventExamples } from '../../../generated/events';
import { type AccountDatabases, openAccountDatabases } from '../../../src/database/account-databases';
import { dataSourceOptions } from '../../../src/database/data-source';
import type { ProcessRegister } from '../../../src/database/process-register';
import { CallTraces } from '../../../src/events/call-traces';
import { EventDocument, type EventType, Outbox, type Subscription } from '../../../src/events/outbox';
import type { OutboundHttp } from '../../../src/http/outbound/outbound-http';
import { AttemptsRepository } from '../../../src/modules/webhooks/delivery-attempts.repository';
import { DeliveryDispatcher } from '../../../src/modules/webhooks/delivery-dispatcher';
import { DeliveryAttempts } from '../../../src/modules/webhooks/webhooks';
import { DeliveryMetrics } from '../../../src/modules/webhooks/delivery.metrics';
import { Metrics } from '../../../src/observability/metrics';
import { NoTracing } from '../../../src/observability/tracing';
import { ManualClock } from '../../../src/runtime/clock';
import { createTestDatabase, type TestDatabase } from '../api/test-database';
import { registerOf } from '../database/process-register';
import { HeldQueues } from './held-queues';
import { ScriptedReceiver } from './scripted-receiver';

const POOL_SIZE_MAX = 4;

/** A row of deliveries, as far as tests look at it. */
export interface DeliveryRow {
  id: string;
  account_id: string;
  webhook_id: string;
  event_id: string;
  url: string;
  receiver: string;
  stage: string;
  status: string;
  attempt_count: number;
  automatic_attempts: number;
  attempts: {
    attempted_at: string;
    duration_ms: number;
    response_status: number | null;
    response_body: string | null;
    error_message: string | null;
  }[];
  response_status: number | null;
  response_body: string | null;
  error_message: string | null;
  next_attempt_at: Date | null;
  scheduled_at: Date | null;
  delivered_at: Date | null;
  failed_at: Date | null;
  abandoned_at: Date | null;
}

export interface WebhookFields {
  accountId: string;
  receiver?: string;
  events?: Subscription[];
  secret?: string;
  isActive?: boolean;
}

/** Dispatcher and attempts on a real database, with a clock, queues and receivers that the test has in its hand. */
export class DeliveryWorld {
  readonly clock = new ManualClock();
  readonly receiver = new ScriptedReceiver();
  readonly queues = new HeldQueues();
  readonly metrics = new Metrics();
  readonly dispatcher: DeliveryDispatcher;
  readonly attempts: DeliveryAttempts;
  readonly register: ProcessRegister;
  private readonly outbox = new Outbox();

  private constructor(
    private readonly installation: DataSource,
    readonly databases: AccountDatabases,
    private readonly place: TestDatabase,
  ) {
    const eventMetrics = new DeliveryMetrics(this.metrics, databases);
    const routes = { createChatCompletion: { method: 'POST', route: '/v1/chat/completions' } };
    this.register = registerOf(installation, place.url);
    this.dispatcher = new DeliveryDispatcher(
      databases,
      this.queues.fastQueue,
      this.queues.slowQueue,
      eventMetrics,
      this.clock,
      this.register,
    );
    this.attempts = new DeliveryAttempts(
      new AttemptsRepository(databases, this.clock),
      this.receiver as unknown as OutboundHttp,
      new EventDocument(eventExamples, routes),
      this.clock,
      eventMetrics,
      this.dispatcher,
      new CallTraces(installation, new NoTracing()),
    );
  }

  static async open(): Promise<DeliveryWorld> {
    Logger.overrideLogger(false);
    const place = await createTestDatabase();
    const installation = await new DataSource(dataSourceOptions(place.url, POOL_SIZE_MAX)).initialize();
    const schemas = Number(process.env.TEST_ACCOUNT_SCHEMAS ?? 1);
    return new DeliveryWorld(installation, await openAccountDatabases(installation, schemas), place);
  }

  /** Of all accounts. */
  get database(): DataSource {
    return this.databases.everyone;
  }

  async close(): Promise<void> {
    await this.dispatcher.stop();
    await this.register.onApplicationShutdown();
    await this.installation.destroy();
    await this.place.drop();
  }

  /** Removes what the tests before have left. */
  async empty(): Promise<void> {
    for (const database of this.databases.all) {
      await database.query('TRUNCATE webhooks, events, event_subscriptions, slow_receivers CASCADE');
    }
    this.queues.take();
    this.receiver.posts.splice(0);
  }

  async addWebhook(fields: WebhookFields): Promise<string> {
    const {
      accountId,
      receiver = 'receiver.example:443',
      events = ['*'],
      secret = 'a secret of sixteen',
    } = fields;
    const id = randomUUID();
    await this.database.query(
      `INSERT INTO webhooks (id, account_id, url, receiver, events, secret, is_active, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        id,
        accountId,
        `https://${receiver}/`,
        receiver,
        events,
        secret,
        fields.isActive ?? true,
        this.clock.now(),
      ],
    );
    await this.databases.of(accountId).query('SELECT webhook_subscriptions($1)', [accountId]);
    return id;
  }

  async setActive(accountId: string, isActive: boolean): Promise<void> {
    await this.databases.of(accountId).query(
      `INSERT INTO accounts (id, email, username, password_hash, created_at, is_active)
       VALUES ($1, $3, $3, '', now(), $2)
       ON CONFLICT (id) DO UPDATE SET is_active = $2`,
      [accountId, isActive, accountId],
    );
  }

  /** Writes an event as the wings do. Returns whether anybody subscribes to it. */
  async write(accountId: string, type: EventType = 'balance.depleted', data = {}): Promise<boolean> {
    const event = { accountId, type, data, operation: 'createChatCompletion', occurredAt: this.clock.now() };
    return this.outbox.write(this.databases.of(accountId).manager, event);
  }

  /** Runs the dispatcher, and makes the attempts that it claims, until it claims no more. */
  async deliver(): Promise<void> {
    await this.dispatcher.run();
    for (let jobs = this.queues.take(); jobs.length > 0; jobs = this.queues.take()) {
      await Promise.all(jobs.map((job) => this.attempts.make(job)));
      await this.dispatcher.run();
    }
  }

  async deliveries(): Promise<DeliveryRow[]> {
    return await this.database.query<DeliveryRow[]>('SELECT * FROM deliveries ORDER BY id');
  }

  /** The only delivery there is. */
  async delivery(): Promise<DeliveryRow> {
    const [only, ...others] = await this.deliveries();
    if (!only || others.length > 0) {
      throw new Error(`there are ${others.length + (only ? 1 : 0)} deliveries, not one`);
    }
    return only;
  }

  async webhook(id: string): Promise<Record<string, unknown>> {
    const [row] = await this.database.query<[Record<string, unknown>]>(
      'SELECT * FROM webhooks WHERE id = $1',
      [id],
    );
    return row;
  }

  /** Asks for an attempt now, as the operation does. */
  async retry(id: string): Promise<void> {
    await this.database.query(
      `UPDATE deliveries SET stage = 'due', is_manual = true, next_attempt_at = $2 WHERE id = $1`,
      [id, this.clock.now()],
    );
  }
}
