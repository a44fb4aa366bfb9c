import { quotePlaces, type Quote } from '../../core/text/quotes-in';

/** Things that a model told, each with where the words stand in the text that it was told from. */
export type Placed<Told> = Told & { readonly place: Quote };

/**
 * Finds the words that a model quoted again in the text. What is not there is left out, which `check` has made sure of.
 * @returns in the order of the text
 */
export function placed<Told>(
  told: readonly Told[],
  quoteOf: (each: Told) => string,
  text: string,
): Placed<Told>[] {
  const places = quotePlaces(told.map(quoteOf), text);
  return told
    .flatMap((each, index) => {
      const place = places[index];
      return place ? [{ ...each, place }] : [];
    })
    .sort((one, other) => one.place.start - other.place.start);
}
