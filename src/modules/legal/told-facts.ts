import type { LegalAmount, LegalDate, LegalParty } from '../../../generated/types';
import { placed } from './told-places';

/** What a model tells of the parties, dates and amounts of a text, by quotes. */
export interface ToldValues {
  readonly parties: readonly {
    readonly name: string;
    readonly role: string | null;
    readonly aliases: string[];
  }[];
  readonly dates: readonly { readonly text: string; readonly date: string | null }[];
  readonly amounts: readonly {
    readonly text: string;
    readonly amount: string;
    readonly currency: string | null;
  }[];
}

export interface Values {
  parties: LegalParty[];
  dates: LegalDate[];
  amounts: LegalAmount[];
}

export const WORDS = { type: 'string', minLength: 1 } as const;
export const WORDS_OR_NULL = { type: ['string', 'null'] } as const;
const ISO_DATE = { type: ['string', 'null'], pattern: '^\\d{4}(-\\d{2}){0,2}$' } as const;

/** A JSON Schema of a list of objects whose fields are all required, as strict models want it. */
export function listOf(properties: Readonly<Record<string, object>>) {
  return { type: 'array', maxItems: 1_000, items: objectOf(properties) };
}

export function objectOf(properties: Readonly<Record<string, object>>) {
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties };
}

export const VALUES_SCHEMA = {
  parties: listOf({ name: WORDS, role: WORDS_OR_NULL, aliases: { type: 'array', items: WORDS } }),
  dates: listOf({ text: WORDS, date: ISO_DATE }),
  amounts: listOf({
    text: WORDS,
    amount: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
    currency: { type: ['string', 'null'], pattern: '^[A-Z]{3}$' },
  }),
};

export const VALUES_PROMPT =
  'Name the parties as the text writes them, with their role and the short names that the text gives them. Quote each date and ' +
  'each amount of money word for word, and give dates in ISO 8601, amounts as decimal numbers and currencies in ISO 4217.';

/** All that has to stand in the text word for word. */
export function quotedValues({ parties, dates, amounts }: ToldValues): string[] {
  return [
    ...parties.flatMap(({ name, aliases }) => [name, ...aliases]),
    ...[...dates, ...amounts].map(({ text }) => text),
  ];
}

export function readValues(told: ToldValues, text: string): Values {
  return {
    parties: placed(told.parties, ({ name }) => name, text).map(({ place, ...party }) => ({
      ...party,
      start: place.start,
      end: place.end,
    })),
    dates: placed(told.dates, (date) => date.text, text).map(({ place, date }) => ({ ...place, date })),
    amounts: placed(told.amounts, (amount) => amount.text, text).map(({ place, amount, currency }) => ({
      ...place,
      amount,
      currency,
    })),
  };
}
