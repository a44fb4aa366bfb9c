import type { Model, ModelList } from '../../../generated/types';
import type { ModelDescription } from '../../core/models/model-provider';

export function toModelList(models: ModelDescription[]): ModelList {
  return { object: 'list', data: models.map(toModel) };
}

export function toModel({ id, created, ownedBy }: ModelDescription): Model {
  return { id, object: 'model', created, owned_by: ownedBy };
}
