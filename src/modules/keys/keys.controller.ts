import {
  keysApi,
  type CreateKeyCall,
  type DeleteKeyCall,
  type DeleteKeyLimitsCall,
  type GetKeyLimitsCall,
  type KeysApi,
  type ListKeysCall,
  type ResetKeyLimitsCall,
  type RevokeKeyCall,
  type RotateKeyCall,
  type SetKeyLimitsCall,
} from '../../../generated/contract';
import type { AccessKey, AccessKeySecret, SpendingLimits } from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { toAccessKey, toAccessKeySecret, toLimitChange, toSpendingLimits } from './keys.mapper';
import { KeysService } from './keys.service';

@Serves(keysApi)
export class KeysController implements KeysApi {
  constructor(private readonly keys: KeysService) {}

  async createKey({ account, body }: CreateKeyCall): Promise<AccessKeySecret> {
    return toAccessKeySecret(await this.keys.create(account.id, body.name, body.expires_at ?? null));
  }

  async listKeys({ account, query }: ListKeysCall): Promise<AccessKey[]> {
    return (await this.keys.list(account.id, query)).map(toAccessKey);
  }

  async deleteKey({ account, params }: DeleteKeyCall): Promise<void> {
    await this.keys.remove(account.id, params.key_id);
  }

  async revokeKey({ account, params }: RevokeKeyCall): Promise<AccessKey> {
    return toAccessKey(await this.keys.revoke(account.id, params.key_id));
  }

  async rotateKey({ account, params, body }: RotateKeyCall): Promise<AccessKeySecret> {
    return toAccessKeySecret(await this.keys.rotate(account.id, params.key_id, body.overlap_seconds));
  }

  async setKeyLimits({ account, params, body }: SetKeyLimitsCall): Promise<SpendingLimits> {
    return toSpendingLimits(await this.keys.setLimits(account.id, params.key_id, toLimitChange(body)));
  }

  async getKeyLimits({ account, params }: GetKeyLimitsCall): Promise<SpendingLimits> {
    return toSpendingLimits(await this.keys.getLimits(account.id, params.key_id));
  }

  async deleteKeyLimits({ account, params }: DeleteKeyLimitsCall): Promise<void> {
    await this.keys.removeLimits(account.id, params.key_id);
  }

  async resetKeyLimits({ account, params }: ResetKeyLimitsCall): Promise<SpendingLimits> {
    return toSpendingLimits(await this.keys.resetLimits(account.id, params.key_id));
  }
}
