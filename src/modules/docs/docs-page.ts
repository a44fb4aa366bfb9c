import { splitSentences } from '../../text/split-sentences';
import { codeSpan, embeddedParagraphs, headingText, markdownTable } from './markdown-writing';
import { isObject, membersOf, textOf } from './openapi-document';

/** In UTF-16 units. The beginning tells. */
const CODE_READ_MAX = 20_000;
/** Above this share of its characters that are signs of code a text is no prose. */
const CODE_SHARE_MAX = 0.04;

/** Whether a text is source code or data rather than prose or a list, by its signs. */
export function isCode(text: string): boolean {
  const signs = text.slice(0, CODE_READ_MAX).match(/[{};=<>]/gu)?.length ?? 0;
  return signs > CODE_SHARE_MAX * Math.min(text.length, CODE_READ_MAX);
}

export interface PageSection {
  readonly title: string;
  /** 2 to 6; the page's title has level 1. */
  readonly level: number;
  /** Markdown, without the heading. */
  readonly text: string;
}

/** A page of documentation. */
export interface WrittenPage {
  readonly title: string;
  readonly sections: PageSection[];
  /** The whole page as Markdown. */
  readonly text: string;
  /** What its author has to fill in, as the places say it. */
  readonly toFillIn: string[];
  /** What the source has and the page has not, because there is too much of it: a sentence each. */
  readonly omitted: string[];
}

/** What is marked as to be filled in: `[To fill in: how it is installed]`. */
const PLACE = /\[To fill in: ([^[\]\n]{1,300})\]/gu;
const PLACES_MAX = 200;

/** A place of a page that its author has to fill in. */
export function placeToFillIn(what: string): string {
  return `[To fill in: ${what}]`;
}

/** Puts a page together. */
export function writtenPage(
  title: string,
  sections: readonly PageSection[],
  omitted: readonly string[] = [],
): WrittenPage {
  const blocks = sections.map((section) => [
    `${'#'.repeat(section.level)} ${headingText(section.title)}`,
    section.text,
  ]);
  const text = [`# ${headingText(title)}`, ...blocks.flat()].filter((block) => block !== '').join('\n\n');
  const places = [...text.matchAll(PLACE)].slice(0, PLACES_MAX).map(([, what = '']) => what);
  return { title, sections: [...sections], text, toFillIn: [...new Set(places)], omitted: [...omitted] };
}

export type DocsKind = 'readme' | 'api' | 'guide' | 'changelog';

/** A page of documentation as it is answered. */
export interface DocsPage {
  kind: DocsKind;
  state: 'complete' | 'skeleton';
  title: string;
  sections: { title: string; level: number; text: string }[];
  text: string;
  to_fill_in: string[];
  omitted: string[];
}

export function docsPage(
  kind: DocsKind,
  { title, sections, text, toFillIn, omitted }: WrittenPage,
): DocsPage {
  const state = toFillIn.length === 0 ? 'complete' : 'skeleton';
  return { kind, state, title, sections, text, to_fill_in: toFillIn, omitted };
}

/** What a package.json says of its package. */
interface PackageFacts {
  readonly name: string;
  readonly description: string | null;
  readonly license: string | null;
  /** Such as `node >=20`. */
  readonly requirements: readonly string[];
  readonly scripts: readonly (readonly [name: string, command: string])[];
}

const NAME = /^(?:@[a-z0-9][a-z0-9._~-]{0,100}\/)?[a-z0-9][a-z0-9._~-]{0,213}$/u;
const MEMBERS_MAX = 50;
/** In UTF-16 units. */
const TEXT_LENGTH_MAX = 500;

/** Reads a package.json; null for any other text. */
function packageFacts(source: string): PackageFacts | null {
  if (!/^\s*\{/u.test(source.slice(0, 1_000))) {
    return null;
  }
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    return null;
  }
  if (!isObject(value) || typeof value['name'] !== 'string' || !NAME.test(value['name'])) {
    return null;
  }
  const texts = (member: unknown) =>
    membersOf(member)
      .slice(0, MEMBERS_MAX)
      .map(([name, text]) => [textOf(name, 100), textOf(text, TEXT_LENGTH_MAX)] as const)
      .filter(([, text]) => text !== '');
  return {
    name: value['name'],
    description: textOf(value['description'], TEXT_LENGTH_MAX) || null,
    license: textOf(value['license'], TEXT_LENGTH_MAX) || null,
    requirements: texts(value['engines']).map(([name, range]) => `${name} ${range}`),
    scripts: texts(value['scripts']),
  };
}

/** A page that is wanted, and what is known for it. */
export interface SkeletonWish {
  readonly kind: 'readme' | 'guide';
  /** Null where the caller has not said it. */
  readonly title: string | null;
  /** Of a page whose source has no name either. */
  readonly titleOtherwise: string;
  /** What the caller says of the product. */
  readonly brief: string | null;
  /** A text of the product: prose, or a package.json. */
  readonly source: string | null;
}

const SENTENCES_MAX = 40;
/** In UTF-16 units. So much of a text has more sentences than a skeleton takes. */
const READ_MAX = 20_000;
const ITEM = /^(?:[-*•]|\d{1,3}[.)])[ \t]+(\S.*)$/u;

/**
 * A skeleton of a page: the sentences of the brief, or else of the source, where they belong, and the places that nobody but
 * its author can fill in, marked as such. Nothing in it is made up.
 */
export function docsSkeleton({ kind, title, titleOtherwise, brief, source }: SkeletonWish): WrittenPage {
  const facts = source === null ? null : packageFacts(source);
  const prose = brief ?? facts?.description ?? (source === null || facts !== null ? '' : source);
  const statements = isCode(prose) ? [] : statementsIn(prose.slice(0, READ_MAX));
  const sections = kind === 'readme' ? readme(statements, facts) : guide(statements);
  return writtenPage(title ?? facts?.name ?? titleOtherwise, sections);
}

function readme(statements: readonly string[], facts: PackageFacts | null): PageSection[] {
  const [first, ...further] = statements;
  const { license, installation, requirements, others } = byTopic(further);
  const scripts = facts?.scripts ?? [];
  const table = markdownTable(
    ['Command', 'What it runs'],
    scripts.map(([name, command]) => [codeSpan(`npm run ${name}`), codeSpan(command)]),
  );
  return [
    section('Overview', first ?? placeToFillIn('what it is, and for whom, in one sentence')),
    section('What it does', bullets(others) ?? placeToFillIn('what it does, a line for each thing')),
    section(
      'Requirements',
      bullets([...(facts?.requirements ?? []), ...requirements]) ??
        placeToFillIn('what has to be installed before'),
    ),
    section(
      'Installation',
      together(facts && `\`\`\`sh\nnpm install ${facts.name}\n\`\`\``, bullets(installation)) ??
        placeToFillIn('the commands that install it'),
    ),
    section('Usage', placeToFillIn('the smallest example that works, with what it prints')),
    ...(scripts.length === 0 ? [] : [section('Scripts', table)]),
    section('Contributing', placeToFillIn('how to report a fault and how to propose a change')),
    section(
      'License',
      together(facts?.license ?? null, bullets(license)) ??
        placeToFillIn('the license and who holds the rights'),
    ),
  ];
}

/** The first topic whose words a sentence has; what has none says what the product does. */
const TOPICS = {
  license: /\b(?:under|has) [^.]{0,40}\blicen[cs]e\b|\blicensed under\b|^licen[cs]e:/iu,
  installation: /^(?:to )?install(?:ation)?\b|\binstall(?:ed)? (?:it |this )?(?:with|by|from)\b/iu,
  requirements: /\b(?:requires?|needs?|depends on)\b[^.]{0,80}(?:\d|\b(?:installed|or newer|or later)\b)/iu,
};

function byTopic(statements: readonly string[]) {
  const topics = Object.keys(TOPICS) as (keyof typeof TOPICS)[];
  const topicOf = (statement: string) => topics.find((topic) => TOPICS[topic].test(statement));
  const about = (topic?: keyof typeof TOPICS) => statements.filter((each) => topicOf(each) === topic);
  return {
    license: about('license'),
    installation: about('installation'),
    requirements: about('requirements'),
    others: about(),
  };
}

function guide(statements: readonly string[]): PageSection[] {
  const [first, ...steps] = statements;
  const shown = steps.length === 0 ? [placeToFillIn('what the reader does first')] : steps;
  return [
    section('What you will do', first ?? placeToFillIn('what the reader has at the end')),
    section('Before you begin', placeToFillIn('what the reader has to have and to know')),
    section('Steps', ''),
    ...shown.map((step, index) => ({
      title: `Step ${index + 1}`,
      level: 3,
      text: `${step}\n\n${placeToFillIn(`what the reader sees after step ${index + 1}`)}`,
    })),
    section('If something goes wrong', placeToFillIn('what fails most often, and what helps')),
    section('What to read next', placeToFillIn('where to go from here')),
  ];
}

function section(title: string, text: string): PageSection {
  return { title, level: 2, text };
}

function bullets(lines: readonly string[]): string | null {
  return lines.length === 0 ? null : lines.map((line) => `- ${line}`).join('\n');
}

function together(...parts: readonly (string | null)[]): string | null {
  return parts.filter((part) => part !== null).join('\n\n') || null;
}

/** The sentences of a text and the items of its lists, in its order, each once. */
function statementsIn(text: string): string[] {
  const found = text.split(/\n[ \t]*\n|\n(?=[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t])/u).flatMap((block) => {
    const item = ITEM.exec(block.trim().replace(/\s+/gu, ' '))?.[1];
    return item === undefined ? splitSentences(block).map((sentence) => sentence.text) : [item];
  });
  const plain = found
    .map((statement) => embeddedParagraphs(statement.replace(/\s+/gu, ' ')))
    .filter((statement) => /[\p{L}\p{N}]/u.test(statement) && !/^(?:```|~~~)/u.test(statement));
  return [...new Set(plain)].slice(0, SENTENCES_MAX);
}
