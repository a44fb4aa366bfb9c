import { Injectable } from '@nestjs/common';
import type {
  ApproveUpgradeRequest,
  ListUpgradeRequestsQuery,
  RejectUpgradeRequest,
} from '../../../generated/types';
import { KeyDirectory } from '../../core/access/access-keys/key-directory';
import type { AdminCall } from '../../core/access/admin-actions/admin-actions.repository';
import {
  UpgradeDecisions,
  type JudgedRequest,
} from '../../core/access/upgrade-requests/upgrade-decisions.repository';
import { openPeriod } from '../../core/money/usage/period';
import { changeOf } from './admin.service';

/** The requests of accounts for another tier, and what admins decide about them. */
@Injectable()
export class AdminUpgradesService {
  constructor(
    private readonly decisions: UpgradeDecisions,
    private readonly directory: KeyDirectory,
  ) {}

  /** @throws Unprocessable when the period would end before it starts */
  async list(query: ListUpgradeRequestsQuery): Promise<{ requests: JudgedRequest[]; total: number }> {
    const { start, end } = openPeriod(query);
    const { status = null, user_id: accountId = null } = query;
    return this.decisions.list({ status, accountId, createdFrom: start, createdBefore: end }, query);
  }

  /** @throws NotFound, Conflict, and Unprocessable for own limits on a tier that has none */
  async approve(call: AdminCall, requestId: string, body: ApproveUpgradeRequest): Promise<JudgedRequest> {
    const request = await this.decisions.decide(call, {
      requestId,
      note: body.note ?? null,
      approve: (account, tier) => changeOf(account, { tier, rate_limits: body.rate_limits }),
    });
    this.directory.forget(request.accountId);
    return request;
  }

  /** @throws NotFound, Conflict */
  async reject(call: AdminCall, requestId: string, { note }: RejectUpgradeRequest): Promise<JudgedRequest> {
    return this.decisions.decide(call, { requestId, note, approve: null });
  }
}
