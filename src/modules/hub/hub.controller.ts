import { hubApi, type HubApi } from '../../../generated/contract';
import type { Health } from '../../../generated/types';
import { API_VERSION } from '../../contract/api-version';
import { Serves } from '../../contract/serves.decorator';
import { Clock } from '../../infrastructure/clock/clock';

@Serves(hubApi)
export class HubController implements HubApi {
  constructor(private readonly clock: Clock) {}

  async getHubHealth(): Promise<Health> {
    return Promise.resolve({ status: 'ok', version: API_VERSION, timestamp: this.clock.now().toISOString() });
  }
}
