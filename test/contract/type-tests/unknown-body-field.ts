import { supportApi, type CreateUpgradeRequestCall, type SupportApi } from '../../../generated/contract';
import type { UpgradeRequest } from '../../../generated/types';
import { Serves } from '../../../src/contract/operation';

@Serves(supportApi)
export class Served {
  createUpgradeRequest({ body }: CreateUpgradeRequestCall): Promise<UpgradeRequest> {
    // @ts-expect-error The document calls the field requested_tier.
    const { tier } = body;
    return Promise.reject(new Error(String(tier)));
  }
}

@Serves(supportApi)
export class Declared implements SupportApi {
  createUpgradeRequest({ body }: CreateUpgradeRequestCall): Promise<UpgradeRequest> {
    // @ts-expect-error The document calls the field requested_tier.
    const { tier } = body;
    return Promise.reject(new Error(String(tier)));
  }
}
