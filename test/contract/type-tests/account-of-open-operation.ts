import { type Call, hubApi, type HubApi } from '../../../generated/contract';
import type { Health } from '../../../generated/types';
import { type ApiTable, Serves } from '../../../src/contract/operation';

/** One open operation, whatever else the group comes to have. */
type OpenApi = Pick<HubApi, 'getHubHealth'>;
const openApi: ApiTable<OpenApi> = hubApi;

@Serves(openApi)
export class Served {
  // @ts-expect-error Nobody has authenticated, so there is no account.
  getHubHealth({ account }: Call<'getHubHealth'>): Promise<Health> {
    return Promise.reject(new Error(String(account)));
  }
}

@Serves(openApi)
export class Declared implements OpenApi {
  // @ts-expect-error Nobody has authenticated, so there is no account.
  getHubHealth({ account }: Call<'getHubHealth'>): Promise<Health> {
    return Promise.reject(new Error(String(account)));
  }
}
