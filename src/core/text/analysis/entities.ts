import { amountsIn } from './amounts';
import { datesIn } from './dates';
import { identifiersIn } from './identifiers';
import { FINDINGS_MAX } from './limits';
import { locationsIn } from './locations';
import { measuresIn } from './measures';
import { namesIn } from './names';
import { withoutOverlaps, type Place } from './places';

export type EntityType =
  | 'person'
  | 'organization'
  | 'location'
  | 'date'
  | 'time'
  | 'duration'
  | 'money'
  | 'percentage'
  | 'email'
  | 'url'
  | 'phone'
  | 'identifier';

export interface Entity extends Place {
  readonly type: EntityType;
  /**
   * What it means, in one form: ISO 8601 for dates, times (14:30) and durations (P30D), "USD 1250.00" or "1250.00" for money,
   * "12.5" for percentages, without spaces for phones and identifiers. Null for names, and where the text does not say enough.
   */
  readonly value: string | null;
}

/**
 * The entities of a text, in order of place and without overlaps. Names of persons, organisations and places are found where
 * the text marks them: by titles, legal forms, first names, lists of places. A name without such a mark is not found, because
 * a wrong one is worse than a missing one.
 */
export function entitiesIn(text: string): Entity[] {
  const money = amountsIn(text).map(({ amount, currency, ...place }) => ({
    ...{ type: 'money' as const, ...place },
    value: currency === null ? amount : `${currency} ${amount}`,
  }));
  const dates = datesIn(text).map(({ date, ...place }) => ({ type: 'date' as const, ...place, value: date }));
  const names = namesIn(text);
  const found: Entity[] = [
    ...identifiersIn(text),
    ...dates,
    ...money,
    ...measuresIn(text),
    ...names,
    ...locationsIn(text),
  ];
  return withoutOverlaps(found).slice(0, FINDINGS_MAX);
}
