import type { Place } from './places';

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
