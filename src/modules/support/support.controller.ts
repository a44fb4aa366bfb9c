import { supportApi, type CreateUpgradeRequestCall, type SupportApi } from '../../../generated/contract';
import type { UpgradeRequest } from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { upgradeRequestRecord } from '../../core/access/upgrade-requests/upgrade-request-record';
import { SupportService } from './support.service';

@Serves(supportApi)
export class SupportController implements SupportApi {
  constructor(private readonly support: SupportService) {}

  async createUpgradeRequest({ account, body }: CreateUpgradeRequestCall): Promise<UpgradeRequest> {
    return upgradeRequestRecord(await this.support.requestUpgrade(account, body));
  }
}
