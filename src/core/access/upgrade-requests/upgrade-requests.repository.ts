import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../../infrastructure/clock/clock';
import { brokenUniqueness } from '../../../infrastructure/database/driver-errors';
import { newId } from '../../../infrastructure/ids/ids';
import { Conflict } from '../../errors/request-errors';

export interface NewUpgradeRequest {
  accountId: string;
  requestedTier: 'basic' | 'pro' | 'enterprise';
  reason: string;
  estimatedRequestsPerDay: number | null;
}

export interface UpgradeRequest extends NewUpgradeRequest {
  id: string;
  status: 'pending' | 'approved' | 'rejected';
  createdAt: Date;
}

/** The requests by which accounts ask the operator for another tier. */
@Injectable()
export class UpgradeRequests {
  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a pending request.
   * @throws Conflict while an earlier request of the account is pending
   */
  async create(fields: NewUpgradeRequest): Promise<UpgradeRequest> {
    const request: UpgradeRequest = {
      ...fields,
      id: newId(),
      status: 'pending',
      createdAt: this.clock.now(),
    };
    try {
      await this.database.query(INSERT, [
        request.id,
        request.accountId,
        request.requestedTier,
        request.reason,
        request.estimatedRequestsPerDay,
        request.status,
        request.createdAt,
      ]);
    } catch (error) {
      throw brokenUniqueness(error) === 'upgrade_requests_pending'
        ? new Conflict('An earlier upgrade request is still pending.')
        : error;
    }
    return request;
  }
}

const INSERT = `
  INSERT INTO upgrade_requests
    (id, account_id, requested_tier, reason, estimated_requests_per_day, status, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;
