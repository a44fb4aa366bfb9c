import { type Quote, quoteFaults, quotePlaces, quotesIn } from '../../text/quotes';
import type { TextThreads } from '../../text/text-threads';
import { textJobs } from '../../text/text.jobs';
import type { AnswerQuestion, AnswerTask } from './model-task';
import { listOf, modelQuestion, objectOf, orNull, type OutputOf, stringOf, TEXT } from './output-schema';
import { PromptTemplate } from './prompt-template';

/**
 * What a model says of a text, each with the place of the words that it quotes. What the text does not have is left out.
 * @returns in the order of the text
 */
export function placed<Output>(
  outputs: readonly Output[],
  quoteOf: (output: Output) => string,
  text: string,
): { readonly output: Output; readonly place: Quote }[] {
  const places = quotePlaces(outputs.map(quoteOf), text);
  return outputs
    .flatMap((output, index) => {
      const place = places[index];
      return place ? [{ output, place }] : [];
    })
    .sort((one, other) => one.place.start - other.place.start);
}

/** A summary with the sentences that it rests on, word for word. */
export interface QuotedSummary {
  summary: string;
  key_points: Quote[];
}

/** The schema of a summary. @param pointsMax the most key points; any number without it */
export function summarySchema(pointsMax?: number) {
  const bounds = { minItems: 1, ...(pointsMax !== undefined && { maxItems: pointsMax }) };
  return objectOf({ summary: TEXT, key_points: listOf(TEXT, bounds) });
}

const SUMMARY_SCHEMA = summarySchema();

interface SummaryOrder {
  readonly name: string;
  readonly template: PromptTemplate;
  /** For the places of the template beside `text`. */
  readonly variables: Readonly<Record<string, string>>;
  readonly schema?: ReturnType<typeof summarySchema>;
}

/** Asks for a summary. The template has to ask for `summary` and `key_points`. */
export function summaryQuestion(
  text: string,
  { name, template, variables, schema = SUMMARY_SCHEMA }: SummaryOrder,
): AnswerQuestion<QuotedSummary> {
  return modelQuestion({
    template,
    variables: { text, ...variables },
    name,
    schema,
    check: ({ key_points: points }) => quoteFaults(points, text),
    read: ({ summary, key_points: points }) => ({ summary, key_points: quotesIn(points, text) }),
  });
}

/** A summary of a text, by a model or by its most central sentences. The template has a place `sentences`. */
export function summaryTask(
  text: string,
  sentencesMax: number,
  order: Omit<SummaryOrder, 'variables'>,
  threads: TextThreads,
): AnswerTask<QuotedSummary> {
  return {
    question: summaryQuestion(text, { ...order, variables: { sentences: String(sentencesMax) } }),
    embedded: {
      method: 'text-rank',
      answer: async (signal) => {
        const found = await threads.run(textJobs.summarizeText, { text, sentencesMax }, [text], signal);
        return { summary: found.text, key_points: found.sentences };
      },
    },
    reads: [text],
  };
}

/** More suggestions than an operation gives. */
const SUGGESTIONS_MAX = 200;
const SUGGESTIONS = listOf(
  objectOf({ quote: TEXT, replacement: orNull(stringOf()), reason: stringOf({ pattern: '\\S' }) }),
  { maxItems: SUGGESTIONS_MAX },
);
const SUGGESTIONS_SCHEMA = objectOf({ suggestions: SUGGESTIONS });
type QuotedSuggestion = OutputOf<typeof SUGGESTIONS>[number];

/** Asks for suggestions for a text. The prompt has to ask for a quote, a replacement or null, and a reason of each. */
export function suggestionsQuestion(
  text: string,
  countMax: number,
  prompt: Pick<AnswerQuestion<unknown>, 'template' | 'variables' | 'name'>,
): AnswerQuestion<ChosenSuggestions> {
  return modelQuestion({
    ...prompt,
    schema: SUGGESTIONS_SCHEMA,
    check: ({ suggestions }) => suggestionFaults(suggestions, text),
    read: ({ suggestions }) => chooseSuggestions(placedSuggestions(suggestions, text), countMax),
  });
}

/** A sentence for the model about each quote that does not stand in the text and each change that changes nothing. */
export function suggestionFaults(suggestions: readonly QuotedSuggestion[], text: string): string[] {
  const quotes = suggestions.map(({ quote }) => quote);
  const idle = suggestions.filter(({ quote, replacement }) => replacement === quote);
  return [
    ...quoteFaults(quotes, text),
    ...idle.map(({ quote }) => `The replacement is the quote itself: ${quote.slice(0, 120)}`),
  ];
}

/** The suggestions with the places of their quotes: the first one, where a quote stands in the text more than once. */
export function placedSuggestions(suggestions: readonly QuotedSuggestion[], text: string): TextSuggestion[] {
  return placed(suggestions, ({ quote }) => quote, text).map(({ output, place }) => ({
    ...{ start: place.start, end: place.end, before: place.text },
    ...{ after: output.replacement, reason: output.reason },
  }));
}

/** A change to a text as a model gives it: `before` is a quote. */
interface QuotedChange {
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

/** A changed text, and the changes with their places in the text before. */
export interface ChangedText {
  text: string;
  changes: { start: number; end: number; before: string; after: string; reason: string }[];
}

/** A sentence for the model about each change that has no place in the text or overlaps another one. */
export function changeFaults(changes: readonly QuotedChange[], text: string): string[] {
  const befores = changes.map(({ before }) => before);
  const missing = quoteFaults(befores, text);
  const { changes: made } = changedBy(changes, text);
  const overlapping = made.filter(({ start }, index) => start < (made[index - 1]?.end ?? 0));
  return missing.length > 0
    ? missing
    : overlapping.map(({ before }) => `This change overlaps another one: ${before.slice(0, 120)}`);
}

/**
 * The text with the changes made that are no faults. A model gives changes and never the text, so that all that the answer has
 * beside them stood in the text that was given.
 */
export function changedBy(changes: readonly QuotedChange[], text: string): ChangedText {
  const made = placed(changes, ({ before }) => before, text)
    .map(({ output: { after, reason }, place: { start, end, text: before } }) => ({
      ...{ start, end, before, after, reason },
    }))
    .filter(({ before, after }) => before !== after);
  return { text: changedText(text, made), changes: made };
}

/** @param changes in order, without overlaps */
function changedText(
  text: string,
  changes: readonly { readonly start: number; readonly end: number; readonly after: string }[],
): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, after } of changes) {
    parts.push(text.slice(from, start), after);
    from = end;
  }
  return parts.join('') + text.slice(from);
}

/** In UTF-16 units: `before === text.slice(start, end)`. */
export interface TextSuggestion {
  readonly start: number;
  readonly end: number;
  readonly before: string;
  /** The replacement, empty to remove it; null where only the author can decide. */
  readonly after: string | null;
  readonly reason: string;
}

export interface ChosenSuggestions {
  readonly suggestions: TextSuggestion[];
  readonly more: number;
}

/** The first ones, in order. Replacements do not overlap, so that all can be applied; the later one is left out. */
function chooseSuggestions(found: readonly TextSuggestion[], countMax: number): ChosenSuggestions {
  const sorted = [...found].sort((one, other) => one.start - other.start || one.end - other.end);
  let changedTo = 0;
  const kept = sorted.filter(({ start, end, after }) => {
    if (after === null) {
      return true;
    }
    const isFree = start >= changedTo;
    changedTo = isFree ? Math.max(end, start + 1) : changedTo;
    return isFree;
  });
  return { suggestions: kept.slice(0, countMax), more: Math.max(0, kept.length - countMax) };
}
