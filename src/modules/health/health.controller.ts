import { healthApi, type HealthApi } from '../../../generated/contract';
import type { Health, Readiness } from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { HealthService } from './health.service';

@Serves(healthApi)
export class HealthController implements HealthApi {
  constructor(private readonly health: HealthService) {}

  async getLiveness(): Promise<Health> {
    return Promise.resolve(this.health.alive());
  }

  async getReadiness(): Promise<Readiness> {
    return this.health.ready();
  }
}
