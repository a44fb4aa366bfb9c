import { Injectable } from '@nestjs/common';
import type { NewUpgradeRequest } from '../../../generated/types';
import type { AccountPrincipal } from '../../contract/call';
import { Unprocessable } from '../../core/errors/request-errors';
import {
  UpgradeRequests,
  type UpgradeRequest,
} from '../../core/access/upgrade-requests/upgrade-requests.repository';

/** What an account asks of the operator. */
@Injectable()
export class SupportService {
  constructor(private readonly requests: UpgradeRequests) {}

  /** @throws Unprocessable for the tier that the account has, Conflict while an earlier request is pending */
  async requestUpgrade(account: AccountPrincipal, body: NewUpgradeRequest): Promise<UpgradeRequest> {
    if (body.requested_tier === account.tier) {
      throw new Unprocessable(`The account already has the tier ${account.tier}.`);
    }
    return this.requests.create({
      accountId: account.id,
      requestedTier: body.requested_tier,
      reason: body.reason,
      estimatedRequestsPerDay: body.estimated_requests_per_day ?? null,
    });
  }
}
