import type { UpgradeRequest } from './upgrade-requests.repository';

/** A request for another tier as its account and operators see it. */
export function upgradeRequestRecord(request: UpgradeRequest) {
  return {
    id: request.id,
    requested_tier: request.requestedTier,
    reason: request.reason,
    estimated_requests_per_day: request.estimatedRequestsPerDay,
    status: request.status,
    created_at: request.createdAt.toISOString(),
  };
}
