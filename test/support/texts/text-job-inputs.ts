import { titleOfPrompt } from '../../../src/modules/stories/stories';
import { mayBeEnglish } from '../../../src/text/detect-language';
import { embeddedParagraphs } from '../../../src/modules/docs/docs-page';
import { hasClassifiedCommits } from '../../../src/modules/docs/changelog';
import { type PaperOutput, standingOutput } from '../../../src/modules/scholar/paper-analysis';
import type { CitedSource } from '../../../src/modules/scholar/cited-source';
import { readSearchQuery } from '../../../src/text/search-query';
import { keptQuotes, placedSuggestions } from '../../../src/models/generation/quoted-output';
import { FaultTally } from '../../../src/models/generation/output-schema';
import { textJobs } from '../../../src/text/text.jobs';
import { docsJobs } from '../../../src/modules/docs/docs.jobs';
import { legalJobs } from '../../../src/modules/legal/legal.jobs';
import { scholarJobs } from '../../../src/modules/scholar/scholar.jobs';

/** The jobs of all features. */
export const TEXT_JOBS = {
  ...textJobs,
  ...docsJobs,
  ...legalJobs,
  ...scholarJobs,
};

type TextJobs = typeof TEXT_JOBS;
type InputOf<Name extends keyof TextJobs> = Parameters<TextJobs[Name]['run']>[0];

const QUESTION = 'Where are the flowers of hive 7, and what do the others pay?';
/** As many as a call may have of a list, such as the sources to cite or what a model tells of a paper. */
const LISTED_MAX = 100;
const TOLD_MAX = 2_000;

/** The text in parts, each of them a list's item. */
function parts(text: string, count = LISTED_MAX): string[] {
  const size = Math.max(1, Math.ceil(text.length / count));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}

/** The lines of the text that a model may have copied, as many as it tells in one answer. */
function lines(text: string): string[] {
  return text.slice(0, 100_000).split('\n').slice(0, TOLD_MAX);
}

function paperOutputOf(text: string): PaperOutput {
  const reference = { authors: ['Smith, J.'], year: '2019', title: 'of', doi: null, url: null };
  return {
    sections: lines(text).map((heading) => ({ heading, kind: 'results' as const })),
    references: lines(text).map((raw) => ({ raw, ...reference })),
  };
}

function sourceOf(title: string, family: string): CitedSource {
  const names = [
    { family, given: title, suffix: null, literal: null },
    { family: null, given: null, suffix: null, literal: title },
  ];
  return {
    ...{ type: 'article', title, translatedTitle: title, authors: names, editors: names, translators: names },
    ...{
      date: { year: 2019, month: 3, day: null, season: null },
      containerTitle: title,
      periodical: 'journal',
    },
    ...{
      publisher: title,
      place: title,
      volume: title,
      issue: title,
      pages: title,
      edition: title,
      number: title,
    },
    ...{ genre: title, database: title, url: title, doi: title, isbn: title, accessed: null },
  };
}

/** An OpenAPI document that says the text wherever a document says something. */
function openApiOf(text: string): string {
  const said = parts(text);
  const schemas = Object.fromEntries(
    said.map((description, index) => [
      `S${index}${description.slice(0, 20)}`,
      {
        type: 'object',
        description,
        properties: { [description.slice(0, 50)]: { $ref: `#/components/schemas/S${index + 1}` } },
      },
    ]),
  );
  const paths = Object.fromEntries(
    said.map((description, index) => [
      `/p${index}`,
      {
        get: {
          summary: description.slice(0, 100),
          description,
          tags: [description.slice(0, 30)],
          responses: { 200: { description } },
        },
      },
    ]),
  );
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', description: text },
    paths,
    components: { schemas },
  });
}

/** Two texts of one body. */
function half(text: string): string {
  return text.slice(0, text.length / 2);
}

function itself(text: string): string {
  return text;
}

function inContract(text: string): string {
  return `This Agreement is made between Acme Ltd (the “Seller”) and Bee Inc. (the “Buyer”).\n\n${text}`;
}

function asReference(text: string): string {
  return `# Introduction\nBees dance [1].\n\n# References\n\n${text}`;
}

type InputsOf<Name extends keyof TextJobs> = readonly ((text: string) => InputOf<Name>)[];

/** The inputs with which each job reads a text in each of its ways. A job that isn't here fails the test of all of them. */
export const TEXT_JOB_INPUTS: { readonly [Name in keyof TextJobs]: InputsOf<Name> } = {
  countPackedTokens: [
    (text) => ({ text, lengths: Uint32Array.of(text.length) }),
    (text) => ({ text, lengths: Uint32Array.from(parts(text, text.length / 8), ({ length }) => length) }),
  ],
  limitText: [
    (text) => ({ text, tokensMax: 100 }),
    (text) => ({ text, tokensMax: Math.floor(text.length / 3) }),
  ],
  answerMessages: [
    (text) => conversation([text, QUESTION]),
    (text) => conversation([`Summarize this: ${text}`]),
    (text) => conversation([...parts(half(text), text.length / 128), half(text)]),
  ],
  quoteAnswer: [
    (text) => ({ question: QUESTION, passages: [{ text, heading: text.slice(0, 100) }] }),
    (text) => ({
      question: half(text),
      passages: parts(half(text), text.length / 400).map((part) => ({
        text: part,
        heading: part.slice(0, 50),
      })),
    }),
  ],
  quoteNamedSources: [
    (text) => ({ answer: `The bees dance [1]. ${text}`, sources: [text, ...parts(text)] }),
    (text) => ({
      answer: parts(text, text.length / 40)
        .map((part, index) => `${part} [${index % LISTED_MAX}].`)
        .join(' '),
      sources: parts(text),
    }),
  ],
  cutText: [itself],
  embedTexts: [
    (text) => ({ texts: [text], dimensions: 384 }),
    (text) => ({ texts: parts(text, 20), dimensions: 128, asJson: true }),
  ],
  indexTexts: [
    (text) => ({ titles: [text], contents: [text] }),
    (text) => ({ titles: parts(text, 20), contents: parts(text, 20) }),
  ],
  textSnippets: [
    (text) => ({
      ...{ texts: [text, text], areStemmed: [true, false] },
      wanted: ['a', 'bee', 'time', 'part', '中', text.slice(0, 10)],
    }),
  ],
  analyzeStatistics: [itself],
  classifyText: [
    (text) => ({
      text,
      labels: [
        { name: 'time', examples: ['the bees'] },
        { name: 'part', examples: [] },
      ],
    }),
    (text) => ({
      text,
      labels: parts(text, 50).map((part, index) => ({ name: `label ${index}`, examples: [part] })),
    }),
  ],
  findAmounts: [itself],
  findDates: [itself],
  findEntities: [itself],
  findKeyValues: [itself],
  findKeywords: [(text) => ({ text, countMax: 50 })],
  findLanguage: [itself],
  findTables: [itself],
  outlineText: [itself],
  summarizeText: [(text) => ({ text, sentencesMax: 100 })],
  analyzeLegalText: [itself, inContract],
  compareTexts: [
    (text) => ({ before: half(text), after: half(text).replaceAll(/[aeiou,]\b/gu, 'x') }),
    (text) => ({ before: half(text), after: parts(half(text)).reverse().join('') }),
  ],
  findLegalFacts: [itself, inContract],
  analyzePaper: [itself, asReference],
  placePaperAnalysis: [
    (text) => ({ text, output: paperOutputOf(text) }),
    (text) => ({ text: asReference(text), output: paperOutputOf(text) }),
  ],
  summarizePaper: [(text) => ({ text, sentencesMax: 20, pointsMax: 3 })],
  placePaperSummary: [
    (text) => ({ text, summary: text, quotes: keptQuotes(lines(text), text, new FaultTally()) }),
  ],
  writeCitations: (['apa', 'mla', 'chicago', 'bibtex', 'ris'] as const).flatMap((style) => [
    (text) => ({ style, sources: [sourceOf(text.slice(0, text.length / 8), 'Smith')] }),
    (text) => ({
      style,
      sources: parts(text.slice(0, text.length / 8)).map((part) => sourceOf(part, 'Smith')),
    }),
  ]),
  lintPage: [itself],
  structurePage: [(text) => ({ text, depthMax: 6 })],
  writeChangelog: [(text) => ({ source: text, version: null })],
  writeReference: [itself, openApiOf],
};

/** What reads a whole text outside of the threads, before or behind a job. */
export const FURTHER_FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  mayBeEnglish,
  titleOfPrompt,
  embeddedParagraphs,
  hasClassifiedCommits,
  readSearchQuery,
  keptQuotes: (text) => keptQuotes([...lines(text), `${text}!`], text, new FaultTally()),
  placedSuggestions: (text) => {
    const told = lines(text).map((quote) => ({ quote, replacement: '', reason: 'It may go.' }));
    return placedSuggestions(told, text, new FaultTally());
  },
  standingOutput: (text) => standingOutput(text, paperOutputOf(text), new FaultTally()),
};

function conversation(texts: readonly string[]): InputOf<'answerMessages'> {
  const messages = texts.map((text, index) => ({
    ...{ role: index === texts.length - 1 ? 'user' : 'system', name: '', parts: [text] },
  }));
  return { messages, stop: ['\u0001', 'zzz'], outputTokensMax: 1_000 };
}
