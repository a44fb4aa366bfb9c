import type { DocsHeading, DocsLint, DocsNumberingGap } from '../../../generated/types';
import type { Heading } from '../../text/outline';
import { firstNot } from '../../text/places';
import { splitSentences } from '../../text/split-sentences';
import { textJobsOf } from '../../text/text-job';
import { writtenWords } from '../../text/text-statistics';
import { apiReference } from './api-reference';
import { changelogOf } from './changelog';
import {
  blanked,
  decodedUri,
  fenceIn,
  type MarkdownPage,
  markdownPage,
  type PageLine,
  type WrittenPage,
} from './docs-page';
import { NoOpenApiDocument } from './openapi-document';

const HEADINGS_MAX = 1_000;

export function pageStructure({ text, depthMax }: { text: string; depthMax: number }) {
  const all = markdownPage(text).headings;
  const headings = all.slice(0, HEADINGS_MAX);
  const outline = treeOf(headings);
  const [only] = outline;
  const isTitled = outline.length === 1 && only?.level === 1 && only.children.length > 0;
  const listed = isTitled ? only.children : outline;
  return {
    outline,
    tableOfContents: contentsOf(listed, depthMax).join('\n'),
    headings,
    gaps: numberingGaps(headings, text),
    more: all.length - headings.length,
  };
}

function treeOf(headings: readonly Heading[]): DocsHeading[] {
  const roots: DocsHeading[] = [];
  const path: DocsHeading[] = [];
  for (const heading of headings) {
    while ((path.at(-1)?.level ?? 0) >= heading.level) {
      path.pop();
    }
    const node = { ...heading, children: [] };
    (path.at(-1)?.children ?? roots).push(node);
    path.push(node);
  }
  return roots;
}

function contentsOf(nodes: readonly DocsHeading[], depthMax: number, indent = ''): string[] {
  if (depthMax === 0) {
    return [];
  }
  return nodes.flatMap(({ title, anchor, children }) => [
    `${indent}- [${title.replaceAll(/[[\]\\]/gu, '\\$&')}](#${anchor})`,
    ...contentsOf(children, depthMax - 1, `${indent}  `),
  ]);
}

const NUMBER =
  /^(?:#{1,6}[ \t]+)?(?:\*\*)?(?:(article|chapter|section|part|appendix|annex|schedule|kapitel|abschnitt|artikel|§)[ \t]*)?(\d{1,3}(?:\.\d{1,3}){0,5}|[IVXLC]{1,7})(?=[.):\s]|$)/iu;
const ROMAN: Readonly<Record<string, number>> = {
  C: 100,
  XC: 90,
  L: 50,
  XL: 40,
  X: 10,
  IX: 9,
  V: 5,
  IV: 4,
  I: 1,
};

/** The first number may be any; a number that goes back, as versions in a changelog do, ends the row. */
function numberingGaps(headings: readonly Heading[], text: string): DocsNumberingGap[] {
  const last = new Map<string, number>();
  const seen = new Set<string>();
  return headings.flatMap(({ title, start, end }) => {
    const [, label = '', number = ''] = NUMBER.exec(text.slice(start, Math.min(end, start + 80))) ?? [];
    const isRoman = /^[IVXLC]+$/iu.test(number);
    // The C of "Appendix C" is a letter.
    if (number === '' || (isRoman && !/^(?:article|chapter|section|part|artikel|kapitel)$/iu.test(label))) {
      return [];
    }
    const parts = number.split('.');
    const parent = parts.slice(0, -1).join('.');
    const row = `${label.toLowerCase()} ${isRoman ? 'roman' : ''} ${parent}`;
    const value = isRoman ? romanValue(number) : Number(parts.at(-1));
    const before = last.get(row) ?? (parent !== '' && seen.has(parent) ? Math.min(value, 1) - 1 : value - 1);
    last.set(row, value);
    seen.add(number);
    if (value === before + 1 || value < before) {
      return [];
    }
    const next = isRoman ? romanNumber(before + 1) : String(before + 1);
    return [{ title, number, expected: parent === '' ? next : `${parent}.${next}`, start, end }];
  });
}

function romanValue(number: string): number {
  const values = Array.from(number.toUpperCase(), (digit) => ROMAN[digit] ?? 0);
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}

function romanNumber(value: number): string {
  let rest = value;
  return Object.entries(ROMAN)
    .map(([sign, worth]) => {
      const count = Math.floor(rest / worth);
      rest -= count * worth;
      return sign.repeat(count);
    })
    .join('');
}

type PlacedFault = Omit<DocsLint, 'line'>;

function skippedLevels({ headings }: MarkdownPage): PlacedFault[] {
  return headings.flatMap(({ level, start, end }, index) => {
    const before = headings[index - 1]?.level;
    return before !== undefined && level > before + 1
      ? [fault('heading_level_skipped', start, end, `Level ${level} follows level ${before}.`)]
      : [];
  });
}

function furtherTitles({ headings }: MarkdownPage): PlacedFault[] {
  return headings
    .filter(({ level }) => level === 1)
    .slice(1)
    .map(({ start, end }) => fault('several_titles', start, end, 'A page has one heading of level 1.'));
}

function duplicates({ headings }: MarkdownPage): PlacedFault[] {
  const seen: Set<string>[] = [];
  return headings.flatMap(({ title, level, start, end }) => {
    seen.length = level;
    const ofLevel = (seen[level - 1] ??= new Set());
    const key = title.toLowerCase();
    const isKnown = ofLevel.has(key);
    ofLevel.add(key);
    const message = `Another heading here is called "${title.slice(0, 80)}" too.`;
    return isKnown ? [fault('duplicate_heading', start, end, message)] : [];
  });
}

function fault(rule: PlacedFault['rule'], start: number, end: number, message: string): PlacedFault {
  return { rule, message, start, end };
}

const LINE_LENGTH_MAX = 500;
const SENTENCE_WORDS_MAX = 40;
/** Written apart, because our own sources may not contain these marks. */
const UNFINISHED = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(?:TO${'DO'}|FIX${'ME'}|TBD|XXX|[Ll]orem ipsum)(?![\\p{L}\\p{N}_-])`,
  'gu',
);
const MARKED_HEADING = /^ {0,3}#{1,6}[ \t]/u;

function spaces({ lines }: MarkdownPage): PlacedFault[] {
  return lines.flatMap(({ text, kind, start, end }) => {
    const run = kind === 'code' || !/[ \t]$/u.test(text) ? '' : text.slice(text.trimEnd().length);
    const isBreak = run === '  ' && kind === 'text';
    const message = start + run.length === end ? 'The line has only spaces.' : 'The line ends in spaces.';
    return run === '' || isBreak ? [] : [fault('trailing_spaces', end - run.length, end, message)];
  });
}

function fences({ lines }: MarkdownPage): PlacedFault[] {
  const all = lines.filter(({ kind }) => kind === 'fence');
  const bare = all.filter(({ text }, index) => index % 2 === 0 && fenceIn(text)?.info.trim() === '');
  const open = all.length % 2 === 1 ? all.slice(-1) : [];
  const message = 'The code has no language, such as `sh` or `text`.';
  const endless = 'The code is never closed: the rest of the page is code.';
  return [
    ...bare.map(({ start, end }) => fault('fence_without_language', start, end, message)),
    ...open.map(({ start, end }) => fault('fence_not_closed', start, end, endless)),
  ];
}

function longLines({ lines }: MarkdownPage): PlacedFault[] {
  return lines
    .filter(({ kind, text }) => kind === 'text' && text.length > LINE_LENGTH_MAX)
    .map(({ text, start, end }) => {
      const message = `The line has ${text.length} characters; changes of shorter ones are easier to review.`;
      return fault('long_line', start, end, message);
    });
}

function longSentences({ lines, plain }: MarkdownPage): PlacedFault[] {
  const apart = lines.filter(({ kind, text }) => kind === 'table' || MARKED_HEADING.test(text));
  return splitSentences(blanked(plain, apart)).flatMap(({ text, start, end }) => {
    const count = text.length < 2 * SENTENCE_WORDS_MAX ? 0 : [...writtenWords(text)].length;
    const message = `The sentence has ${count} words; more than ${SENTENCE_WORDS_MAX} are hard to follow.`;
    return count > SENTENCE_WORDS_MAX ? [fault('long_sentence', start, end, message)] : [];
  });
}

function unfinished({ plain }: MarkdownPage): PlacedFault[] {
  return [...plain.matchAll(UNFINISHED)].map(({ 0: mark, index }) =>
    fault('unfinished', index, index + mark.length, `"${mark}" says that something is missing here.`),
  );
}

// Each pattern excludes the sign it begins with, so that a page full of such signs takes linear time.
const LINK = /(!?)\[([^[\]]{0,1000})\]\(([^()\s]{0,2000})/gu;
const ANCHOR_LINK = /(?:\]\(|\bhref=["'])#([^()\s"'#]{0,300})/gu;
const OWN_ANCHOR = /<[a-z][a-z0-9]{0,9}\s[^<>]{0,300}?\b(?:id|name)=["']([^"'<>]{1,200})["']/giu;
const IMAGE = /<img\b([^<>]{0,2000})>/giu;
const BARE_URL = /(?<![\p{L}\p{N}("'<[=/.])https?:\/\/[^\s<>()[\]"'|]{1,2000}/giu;
const DEFINITION = /^ {0,3}\[[^[\]]{1,200}\]:\s/u;

function emptyLinks({ plain, text }: MarkdownPage): PlacedFault[] {
  return [...plain.matchAll(LINK)].flatMap(({ 0: link, 1: mark, 2: words = '', 3: target, index }) => {
    const end = index + link.length;
    if (mark === '!') {
      // The words may be code, which `plain` has blanked.
      const isNamed = text.slice(index + 2, index + 2 + words.length).trim() !== '';
      const message = 'The image has no words for those who do not see it.';
      return isNamed ? [] : [fault('missing_alt_text', index, end, message)];
    }
    return target === '' && plain[end] === ')'
      ? [fault('empty_link', index, end + 1, 'The link leads nowhere.')]
      : [];
  });
}

function imagesWithoutWords({ plain }: MarkdownPage): PlacedFault[] {
  const message = 'The image has no "alt"; where it only decorates, it is empty.';
  return [...plain.matchAll(IMAGE)]
    .filter(([, attributes = '']) => !/\balt\s*=/iu.test(attributes))
    .map(({ 0: image, index }) => fault('missing_alt_text', index, index + image.length, message));
}

function brokenAnchors({ plain, headings }: MarkdownPage): PlacedFault[] {
  const own = [...plain.matchAll(OWN_ANCHOR)].map(([, anchor = '']) => anchor.toLowerCase());
  const known = new Set(['', 'top', ...headings.map(({ anchor }) => anchor), ...own]);
  return [...plain.matchAll(ANCHOR_LINK)].flatMap(({ 0: link, 1: anchor = '', index }) => {
    const end = index + link.length;
    const message = `No heading of this page has the anchor "#${anchor.slice(0, 80)}".`;
    return known.has(decodedUri(anchor).toLowerCase())
      ? []
      : [fault('broken_anchor', end - anchor.length - 1, end, message)];
  });
}

function bareUrls({ plain, lines }: MarkdownPage): PlacedFault[] {
  return lines
    .filter(({ kind, text }) => (kind === 'text' || kind === 'table') && !DEFINITION.test(text))
    .flatMap(({ start, end }) =>
      [...plain.slice(start, end).matchAll(BARE_URL)].map(({ 0: url, index }) => {
        const bare = url.replace(/[.,;:!?*_]{1,20}$/u, '');
        const message = 'A link with words tells where it leads; else put the address between < and >.';
        return fault('bare_url', start + index, start + index + bare.length, message);
      }),
    );
}

const ITEM = /^([ \t]{0,200})(?:([-*+])|(\d{1,9})([.)]))[ \t]+\S/u;
const RULE_OF_SIGNS = /^[ \t]{0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,})$/u;
const DEPTH_MAX = 20;

interface OpenList {
  readonly indent: number;
  readonly marker: string | null;
  readonly number: number | null;
  readonly isConstant: boolean;
}

function listFaults({ lines }: MarkdownPage): PlacedFault[] {
  const faults: PlacedFault[] = [];
  let open: OpenList[] = [];
  let wasBlank = false;
  for (const line of lines) {
    const item = itemIn(line);
    if (item !== null) {
      open = open.filter(({ indent }) => indent <= item.indent);
      const last = open.at(-1);
      const isSame = last?.indent === item.indent && (last.number === null) === (item.number === null);
      const { fault, isConstant } = isSame ? judged(last, item, line) : { fault: null, isConstant: true };
      open = last?.indent === item.indent ? open.slice(0, -1) : open;
      open = [...open.slice(-DEPTH_MAX), { ...item, isConstant }];
      faults.push(...(fault === null ? [] : [fault]));
    } else if (line.kind === 'text' && wasBlank && !/^[ \t]/u.test(line.text)) {
      open = [];
    }
    wasBlank = line.kind === 'blank';
    open = MARKED_HEADING.test(line.text) ? [] : open;
  }
  return faults;
}

function itemIn({ text, kind }: PageLine): Omit<OpenList, 'isConstant'> | null {
  const [, space, marker = null, digits, behind] = ITEM.exec(text) ?? [];
  if (kind !== 'text' || space === undefined || RULE_OF_SIGNS.test(text.slice(0, 200))) {
    return null;
  }
  const indent = space.replaceAll('\t', '    ').length;
  return { indent, marker: marker ?? behind ?? null, number: digits === undefined ? null : Number(digits) };
}

function judged(
  last: OpenList,
  item: Omit<OpenList, 'isConstant'>,
  { start, end }: PageLine,
): { fault: PlacedFault | null; isConstant: boolean } {
  if (last.marker !== item.marker) {
    const message = `The list's items begin with "${last.marker}", this one with "${item.marker}".`;
    return { fault: fault('list_markers_differ', start, end, message), isConstant: last.isConstant };
  }
  if (last.number === null || item.number === null) {
    return { fault: null, isConstant: true };
  }
  if (item.number === last.number && last.isConstant) {
    return { fault: null, isConstant: true };
  }
  const message = `${item.number} follows ${last.number} in the list.`;
  return {
    fault: item.number === last.number + 1 ? null : fault('list_number_skipped', start, end, message),
    isConstant: false,
  };
}

const FINDINGS_MAX = 500;
const RULES = [
  ...[skippedLevels, furtherTitles, duplicates],
  ...[emptyLinks, imagesWithoutWords, brokenAnchors, bareUrls],
  ...[spaces, fences, longLines, longSentences, unfinished, listFaults],
];

export function lintMarkdown(text: string): { lint: DocsLint[]; more: number } {
  const all = markdownPage(text);
  // Only headings with marks are judged, because others may be none.
  const headings = all.headings.filter(({ start, end }) => /^#|\n/u.test(text.slice(start, end)));
  const page = { ...all, headings };
  const faults = RULES.flatMap((faultsOf) => faultsOf(page)).sort(
    (one, other) => one.start - other.start || one.end - other.end,
  );
  const lint = faults.slice(0, FINDINGS_MAX).map(({ rule, ...placed }): DocsLint => {
    const line = page.lines[firstNot(page.lines, ({ start }) => start <= placed.start) - 1];
    return { rule, line: line?.number ?? 1, ...placed };
  });
  return { lint, more: faults.length - lint.length };
}

/** Faults are texts, because errors lose their class on the way out of a thread. */
function writeReference(source: string): { page: WrittenPage | null; fault: string | null } {
  try {
    return { page: apiReference(source), fault: null };
  } catch (error) {
    if (error instanceof NoOpenApiDocument) {
      return { page: null, fault: error.message };
    }
    throw error;
  }
}

export const docsJobs = textJobsOf(__filename, {
  lintPage: lintMarkdown,
  structurePage: pageStructure,
  writeChangelog: changelogOf,
  writeReference,
});
