import { type Call, hubApi, type HubApi } from '../../../generated/contract';
import type { Health } from '../../../generated/types';
import { Serves } from '../../../src/contract/operation';

// @ts-expect-error The handler asks for a call with an account and a key, which this open operation does not have.
@Serves(hubApi)
export class Served {
  getHubHealth({ account, key }: Call<'getPricing'>): Promise<Health> {
    return Promise.reject(new Error(account.id + key.id));
  }
}

export class Declared implements HubApi {
  // @ts-expect-error The same, said by the interface.
  getHubHealth({ account, key }: Call<'getPricing'>): Promise<Health> {
    return Promise.reject(new Error(account.id + key.id));
  }
}
