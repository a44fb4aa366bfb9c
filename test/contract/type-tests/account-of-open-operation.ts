import { hubApi, type GetHubHealthCall, type HubApi } from '../../../generated/contract';
import type { Health } from '../../../generated/types';
import { Serves } from '../../../src/contract/serves.decorator';

@Serves(hubApi)
export class Served {
  // @ts-expect-error Nobody has authenticated, so there is no account.
  getHubHealth({ account }: GetHubHealthCall): Promise<Health> {
    return Promise.reject(new Error(String(account)));
  }
}

@Serves(hubApi)
export class Declared implements HubApi {
  // @ts-expect-error Nobody has authenticated, so there is no account.
  getHubHealth({ account }: GetHubHealthCall): Promise<Health> {
    return Promise.reject(new Error(String(account)));
  }
}
