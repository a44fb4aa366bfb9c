import type { OmmEntity } from '../../../generated/types';

/** As documented. The text engine may find 10,000 in one text, and a call has up to 20 inputs. */
const ENTITIES_MAX = 2_000;

/** The entities of one input that are answered: the first of them. */
export function shownEntities(entities: readonly OmmEntity[]): OmmEntity[] {
  return entities.slice(0, ENTITIES_MAX);
}
