import type { UpgradeRequest as UpgradeRequestView } from '../../../generated/types';
import type { UpgradeRequest } from '../../core/access/upgrade-requests/upgrade-requests.repository';

export function toUpgradeRequest(request: UpgradeRequest): UpgradeRequestView {
  return {
    id: request.id,
    requested_tier: request.requestedTier,
    reason: request.reason,
    estimated_requests_per_day: request.estimatedRequestsPerDay,
    status: request.status,
    created_at: request.createdAt.toISOString(),
  };
}
