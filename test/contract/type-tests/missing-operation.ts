import { healthApi, type HealthApi } from '../../../generated/contract';
import type { Health } from '../../../generated/types';
import { Serves } from '../../../src/contract/operation';

// @ts-expect-error The tag also has getReadiness, and @Serves alone holds the class to it.
@Serves(healthApi)
export class Served {
  getLiveness(): Promise<Health> {
    return Promise.resolve({ status: 'ok', version: '1.0', timestamp: '2026-11-21T09:30:00.000Z' });
  }
}

// @ts-expect-error The same, said by the interface.
export class Declared implements HealthApi {
  getLiveness(): Promise<Health> {
    return Promise.resolve({ status: 'ok', version: '1.0', timestamp: '2026-11-21T09:30:00.000Z' });
  }
}
