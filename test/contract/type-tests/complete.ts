import { type Call, healthApi, type HealthApi } from '../../../generated/contract';
import type { Health, Readiness } from '../../../generated/types';
import { Serves } from '../../../src/contract/operation';

const timestamp = '2026-11-21T09:30:00.000Z';

@Serves(healthApi)
export class Declared implements HealthApi {
  getLiveness(): Promise<Health> {
    return Promise.resolve({ status: 'ok', version: '1.0', timestamp });
  }

  getReadiness({ requestId }: Call<'getReadiness'>): Promise<Readiness> {
    return Promise.reject(new Error(requestId));
  }
}
