import { type Quote, quotePlaces } from '../../text/quotes';
import type { TextThreads } from '../../text/text-threads';
import { textJobs } from '../../text/text.jobs';
import type { StructuredQuestion } from './structured-answers';
import { type AnswerTask, modelTask } from './typed-answers';
import { modelQuestion, type OutputOf, type OutputSchema, schema, type FaultTally } from './output-schema';
import { type Choices, languageOf, PromptFile } from './prompt';

const SHOWN_LENGTH_MAX = 120;

function missing(quote: string): string {
  return `This does not stand in the text word for word: ${quote.slice(0, SHOWN_LENGTH_MAX)}`;
}

/** In the order of the text, each with its quote's place; quotes that the text lacks are left out. */
export function placed<Output>(
  outputs: readonly Output[],
  quoteOf: (output: Output) => string,
  text: string,
  tally: FaultTally,
): { readonly output: Output; readonly place: Quote }[] {
  const places = placesOf(outputs.map(quoteOf), text, tally);
  return outputs
    .flatMap((output, index) => {
      const place = places[index];
      return place ? [{ output, place }] : [];
    })
    .sort((one, other) => one.place.start - other.place.start);
}

/** In the order of the quotes; null for one that the text lacks. */
export function placesOf(quotes: readonly string[], text: string, tally: FaultTally): (Quote | null)[] {
  const places = quotePlaces(quotes, text);
  places.forEach((place, index) => {
    if (place === null) {
      tally.drop(missing(quotes[index] ?? ''));
    } else {
      tally.keep();
    }
  });
  return places;
}

export function keptQuotes(quotes: readonly string[], text: string, tally: FaultTally): Quote[] {
  const found = new Map<number, Quote>();
  for (const place of placesOf(quotes, text, tally)) {
    if (place !== null && !found.has(place.start)) {
      found.set(place.start, place);
    }
  }
  return [...found.values()].sort((one, other) => one.start - other.start);
}

export interface QuotedSummary {
  summary: string;
  key_points: Quote[];
}

export function summarySchema(pointsMax?: number) {
  const bounds = { minItems: 1, ...(pointsMax !== undefined && { maxItems: pointsMax }) };
  return schema.object({ summary: schema.text, key_points: schema.list(schema.text, bounds) });
}

const SUMMARY_SCHEMA = summarySchema();

interface SummaryOrder {
  readonly name: string;
  readonly prompt: PromptFile;
  readonly choices: Choices;
  readonly schema?: ReturnType<typeof summarySchema>;
}

/** The prompt has to ask for `summary` and `key_points` of `text`. */
export function summaryQuestion(
  text: string,
  { name, prompt, choices, schema = SUMMARY_SCHEMA }: SummaryOrder,
): StructuredQuestion<QuotedSummary> {
  return modelQuestion({
    prompt: prompt.fill({ choices: { ...choices, language: languageOf(text) }, material: { text } }),
    name,
    schema,
    read: ({ summary, key_points: points }, tally) => ({
      summary,
      key_points: keptQuotes(points, text, tally),
    }),
  });
}

/** By a model, or else by the most central sentences. The prompt has a place `sentences`. */
export function summaryTask(
  text: string,
  sentencesMax: number,
  order: Omit<SummaryOrder, 'choices'>,
  threads: TextThreads,
): AnswerTask<QuotedSummary> {
  return {
    question: summaryQuestion(text, { ...order, choices: { sentences: sentencesMax } }),
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

const SUGGESTIONS_MAX = 200;
const SUGGESTIONS = schema.list(
  schema.object({
    quote: schema.text,
    replacement: schema.orNull(schema.string()),
    reason: schema.string({ pattern: '\\S' }),
  }),
  { maxItems: SUGGESTIONS_MAX },
);
const SUGGESTIONS_SCHEMA = schema.object({ suggestions: SUGGESTIONS });
type QuotedSuggestion = OutputOf<typeof SUGGESTIONS>[number];

/** The prompt has to ask for a quote, a replacement or null, and a reason of each. */
export function suggestionsQuestion(
  text: string,
  countMax: number,
  prompt: Pick<StructuredQuestion<unknown>, 'prompt' | 'name'>,
): StructuredQuestion<ChosenSuggestions> {
  return modelQuestion({
    ...prompt,
    schema: SUGGESTIONS_SCHEMA,
    read: ({ suggestions }, tally) =>
      chooseSuggestions(placedSuggestions(suggestions, text, tally), countMax),
  });
}

/** Each at the first place of its quote. One that changes nothing is left out. */
export function placedSuggestions(
  suggestions: readonly QuotedSuggestion[],
  text: string,
  tally: FaultTally,
): TextSuggestion[] {
  const idle = suggestions.filter(({ quote, replacement }) => replacement === quote);
  idle.forEach(({ quote }) =>
    tally.drop(`The replacement is the quote itself: ${quote.slice(0, SHOWN_LENGTH_MAX)}`),
  );
  const changing = suggestions.filter(({ quote, replacement }) => replacement !== quote);
  return placed(changing, ({ quote }) => quote, text, tally).map(({ output, place }) => ({
    ...{ start: place.start, end: place.end, before: place.text },
    ...{ after: output.replacement, reason: output.reason },
  }));
}

const CHANGES_PROMPT = new PromptFile('text-changes');

export function changesSchema(countMax: number, reason: OutputSchema<string>) {
  const change = schema.object({ before: schema.text, after: schema.string(), reason });
  return schema.object({ changes: schema.list(change, { maxItems: countMax }) });
}

interface ChangesOrder {
  readonly goals: string;
  readonly name: string;
  readonly schema: ReturnType<typeof changesSchema>;
}

export function changesTask(text: string, { goals, ...order }: ChangesOrder): AnswerTask<ChangedText> {
  return modelTask([text], {
    ...order,
    prompt: CHANGES_PROMPT.fill({ choices: { goals, language: languageOf(text) }, material: { text } }),
    read: ({ changes }, tally) => changedBy(changes, text, tally),
  });
}

type QuotedChange = OutputOf<ReturnType<typeof changesSchema>>['changes'][number];

export interface ChangedText {
  text: string;
  changes: { start: number; end: number; before: string; after: string; reason: string }[];
}

/** The model gives only changes, so all other text is the caller's. Overlapping ones are left out. */
export function changedBy(changes: readonly QuotedChange[], text: string, tally: FaultTally): ChangedText {
  const made: ChangedText['changes'] = [];
  for (const { output, place } of placed(changes, ({ before }) => before, text, tally)) {
    const { start, end, text: before } = place;
    if (start < (made.at(-1)?.end ?? 0)) {
      tally.drop(`This change overlaps another one: ${before.slice(0, SHOWN_LENGTH_MAX)}`);
    } else if (before !== output.after) {
      made.push({ start, end, before, after: output.after, reason: output.reason });
    }
  }
  return { text: changedText(text, made), changes: made };
}

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

/** Offsets in UTF-16 units: `before === text.slice(start, end)`. */
export interface TextSuggestion {
  readonly start: number;
  readonly end: number;
  readonly before: string;
  /** Empty removes the text; null where only the author can decide. */
  readonly after: string | null;
  readonly reason: string;
}

export interface ChosenSuggestions {
  readonly suggestions: TextSuggestion[];
  readonly more: number;
}

/** Of overlapping replacements the later is left out, so that all can be applied. */
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
