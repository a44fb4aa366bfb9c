// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsBoolean, IsIn, IsInt, IsNumber, IsString, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

@MatchesSchema('ListUsersQuery', { fromText: true })
export class ListUsersQuery implements types.ListUsersQuery {
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
  @IsIn(['created_at', 'email', 'username'])
  @IsString()
  sort: 'created_at' | 'email' | 'username' = 'created_at';

  /** The direction of the sort. */
  @IsIn(['asc', 'desc'])
  @IsString()
  order: 'asc' | 'desc' = 'desc';

  /** Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListUsersQuery/properties/start_date')
  start_date?: types.ListUsersQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListUsersQuery/properties/end_date')
  end_date?: types.ListUsersQuery['end_date'];

  /** Only accounts of this status; those of a disabled one have `is_active` false. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['active', 'disabled'])
  @IsString()
  status?: 'active' | 'disabled';

  /** Only accounts whose e-mail address or username contains this text. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListUsersQuery/properties/search')
  search?: types.ListUsersQuery['search'];

  /** Only accounts of this tier. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['free', 'basic', 'pro', 'enterprise'])
  @IsString()
  tier?: 'free' | 'basic' | 'pro' | 'enterprise';

  /** Only accounts of this role. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['user', 'admin'])
  @IsString()
  role?: 'user' | 'admin';
}

/** A field that is absent stays as it is. */
@MatchesSchema('UpdateUserRequest')
export class UpdateUserRequest implements types.UpdateUserRequest {
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['free', 'basic', 'pro', 'enterprise'])
  @IsString()
  tier?: 'free' | 'basic' | 'pro' | 'enterprise';

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('UpdateUserRequest/properties/rate_limits')
  rate_limits?: types.UpdateUserRequest['rate_limits'];

  /** False disables the account: all its credentials are refused. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  is_active?: boolean;

  /** Why; kept with the action, and not shown to the account. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('UpdateUserRequest/properties/reason')
  reason?: types.UpdateUserRequest['reason'];
}

@MatchesSchema('ListAllPaymentsQuery', { fromText: true })
export class ListAllPaymentsQuery implements types.ListAllPaymentsQuery {
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
  @IsIn(['created_at', 'amount_usd'])
  @IsString()
  sort: 'created_at' | 'amount_usd' = 'created_at';

  /** The direction of the sort. */
  @IsIn(['asc', 'desc'])
  @IsString()
  order: 'asc' | 'desc' = 'desc';

  /** Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListAllPaymentsQuery/properties/start_date')
  start_date?: types.ListAllPaymentsQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListAllPaymentsQuery/properties/end_date')
  end_date?: types.ListAllPaymentsQuery['end_date'];

  /** Only payments of this status. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['created', 'confirming', 'confirmed', 'failed', 'expired'])
  @IsString()
  status?: 'created' | 'confirming' | 'confirmed' | 'failed' | 'expired';

  /** Only payments in this currency. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['BTC', 'ETH', 'SOL'])
  @IsString()
  currency?: 'BTC' | 'ETH' | 'SOL';

  /** Only payments of this account. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListAllPaymentsQuery/properties/user_id')
  user_id?: types.ListAllPaymentsQuery['user_id'];

  /** Only payments that a person has to look at, or only the others. */
  @ValidateIf((_, value) => value !== undefined)
  @IsBoolean()
  needs_review?: boolean;
}

@MatchesSchema('ResolvePaymentRequest')
export class ResolvePaymentRequest implements types.ResolvePaymentRequest {
  /** What was decided; shown in the transaction. */
  @MatchesSchema('ResolvePaymentRequest/properties/note')
  note!: types.ResolvePaymentRequest['note'];

  /** What a decision about the payment stands on: another one as soon as its status, what was credited, its transfers or its review changes, and the same while only blocks are counted. `resolvePayment` takes that of the payment which was looked at. */
  @MatchesSchema('ResolvePaymentRequest/properties/expected_version')
  expected_version!: types.ResolvePaymentRequest['expected_version'];

  /** By how much the balance is changed, in USD; negative takes credits. */
  @Min(-1000000)
  @Max(1000000)
  @IsNumber()
  adjust_usd: number = 0;
}

@MatchesSchema('ListAllWebhooksQuery', { fromText: true })
export class ListAllWebhooksQuery implements types.ListAllWebhooksQuery {
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
  @MatchesSchema('ListAllWebhooksQuery/properties/start_date')
  start_date?: types.ListAllWebhooksQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListAllWebhooksQuery/properties/end_date')
  end_date?: types.ListAllWebhooksQuery['end_date'];

  /** Only webhooks in this state: `switched_off` by the service because they failed for too long, `inactive` for any reason. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['active', 'inactive', 'switched_off'])
  @IsString()
  status?: 'active' | 'inactive' | 'switched_off';

  /** Only those of this account. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListAllWebhooksQuery/properties/user_id')
  user_id?: types.ListAllWebhooksQuery['user_id'];
}

@MatchesSchema('EnableWebhookRequest')
export class EnableWebhookRequest implements types.EnableWebhookRequest {
  /** Why; kept with the action, and not shown to the account. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('EnableWebhookRequest/properties/reason')
  reason?: types.EnableWebhookRequest['reason'];
}

@MatchesSchema('ListAbandonedDeliveriesQuery', { fromText: true })
export class ListAbandonedDeliveriesQuery implements types.ListAbandonedDeliveriesQuery {
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
  @IsIn(['abandoned_at'])
  @IsString()
  sort: 'abandoned_at' = 'abandoned_at';

  /** The direction of the sort. */
  @IsIn(['asc', 'desc'])
  @IsString()
  order: 'asc' | 'desc' = 'desc';

  /** Only what began at or after this time: ISO 8601, a date or a date and a time. A date alone is the midnight with which the day begins; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListAbandonedDeliveriesQuery/properties/start_date')
  start_date?: types.ListAbandonedDeliveriesQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListAbandonedDeliveriesQuery/properties/end_date')
  end_date?: types.ListAbandonedDeliveriesQuery['end_date'];

  /** Only those of this account. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListAbandonedDeliveriesQuery/properties/user_id')
  user_id?: types.ListAbandonedDeliveriesQuery['user_id'];

  /** Only those to this webhook. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListAbandonedDeliveriesQuery/properties/webhook_id')
  webhook_id?: types.ListAbandonedDeliveriesQuery['webhook_id'];
}

@MatchesSchema('ListUpgradeRequestsQuery', { fromText: true })
export class ListUpgradeRequestsQuery implements types.ListUpgradeRequestsQuery {
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
  @MatchesSchema('ListUpgradeRequestsQuery/properties/start_date')
  start_date?: types.ListUpgradeRequestsQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListUpgradeRequestsQuery/properties/end_date')
  end_date?: types.ListUpgradeRequestsQuery['end_date'];

  /** Only requests of this status. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['pending', 'approved', 'rejected'])
  @IsString()
  status?: 'pending' | 'approved' | 'rejected';

  /** Only those of this account. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListUpgradeRequestsQuery/properties/user_id')
  user_id?: types.ListUpgradeRequestsQuery['user_id'];
}

@MatchesSchema('ApproveUpgradeRequest')
export class ApproveUpgradeRequest implements types.ApproveUpgradeRequest {
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ApproveUpgradeRequest/properties/note')
  note?: types.ApproveUpgradeRequest['note'];

  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ApproveUpgradeRequest/properties/rate_limits')
  rate_limits?: types.ApproveUpgradeRequest['rate_limits'];
}

@MatchesSchema('RejectUpgradeRequest')
export class RejectUpgradeRequest implements types.RejectUpgradeRequest {
  /** Why. */
  @MatchesSchema('RejectUpgradeRequest/properties/note')
  note!: types.RejectUpgradeRequest['note'];
}

@MatchesSchema('GetCallQuery', { fromText: true })
export class GetCallQuery implements types.GetCallQuery {
  /** Only among the calls of this account. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('GetCallQuery/properties/user_id')
  user_id?: types.GetCallQuery['user_id'];
}

@MatchesSchema('ListAdminActionsQuery', { fromText: true })
export class ListAdminActionsQuery implements types.ListAdminActionsQuery {
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
  @MatchesSchema('ListAdminActionsQuery/properties/start_date')
  start_date?: types.ListAdminActionsQuery['start_date'];

  /** Only what began before this time: ISO 8601, a date or a date and a time. A date alone includes that day; without a zone a time is UTC. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListAdminActionsQuery/properties/end_date')
  end_date?: types.ListAdminActionsQuery['end_date'];

  /** Only those of this admin. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListAdminActionsQuery/properties/admin_id')
  admin_id?: types.ListAdminActionsQuery['admin_id'];

  /** Only those made by this operation. */
  @ValidateIf((_, value) => value !== undefined)
  @IsIn(['updateUser', 'addCredits', 'resolvePayment', 'approveUpgradeRequest', 'rejectUpgradeRequest', 'enableWebhook'])
  @IsString()
  operation?: 'updateUser' | 'addCredits' | 'resolvePayment' | 'approveUpgradeRequest' | 'rejectUpgradeRequest' | 'enableWebhook';

  /** Only those that concern this account. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('ListAdminActionsQuery/properties/user_id')
  user_id?: types.ListAdminActionsQuery['user_id'];
}
