import type { ModelList } from '../../../generated/types';
import type { ModelDescription } from '../../core/models/model-provider';

export function toModelList(models: ModelDescription[]): ModelList {
  return {
    object: 'list',
    data: models.map(({ id, created, ownedBy }) => ({ id, object: 'model', created, owned_by: ownedBy })),
  };
}
