import { amountsIn } from './amounts';
import { cellsApart } from './cells-apart';
import { datesIn } from './dates';
import type { Entity } from './entity';
import { identifiersIn } from './identifiers';
import { FINDINGS_MAX } from './limits';
import { locationsIn } from './locations';
import { measuresIn } from './measures';
import { namesIn } from './names';
import { withoutOverlaps } from './places';

export type { Entity, EntityType } from './entity';

/**
 * The entities of a text, in order of place and without overlaps. Names of persons, organisations and places are found where
 * the text marks them: by titles, legal forms, first names, lists of places. A name without such a mark is not found, because
 * a wrong one is worse than a missing one.
 */
export function entitiesIn(text: string): Entity[] {
  const cells = cellsApart(text);
  const money = amountsIn(cells).map(({ amount, currency, ...place }) => ({
    ...{ type: 'money' as const, ...place },
    value: currency === null ? amount : `${currency} ${amount}`,
  }));
  const dates = datesIn(cells).map(({ date, ...place }) => ({
    type: 'date' as const,
    ...place,
    value: date,
  }));
  const names = namesIn(cells);
  const found: Entity[] = [
    ...identifiersIn(cells),
    ...dates,
    ...money,
    ...measuresIn(cells),
    ...names,
    ...locationsIn(cells),
  ];
  return withoutOverlaps(found)
    .slice(0, FINDINGS_MAX)
    .map((entity) => ({ ...entity, text: text.slice(entity.start, entity.end) }));
}
