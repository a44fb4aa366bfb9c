import { BullModule, Processor, WorkerHost } from '@nestjs/bullmq';
import { Injectable, Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Job } from 'bullmq';
import { type Call, webhooksApi, type WebhooksApi } from '../../../generated/contract';
import type {
  DeliveryList,
  ReplayedDeliveries,
  Webhook as WebhookView,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookList,
  WebhookSecret,
} from '../../../generated/types';
import { Serves } from '../../contract/operation';
import { openPeriod } from '../../ledger/period';
import { Clock, readIsoTime } from '../../runtime/clock';
import { Deliveries, deliveryRecord } from './deliveries.repository';
import { AttemptsJob, DeliveryDispatcher, FAST_QUEUE, SLOW_QUEUE } from './delivery-dispatcher';
import { DeliveryMetrics } from './delivery.metrics';
import { toWebhook, toWebhookSecret, Webhook, Webhooks } from './webhooks.repository';
import { CallTraces } from '../../events/call-traces';
import { EventDocument } from '../../events/outbox';
import { OutboundFault } from '../../http/outbound/outbound-connection';
import { OutboundHttp } from '../../http/outbound/outbound-http';
import { readJob } from '../../work/queue-worker';
import {
  type AttemptOrder,
  type AttemptOutcome,
  AttemptsRepository,
  keptText,
  type LoadedDelivery,
} from './delivery-attempts.repository';
import { requestOf } from './delivery-payload';
import {
  ANSWER_BYTES_MAX,
  ATTEMPT_MS_MAX,
  FAST_JOBS_AT_ONCE_MAX,
  GONE_TEXT,
  KEPT_ANSWER_BYTES_MAX,
  QUICK_MS_MAX,
  SLOW_JOBS_AT_ONCE_MAX,
} from './delivery.limits';

@Serves(webhooksApi)
class WebhooksController implements WebhooksApi {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly deliveries: Deliveries,
  ) {}

  async createWebhook({ account, body, idempotencyId }: Call<'createWebhook'>): Promise<WebhookSecret> {
    const { url, events, description = null, secret = null } = body;
    const fields = { accountId: account.id, url, events, description, secret, idempotencyId };
    return toWebhookSecret(await this.webhooks.create(fields));
  }

  async listWebhooks({ account, query }: Call<'listWebhooks'>): Promise<WebhookList> {
    const { items, total, limit, offset } = await this.webhooks.list(
      account.id,
      { ...query, ...openPeriod(query) },
      { 'is_active = $': query.status && query.status === 'active' },
    );
    return { webhooks: items.map(toWebhook), total, limit, offset };
  }

  async getWebhook({ account, params }: Call<'getWebhook'>): Promise<WebhookView> {
    return toWebhook(await this.webhooks.get(account.id, params.webhook_id));
  }

  async updateWebhook({ account, params, body }: Call<'updateWebhook'>): Promise<WebhookView> {
    const { url, events, description, is_active: isActive } = body;
    const change = { url, events, description, isActive };
    return toWebhook(await this.webhooks.change(account.id, params.webhook_id, change));
  }

  async deleteWebhook({ account, params }: Call<'deleteWebhook'>): Promise<void> {
    await this.webhooks.remove(account.id, params.webhook_id);
  }

  async rotateWebhookSecret(call: Call<'rotateWebhookSecret'>): Promise<WebhookSecret> {
    const { account, params, body, idempotencyId } = call;
    const { overlap_seconds: overlapSeconds, secret = null } = body;
    const rotation = { accountId: account.id, id: params.webhook_id, overlapSeconds, secret, idempotencyId };
    return toWebhookSecret(await this.webhooks.rotate(rotation));
  }

  async listDeliveries({ account, params, query }: Call<'listDeliveries'>): Promise<DeliveryList> {
    const { items, ...page } = await this.deliveries.list(account.id, params.webhook_id, query);
    return { deliveries: items.map(deliveryRecord), ...page };
  }

  async getDelivery({ account, params }: Call<'getDelivery'>): Promise<WebhookDeliveryDetails> {
    const delivery = await this.deliveries.get(account.id, params.webhook_id, params.delivery_id);
    return { ...deliveryRecord(delivery), request: await this.deliveries.requestOf(account.id, delivery) };
  }

  async testWebhook({ account, params, body }: Call<'testWebhook'>): Promise<WebhookDelivery> {
    return deliveryRecord(await this.deliveries.test(account.id, params.webhook_id, body.event_type));
  }

  async replayDeliveries({ account, params, body }: Call<'replayDeliveries'>): Promise<ReplayedDeliveries> {
    const since = readIsoTime(body.since);
    if (!since) {
      throw new Error('a time reached the service without having been validated');
    }
    return { replayed: await this.deliveries.replay(account.id, params.webhook_id, since.time) };
  }

  async retryDelivery({ account, params }: Call<'retryDelivery'>): Promise<WebhookDelivery> {
    return deliveryRecord(await this.deliveries.retry(account.id, params.delivery_id));
  }
}

const SERVICES = [Deliveries, DeliveryDispatcher, DeliveryMetrics, Webhooks];

@Module({
  imports: [
    BullModule.registerQueue({ name: FAST_QUEUE }, { name: SLOW_QUEUE }),
    TypeOrmModule.forFeature([Webhook]),
  ],
  controllers: [WebhooksController],
  providers: SERVICES,
  exports: SERVICES,
})
export class WebhooksModule {}

type Answer = Pick<AttemptOutcome, 'responseStatus' | 'responseBody' | 'errorMessage'> & {
  /** Null where the receiver was not asked. */
  isAnswered: boolean | null;
};

/** By the monotonic clock: the other may be set meanwhile. */
type TimedAnswer = Answer & Pick<AttemptOutcome, 'durationMs'>;

@Injectable()
export class DeliveryAttempts {
  private readonly logger = new Logger('DeliveryAttempts');

  constructor(
    private readonly attempts: AttemptsRepository,
    private readonly outbound: OutboundHttp,
    private readonly document: EventDocument,
    private readonly clock: Clock,
    private readonly metrics: DeliveryMetrics,
    private readonly dispatcher: DeliveryDispatcher,
    private readonly traces: CallTraces,
  ) {}

  /** In parallel. @throws as {@link make} does, when all have ended */
  async makeAll(orders: readonly AttemptOrder[]): Promise<void> {
    const ended = await Promise.allSettled(orders.map((order) => this.make(order)));
    const failed = ended.find((end) => end.status === 'rejected');
    if (failed) {
      throw failed.reason;
    }
  }

  /** @throws the database's error when its outcome cannot be written */
  async make({ deliveryId, attempt }: AttemptOrder): Promise<void> {
    const delivery = await this.attempts.load({ deliveryId, attempt });
    if (delivery) {
      const startedAt = this.clock.now();
      if (attempt === 1) {
        this.metrics.firstAttempt(startedAt.getTime() - delivery.occurredAt.getTime());
      }
      const answer = await this.traced(delivery, attempt, startedAt);
      const result = await this.attempts.record(
        outcomeOf(delivery, attempt, answer, startedAt, this.clock.now()),
      );
      if (result) {
        this.metrics.attempted(result);
      }
    }
    this.dispatcher.madeRoom();
  }

  /** The span names the event's type and the answer, never the receiver. */
  private async traced(delivery: LoadedDelivery, attempt: number, startedAt: Date): Promise<TimedAnswer> {
    const { requestId, eventType } = delivery;
    const facts = { 'app.event_type': eventType, 'app.attempt': attempt };
    const span = await this.traces.follow('webhook delivery', 'client', requestId, facts);
    const askedAtMs = performance.now();
    const answer = await this.post(delivery, startedAt);
    const durationMs = Math.floor(performance.now() - askedAtMs);
    const { responseStatus, errorMessage } = answer;
    span?.end(
      responseStatus === null ? {} : { 'http.response.status_code': responseStatus },
      errorMessage === null ? null : String(responseStatus ?? 'no answer'),
    );
    return { ...answer, durationMs };
  }

  private async post(delivery: LoadedDelivery, startedAt: Date): Promise<Answer> {
    const bounds = { timeoutMs: ATTEMPT_MS_MAX, answerBytesMax: ANSWER_BYTES_MAX };
    const request = requestOf(delivery, this.document.routes, startedAt);
    try {
      const answer = await this.outbound.post({ url: delivery.url, ...request, ...bounds });
      const errorMessage = errorOfStatus(answer.status);
      const responseBody = errorMessage === null ? keptText(answer.body, KEPT_ANSWER_BYTES_MAX) : null;
      return { responseStatus: answer.status, responseBody, errorMessage, isAnswered: true };
    } catch (error) {
      return this.fault(error, delivery);
    }
  }

  /** An internal fault is for the operator, not the customer. */
  private fault(error: unknown, { deliveryId, requestId }: LoadedDelivery): Answer {
    const none = { responseStatus: null, responseBody: null };
    if (error instanceof OutboundFault) {
      const errorMessage = keptText(Buffer.from(error.message), KEPT_ANSWER_BYTES_MAX);
      return { ...none, errorMessage, isAnswered: error.reason === 'refused' ? null : false };
    }
    this.logger.error({
      message: 'an attempt failed inside the service',
      request_id: requestId,
      delivery_id: deliveryId,
      error: String(error),
    });
    return { ...none, errorMessage: 'The attempt failed inside the service.', isAnswered: null };
  }
}

/** The receiver wants no events at this address ever again (RFC 9110, 15.5.11). */
const GONE = 410;

/** Only 2xx is a success (reference, Delivery rules 1). A redirect could lead to an address that nobody has judged. */
function errorOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) {
    return null;
  }
  if (status === GONE) {
    return 'The receiver answered with status 410 (Gone): it takes no more events.';
  }
  return status >= 300 && status < 400
    ? `The receiver answered with a redirect (status ${status}), which is not followed.`
    : `The receiver answered with status ${status}.`;
}

function outcomeOf(
  { deliveryId, url, receiver }: LoadedDelivery,
  attempt: number,
  { isAnswered, ...answer }: TimedAnswer,
  startedAt: Date,
  endedAt: Date,
): AttemptOutcome {
  return {
    id: deliveryId,
    attempt,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt.toISOString(),
    ...answer,
    url,
    receiver,
    offReason: answer.responseStatus === GONE ? GONE_TEXT : null,
    isSlow: isAnswered === null ? null : !isAnswered || answer.durationMs > QUICK_MS_MAX,
  };
}

@Processor(FAST_QUEUE, { concurrency: FAST_JOBS_AT_ONCE_MAX })
class FastDeliveryProcessor extends WorkerHost {
  constructor(private readonly attempts: DeliveryAttempts) {
    super();
  }

  async process(job: Job<AttemptsJob>): Promise<void> {
    await this.attempts.makeAll(readJob(AttemptsJob, job).attempts);
  }
}

@Processor(SLOW_QUEUE, { concurrency: SLOW_JOBS_AT_ONCE_MAX })
class SlowDeliveryProcessor extends FastDeliveryProcessor {}

@Module({
  imports: [WebhooksModule],
  providers: [AttemptsRepository, DeliveryAttempts, FastDeliveryProcessor, SlowDeliveryProcessor],
})
export class DeliveryWorkersModule {}
