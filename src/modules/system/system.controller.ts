import { systemApi, type GetSystemMetricsCall, type SystemApi } from '../../../generated/contract';
import type { SystemInfo, SystemMetrics, SystemResources } from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { toSystemInfo, toSystemMetrics, toSystemResources } from './system.mapper';
import { SystemService } from './system.service';

@Serves(systemApi)
export class SystemController implements SystemApi {
  constructor(private readonly system: SystemService) {}

  async getSystemInfo(): Promise<SystemInfo> {
    return toSystemInfo(await this.system.info());
  }

  async getSystemMetrics({ account }: GetSystemMetricsCall): Promise<SystemMetrics> {
    return toSystemMetrics(await this.system.metrics(account.id));
  }

  async getSystemResources(): Promise<SystemResources> {
    return Promise.resolve(toSystemResources(this.system.resources()));
  }
}
