import { supportApi, type CreateUpgradeRequestCall, type SupportApi } from '../../../generated/contract';
import type { UpgradeRequest } from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { toUpgradeRequest } from './support.mapper';
import { SupportService } from './support.service';

@Serves(supportApi)
export class SupportController implements SupportApi {
  constructor(private readonly support: SupportService) {}

  async createUpgradeRequest({ account, body }: CreateUpgradeRequestCall): Promise<UpgradeRequest> {
    return toUpgradeRequest(await this.support.requestUpgrade(account, body));
  }
}
