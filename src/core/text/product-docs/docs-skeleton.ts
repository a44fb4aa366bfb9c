import { splitSentences } from '../split-sentences';
import { codeSpan, embeddedParagraphs, markdownTable } from '../markdown/markdown-writing';
import { isCode } from './is-code';
import { packageFacts, type PackageFacts } from './package-facts';
import { placeToFillIn, writtenPage, type PageSection, type WrittenPage } from './written-page';

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
