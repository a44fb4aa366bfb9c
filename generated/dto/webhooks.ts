// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsBoolean, IsIn, IsInt, IsString, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('ListWebhooksQuery', { fromText: true })
export class ListWebhooksQuery implements types.ListWebhooksQuery {
  /** How many records to return. */
  @Min(1)
  @Max(100)
  @IsInt()
  limit: number = 20;

  /** How many records to skip. */
  @Min(0)
  @Max(100000)
  @IsInt()
  offset: number = 0;

  /** The field that orders the list. */
  @IsIn(['created_at'])
  @IsString()
  sort: 'created_at' = 'created_at';

  /** The direction of the sort. */
  @IsIn(['asc', 'desc'])
  @IsString()
  order: 'asc' | 'desc' = 'desc';

  /** Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListWebhooksQuery/properties/start_date')
  start_date?: types.ListWebhooksQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListWebhooksQuery/properties/end_date')
  end_date?: types.ListWebhooksQuery['end_date'];

  /** Only webhooks in this state. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['active', 'inactive'])
  @IsString()
  status?: 'active' | 'inactive';
}

@MatchesSchema('CreateWebhookRequest')
export class CreateWebhookRequest implements types.CreateWebhookRequest {
  /** Where events are sent by POST: an HTTPS URL with port 443 or one from 1024 on, whose host has public addresses only. */
  @MatchesSchema('CreateWebhookRequest/properties/url')
  url!: types.CreateWebhookRequest['url'];

  /** What is sent. */
  @MatchesSchema('CreateWebhookRequest/properties/events')
  events!: types.CreateWebhookRequest['events'];

  /** What the webhook is for. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateWebhookRequest/properties/description')
  description?: types.CreateWebhookRequest['description'];

  /** The key of the signatures, as it is written. After `whsec_` it must go on with the base64 of 24 to 64 bytes, because libraries for Standard Webhooks decode that part. Generated when absent. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('CreateWebhookRequest/properties/secret')
  secret?: types.CreateWebhookRequest['secret'];
}

/** A field that is absent stays as it is. */
@MatchesSchema('UpdateWebhookRequest')
export class UpdateWebhookRequest implements types.UpdateWebhookRequest {
  /** Where events are sent by POST: an HTTPS URL with port 443 or one from 1024 on, whose host has public addresses only. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('UpdateWebhookRequest/properties/url')
  url?: types.UpdateWebhookRequest['url'];

  /** What is sent. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('UpdateWebhookRequest/properties/events')
  events?: types.UpdateWebhookRequest['events'];

  /** False switches the webhook off: deliveries that wait are abandoned, and what happens until it is switched on is not sent. True switches it on, also after it was switched off because it failed for too long. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  is_active?: boolean;

  /** Null removes it. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('UpdateWebhookRequest/properties/description')
  description?: types.UpdateWebhookRequest['description'];
}

@MatchesSchema('RotateWebhookSecretRequest')
export class RotateWebhookSecretRequest implements types.RotateWebhookSecretRequest {
  /** For how long deliveries are signed with the old secret as well; 0 ends it at once. */
  @Min(0)
  @Max(86400)
  @IsInt()
  overlap_seconds: number = 0;

  /** The key of the signatures, as it is written. After `whsec_` it must go on with the base64 of 24 to 64 bytes, because libraries for Standard Webhooks decode that part. Generated when absent. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('RotateWebhookSecretRequest/properties/secret')
  secret?: types.RotateWebhookSecretRequest['secret'];
}

@MatchesSchema('ListDeliveriesQuery', { fromText: true })
export class ListDeliveriesQuery implements types.ListDeliveriesQuery {
  /** How many records to return. */
  @Min(1)
  @Max(100)
  @IsInt()
  limit: number = 20;

  /** How many records to skip. */
  @Min(0)
  @Max(100000)
  @IsInt()
  offset: number = 0;

  /** The field that orders the list. */
  @IsIn(['created_at'])
  @IsString()
  sort: 'created_at' = 'created_at';

  /** The direction of the sort. */
  @IsIn(['asc', 'desc'])
  @IsString()
  order: 'asc' | 'desc' = 'desc';

  /** Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListDeliveriesQuery/properties/start_date')
  start_date?: types.ListDeliveriesQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListDeliveriesQuery/properties/end_date')
  end_date?: types.ListDeliveriesQuery['end_date'];

  /** Only deliveries in this state. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['pending', 'success', 'failed'])
  @IsString()
  status?: 'pending' | 'success' | 'failed';

  /** Only deliveries of this type of events. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['payment.created', 'payment.confirming', 'payment.confirmed', 'payment.failed', 'payment.expired', 'balance.updated', 'balance.low', 'balance.depleted', 'usage.limit_exceeded', 'usage.threshold', 'usage.spike', 'anomaly.detected', 'rate_limit.exceeded', 'key.revoked'])
  @IsString()
  event_type?: 'payment.created' | 'payment.confirming' | 'payment.confirmed' | 'payment.failed' | 'payment.expired' | 'balance.updated' | 'balance.low' | 'balance.depleted' | 'usage.limit_exceeded' | 'usage.threshold' | 'usage.spike' | 'anomaly.detected' | 'rate_limit.exceeded' | 'key.revoked';
}

@MatchesSchema('TestWebhookRequest')
export class TestWebhookRequest implements types.TestWebhookRequest {
  /** What happened. */
  @IsIn(['payment.created', 'payment.confirming', 'payment.confirmed', 'payment.failed', 'payment.expired', 'balance.updated', 'balance.low', 'balance.depleted', 'usage.limit_exceeded', 'usage.threshold', 'usage.spike', 'anomaly.detected', 'rate_limit.exceeded', 'key.revoked'])
  @IsString()
  event_type!: 'payment.created' | 'payment.confirming' | 'payment.confirmed' | 'payment.failed' | 'payment.expired' | 'balance.updated' | 'balance.low' | 'balance.depleted' | 'usage.limit_exceeded' | 'usage.threshold' | 'usage.spike' | 'anomaly.detected' | 'rate_limit.exceeded' | 'key.revoked';
}

@MatchesSchema('ReplayDeliveriesRequest')
export class ReplayDeliveriesRequest implements types.ReplayDeliveriesRequest {
  /** Deliveries that failed at or after this time, ISO 8601. A date alone is the midnight UTC with which the day begins; without a zone a time is UTC. */
  @MatchesSchema('ReplayDeliveriesRequest/properties/since')
  since!: types.ReplayDeliveriesRequest['since'];
}
