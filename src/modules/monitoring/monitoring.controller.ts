import {
  monitoringApi,
  type GetCostsCall,
  type GetKeyUsageCall,
  type GetRequestReceiptCall,
  type GetUsageCall,
  type GetUsageSummaryCall,
  type MonitoringApi,
} from '../../../generated/contract';
import type { Costs, AccessKeyUsage, Receipt, Usage, UsageSummary } from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { receiptRecord } from '../../core/money/usage/receipt-record';
import { toCosts, toKeyUsage, toUsage, toUsageSummary } from './monitoring.mapper';
import { MonitoringService } from './monitoring.service';

@Serves(monitoringApi)
export class MonitoringController implements MonitoringApi {
  constructor(private readonly monitoring: MonitoringService) {}

  async getUsage({ account, query }: GetUsageCall): Promise<Usage> {
    return toUsage(await this.monitoring.usage(account.id, query));
  }

  async getUsageSummary({ account }: GetUsageSummaryCall): Promise<UsageSummary> {
    return toUsageSummary(await this.monitoring.summary(account.id));
  }

  async getCosts({ account, query }: GetCostsCall): Promise<Costs> {
    return toCosts(await this.monitoring.costs(account.id, query));
  }

  async getKeyUsage({ account, params, query }: GetKeyUsageCall): Promise<AccessKeyUsage> {
    return toKeyUsage(await this.monitoring.keyUsage(account.id, params.key_id, query));
  }

  async getRequestReceipt({ account, params }: GetRequestReceiptCall): Promise<Receipt> {
    return receiptRecord(await this.monitoring.receipt(account.id, params.request_id));
  }
}
