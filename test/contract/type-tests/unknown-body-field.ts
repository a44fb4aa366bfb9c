import { type Call, supportApi, type SupportApi } from '../../../generated/contract';
import type { OwnUpgradeRequestList, UpgradeRequest } from '../../../generated/types';
import { Serves } from '../../../src/contract/operation';

@Serves(supportApi)
export class Served {
  listOwnUpgradeRequests(): Promise<OwnUpgradeRequestList> {
    return Promise.reject(new Error());
  }

  createUpgradeRequest({ body }: Call<'createUpgradeRequest'>): Promise<UpgradeRequest> {
    // @ts-expect-error The document calls the field requested_tier.
    const { tier } = body;
    return Promise.reject(new Error(String(tier)));
  }
}

@Serves(supportApi)
export class Declared implements SupportApi {
  listOwnUpgradeRequests(): Promise<OwnUpgradeRequestList> {
    return Promise.reject(new Error());
  }

  createUpgradeRequest({ body }: Call<'createUpgradeRequest'>): Promise<UpgradeRequest> {
    // @ts-expect-error The document calls the field requested_tier.
    const { tier } = body;
    return Promise.reject(new Error(String(tier)));
  }
}
