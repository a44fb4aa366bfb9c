import { isDeepStrictEqual } from 'node:util';
import { Injectable, Module } from '@nestjs/common';
import { type Call, supportApi, type SupportApi } from '../../../generated/contract';
import type {
  ListOwnUpgradeRequestsQuery,
  OwnUpgradeRequestList,
  UpgradeRequest,
} from '../../../generated/types';
import { isRetryOf } from '../../accounts/account-rows';
import { Serves } from '../../contract/operation';
import { AccountDatabases } from '../../database/account-databases';
import { asProperties, listRows, type RowPage } from '../../database/bounded-statements';
import { brokenUniqueness } from '../../database/driver-errors';
import { Conflict, IdempotencyKeyUsed, Unprocessable } from '../../errors/api-errors';
import { Clock } from '../../runtime/clock';
import { createdId, newId } from '../../runtime/ids';
import { inSnakeCase } from '../../runtime/json';

interface NewUpgradeRequestRow {
  accountId: string;
  requestedTier: 'basic' | 'pro' | 'enterprise';
  reason: string;
  estimatedRequestsPerDay: number | null;
}

export interface UpgradeRequestRow extends NewUpgradeRequestRow {
  id: string;
  status: 'pending' | 'approved' | 'rejected';
  createdAt: Date;
}

@Injectable()
export class UpgradeRequests {
  constructor(
    private readonly databases: AccountDatabases,
    private readonly clock: Clock,
  ) {}

  /** A retry gets the request of its first try. @throws Conflict while one is pending; IdempotencyKeyUsed */
  async create(
    fields: NewUpgradeRequestRow,
    idempotencyId: string | null = null,
  ): Promise<UpgradeRequestRow> {
    const database = this.databases.of(fields.accountId);
    const [id, createdAt] = [createdId(idempotencyId), this.clock.now()];
    const [earlier]: UpgradeRequestRow[] = await database.query(OF_CALL, [fields.accountId, id]);
    if (earlier && isRetryOf({ callId: idempotencyId, at: earlier.createdAt }, idempotencyId, createdAt)) {
      if (!isDeepStrictEqual({ ...earlier, ...fields }, earlier)) {
        throw new IdempotencyKeyUsed();
      }
      return earlier;
    }
    const request = { ...fields, id: earlier ? newId() : id, status: 'pending' as const, createdAt };
    try {
      await database.query(INSERT, [
        request.id,
        request.accountId,
        request.requestedTier,
        request.reason,
        request.estimatedRequestsPerDay,
        request.status,
        request.createdAt,
      ]);
    } catch (error) {
      throw brokenUniqueness(error) === null
        ? error
        : new Conflict('An earlier upgrade request is still pending.');
    }
    return request;
  }

  async of(accountId: string, page: ListOwnUpgradeRequestsQuery): Promise<RowPage<UpgradeRequestRow>> {
    const listing = { columns: COLUMNS, from: 'upgrade_requests', order: 'created_at DESC, id DESC' };
    return listRows(this.databases.of(accountId), listing, page, { 'account_id = $': accountId });
  }
}

const COLUMNS = `${asProperties('id, account_id, requested_tier, reason, status, created_at')},
  estimated_requests_per_day::float8 AS "estimatedRequestsPerDay"`;

const OF_CALL = `SELECT ${COLUMNS} FROM upgrade_requests WHERE account_id = $1 AND id = $2`;

const INSERT = `
  INSERT INTO upgrade_requests
    (id, account_id, requested_tier, reason, estimated_requests_per_day, status, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

export function upgradeRequestRecord(request: UpgradeRequestRow) {
  return {
    ...inSnakeCase(request, 'id', 'requestedTier', 'reason', 'estimatedRequestsPerDay'),
    ...inSnakeCase(request, 'status', 'createdAt'),
  };
}

@Serves(supportApi)
class SupportController implements SupportApi {
  constructor(private readonly requests: UpgradeRequests) {}

  async listOwnUpgradeRequests({
    account,
    query,
  }: Call<'listOwnUpgradeRequests'>): Promise<OwnUpgradeRequestList> {
    const { items, ...page } = await this.requests.of(account.id, query);
    return { upgrade_requests: items.map(upgradeRequestRecord), ...page };
  }

  async createUpgradeRequest(call: Call<'createUpgradeRequest'>): Promise<UpgradeRequest> {
    const { account, body, idempotencyId } = call;
    if (body.requested_tier === account.tier) {
      throw new Unprocessable(`The account already has the tier ${account.tier}.`);
    }
    const asked = {
      accountId: account.id,
      requestedTier: body.requested_tier,
      reason: body.reason,
      estimatedRequestsPerDay: body.estimated_requests_per_day ?? null,
    };
    return upgradeRequestRecord(await this.requests.create(asked, idempotencyId));
  }
}

@Module({
  controllers: [SupportController],
  providers: [UpgradeRequests],
  exports: [UpgradeRequests],
})
export class SupportModule {}
