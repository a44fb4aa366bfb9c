import { accountApi, type AccountApi, type Call } from '../../../generated/contract';
import type { AccountLimits, Overview } from '../../../generated/types';
import { Serves } from '../../../src/contract/operation';

@Serves(accountApi)
export class Served {
  getOverview(): Promise<Overview> {
    return Promise.reject(new Error());
  }

  // @ts-expect-error The operation is free, so nothing was reserved that a meter could report on.
  getAccountLimits({ meter }: Call<'getAccountLimits'>): Promise<AccountLimits> {
    return Promise.reject(new Error(String(meter)));
  }
}

@Serves(accountApi)
export class Declared implements AccountApi {
  getOverview(): Promise<Overview> {
    return Promise.reject(new Error());
  }

  // @ts-expect-error The operation is free, so nothing was reserved that a meter could report on.
  getAccountLimits({ meter }: Call<'getAccountLimits'>): Promise<AccountLimits> {
    return Promise.reject(new Error(String(meter)));
  }
}
