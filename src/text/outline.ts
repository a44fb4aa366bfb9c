import { hasVerb, splitSentences } from './split-sentences';
import { FINDINGS_MAX, type TextLine, linesWithoutRepeatedBlanks } from './places';

const LEFT_OUT = /[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu;

/** Anchors as GitHub makes them for one page: a repeated title gets a number. */
export class GithubAnchors {
  private readonly counts = new Map<string, number>();

  of(title: string): string {
    const base = title.toLowerCase().replaceAll(LEFT_OUT, '').replaceAll(' ', '-');
    let anchor = base;
    while (this.counts.has(anchor)) {
      const count = (this.counts.get(base) ?? 0) + 1;
      this.counts.set(base, count);
      anchor = `${base}-${count}`;
    }
    this.counts.set(anchor, 0);
    return anchor;
  }
}

export interface Heading {
  readonly title: string;
  readonly level: number;
  /** `text.slice(start, end)` is its line or underlined lines, or the words before a clause in its line. */
  readonly start: number;
  readonly end: number;
  readonly anchor: string;
}

type Found = Omit<Heading, 'anchor'>;
type Place = Omit<Found, 'level'>;

const HEADING_LENGTH_MAX = 200;
const BARE_LENGTH_MAX = 80;
const TITLE_WORDS_MAX = 12;
const FENCE = /^(?:```|~~~)/u;
const ATX = /^(#{1,6})[ \t]+(\S.*)$/u;
const CLOSING_MARKS = /[ \t]#{1,6}$/u;
const UNDERLINE = /^(?:={2,200}|-{2,200})$/u;
const NUMBERED = /^(\d{1,3}(?:\.\d{1,3}){0,5})[.)]?[ \t]{1,8}(\S.*)$/u;
/** A number without a point belongs to an address if it has three digits or a street follows: "22 Mill Lane". */
const HOUSE_NUMBER =
  /^\d{3}[ \t]|^\d{1,2}[ \t](?:\p{Lu}[\p{L}.'’-]{1,20}[ \t]){1,3}(?:Street|St|Road|Rd|Lane|Avenue|Ave|Drive|Square|Boulevard|Quay)\.?(?:,|$)/u;
const COLUMNS = /[|\t]|\S {2,}\S/u;
const LABELLED =
  /^(part|book|title|chapter|article|section|appendix|annex|schedule|exhibit|kapitel|abschnitt|artikel|§{1,2})[ \t]{0,3}((?:\d{1,4}(?:\.\d{1,3}){0,5}[a-z]?|[ivxlc]{1,8}|[a-h])\b)?[.:)]?(?:[ \t]{1,8}(?:[-–—][ \t]{0,3})?(\S.*))?$/iu;
const LABEL_LEVELS: Readonly<Record<string, number>> = { section: 2, abschnitt: 2, '§': 2, '§§': 2 };
const RUN_IN = /^([^.:]{2,70})[.:][ \t]{1,4}(?=[\p{Lu}("“])/u;
const SMALL_WORDS = new Set(
  'a an and as at by for from in into of on or the to with und der die das von et de la'.split(' '),
);
const OF_SENTENCE =
  /^(?:the|this|that|these|those|an?|each|all|any|no|every|either|neither|both|it|we|you|they|he|she|in|on|at|if|unless|to|provide|read)\s|\s(?:be|not|it|them|its|their|your|our|pays?|agrees?)(?:\s|$)/iu;
const ENDS_SENTENCE = /[.,;:!?…]$/u;

/** Markdown's, numbered ones ("1.2", "Article I", "§ 4") that read like titles and not items, and capitals. */
export function outlineOf(text: string): Heading[] {
  const anchors = new GithubAnchors();
  const lines = linesWithoutRepeatedBlanks(text);
  const hasArticles = lines.some(
    ({ text: line }) => line.length < 20 && /^(?:article|chapter|part)\b/iu.test(line),
  );
  return headingsOf(lines, (index) => headingAt(lines, index, hasArticles), endOfFrontMatter(lines))
    .slice(0, FINDINGS_MAX)
    .map((found) => ({ ...found, anchor: anchors.of(found.title) }));
}

function headingsOf<Kind extends Place>(
  lines: readonly TextLine[],
  at: (index: number) => Kind | null,
  from = 0,
): Kind[] {
  const found: Kind[] = [];
  let isCode = false;
  for (let index = from; index < lines.length; index += 1) {
    const line = lines[index] as TextLine;
    const isFence = FENCE.test(line.text);
    isCode = isFence ? !isCode : isCode;
    const heading = isCode || isFence || line.text === '' ? null : at(index);
    if (heading) {
      found.push(heading);
      index += heading.end > line.end ? 1 : 0;
    }
  }
  return found;
}

function endOfFrontMatter(lines: readonly TextLine[]): number {
  if (lines[0]?.text !== '---') {
    return 0;
  }
  const end = lines.findIndex(({ text }, index) => index > 0 && text === '---');
  return end === -1 ? 0 : end + 1;
}

function headingAt(lines: readonly TextLine[], index: number, hasArticles: boolean): Found | null {
  const line = lines[index] as TextLine;
  if (line.text.length > HEADING_LENGTH_MAX) {
    return runInHeading(line);
  }
  const marked = ATX.exec(line.text);
  if (marked) {
    const title = plainTitle((marked[2] ?? '').replace(CLOSING_MARKS, ''));
    return title === '' ? null : { title, level: marked[1]?.length ?? 1, start: line.start, end: line.end };
  }
  const next = lines[index + 1];
  if (next && UNDERLINE.test(next.text) && isBlank(lines[index - 1]) && /\p{L}/u.test(line.text)) {
    const level = next.text.startsWith('=') ? 1 : 2;
    return { title: plainTitle(line.text), level, start: line.start, end: next.end };
  }
  return (
    labelledHeading(lines, index, hasArticles) ??
    numberedHeading(lines, index) ??
    capitalHeading(lines, index)
  );
}

function labelledHeading(lines: readonly TextLine[], index: number, hasArticles: boolean): Found | null {
  const { text, start, end } = lines[index] as TextLine;
  const [, label = '', number, rest = ''] = LABELLED.exec(text) ?? [];
  if (label === '' || !number || !/^[\p{Lu}§]/u.test(label) || (rest !== '' && !isTitle(rest))) {
    return null;
  }
  const depth = number.split('.').length - 1;
  const own = LABEL_LEVELS[label.toLowerCase()] ?? 1;
  const level = Math.min(6, (hasArticles ? own : 1) + depth);
  const below = lines[index + 1];
  const isTitled = below && isTitle(below.text) && LABELLED.exec(below.text)?.[2] === undefined;
  if (rest === '' && isTitled && lines[index + 2]?.text === '') {
    return { title: plainTitle(below.text), level, start, end: below.end };
  }
  return { title: rest === '' ? text.replace(/[.:]$/u, '') : rest, level, start, end };
}

function numberedHeading(lines: readonly TextLine[], index: number): Found | null {
  const line = lines[index] as TextLine;
  const [, number, rest = ''] = NUMBERED.exec(line.text) ?? [];
  if (number === undefined || HOUSE_NUMBER.test(line.text) || COLUMNS.test(rest)) {
    return null;
  }
  const following = lines.slice(index + 1, index + 3).find(({ text }) => text !== '');
  const sibling = NUMBERED.exec(following?.text ?? '')?.[1];
  const isListItem = sibling !== undefined && sibling.split('.').length === number.split('.').length;
  if (isTitle(rest) && following && !isListItem) {
    return { title: plainTitle(rest), level: levelOf(number), start: line.start, end: line.end };
  }
  return runInHeading(line);
}

function runInHeading({ text, start }: TextLine): Found | null {
  const head = text.slice(0, HEADING_LENGTH_MAX);
  const [, number, rest = ''] = NUMBERED.exec(head) ?? [];
  const title = RUN_IN.exec(rest)?.[1];
  if (number === undefined || title === undefined || wordsOf(title).length > 8) {
    return null;
  }
  if (!isCapitalised(title) && !isNounPhrase(title)) {
    return null;
  }
  return { title, level: levelOf(number), start, end: start + head.length - rest.length + title.length };
}

function capitalHeading(lines: readonly TextLine[], index: number): Found | null {
  const { text, start, end } = lines[index] as TextLine;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const isCapital = text === text.toUpperCase() && text !== text.toLowerCase();
  const isShort = text.length <= BARE_LENGTH_MAX && wordsOf(text).length <= TITLE_WORDS_MAX;
  const stands = isBlank(lines[index - 1]) && lines[index + 1] !== undefined;
  const isTabular = COLUMNS.test(text) || /,\S/u.test(text);
  const isWhole = letters >= 4 && /^[\p{Lu}*_]/u.test(text) && !ENDS_SENTENCE.test(text);
  const isHeading = isCapital && isShort && stands && isWhole && !isTabular;
  return isHeading ? { title: plainTitle(text), level: 1, start, end } : null;
}

function isTitle(text: string): boolean {
  const words = wordsOf(text);
  return (
    words.length <= TITLE_WORDS_MAX && /^["“(*_]{0,3}[\p{Lu}\p{Lo}]/u.test(text) && !ENDS_SENTENCE.test(text)
  );
}

function isCapitalised(title: string): boolean {
  return wordsOf(title).every(
    (word, index) => (index > 0 && SMALL_WORDS.has(word)) || !/^\p{Ll}/u.test(word),
  );
}

/** Recognised by its nouns, as in "Limitation of liability" and "Governing law", and by what no title has. */
function isNounPhrase(title: string): boolean {
  const hasNoun =
    /\p{L}(?:[ts]ions?|ments?|it(?:y|ies)|t(?:y|ies)|[ae]nces?|ship|ures?| law)$|\p{Ll} of \p{L}/u;
  return /^\p{Lu}/u.test(title) && hasNoun.test(title) && !OF_SENTENCE.test(title) && !hasVerb(title);
}

function wordsOf(text: string): string[] {
  return text.split(/[ \t]+/u);
}

function levelOf(number: string): number {
  return Math.min(6, number.split('.').filter((part) => part !== '' && part !== '0').length || 1);
}

function isBlank(line: TextLine | undefined): boolean {
  return line === undefined || line.text === '';
}

function plainTitle(title: string): string {
  const linked = title.replaceAll(/!?\[([^[\]]{0,200})\]\([^()]{0,500}\)/gu, '$1');
  return linked.replaceAll(/[*`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '').trim();
}

const MARKED = /^#{1,6}[ \t]+(?=\S)/u;
const EMPHASISED = /^(\*\*|__)(?=\S)(.*\S)\1$/u;
const PLAIN_UNDERLINE = /^(?:={3,200}|-{3,200})$/u;
const BARE = /^[\p{Lu}\p{Lt}\p{Lo}\p{N}].*[^\p{P}]$|^[\p{Lu}\p{Lt}\p{Lo}\p{N}].*[)\]"”»」]$/u;

/** Marked, underlined and emphasised ones, and short lines that stand alone. */
export function findHeadings(source: string): Place[] {
  const lines = linesWithoutRepeatedBlanks(source);
  return headingsOf(lines, (index) => plainHeadingAt(lines, index));
}

function plainHeadingAt(lines: readonly TextLine[], index: number): Place | null {
  const line = lines[index] as TextLine;
  const { text, start, end } = line;
  if (text.length > HEADING_LENGTH_MAX) {
    return null;
  }
  if (MARKED.test(text)) {
    const title = text.replace(MARKED, '').replace(CLOSING_MARKS, '').trim();
    return { title, start, end };
  }
  const [before, next, afterNext] = [lines[index - 1], lines[index + 1], lines[index + 2]];
  if ((before?.text ?? '') !== '' || !next) {
    return null;
  }
  if (PLAIN_UNDERLINE.test(next.text) && /\p{L}/u.test(text)) {
    return { title: text, start, end: next.end };
  }
  const title = EMPHASISED.exec(text)?.[2] ?? text;
  const standsAlone = next.text === '' && afterNext !== undefined;
  const isBare = title.length <= BARE_LENGTH_MAX && BARE.test(title) && /\p{L}/u.test(title);
  return standsAlone && isBare ? { title, start, end } : null;
}

/** `source.slice(start, end)` is the chunk, without white space around it. In UTF-16 units. */
interface Chunk {
  readonly start: number;
  readonly end: number;
  readonly heading: string | null;
}

/** In bytes of UTF-8, because their number per token is similar in every script: some 350 tokens of English. */
export const CHUNK_BYTES_MAX = 1_500;
/** Up to this many sections may be chunks of their own, however short. */
export const SHORT_SECTIONS_MAX = 100;
/** With more sections, chunks that begin at headings have at least this many bytes on average. */
export const SECTION_BYTES_MIN = 500;

interface Unit extends Chunk {
  readonly isHeading: boolean;
}

type Bytes = (start: number, end: number) => number;

interface OpenChunk extends Chunk {
  readonly isRest: boolean;
  readonly lastHeadings: Chunk | null;
}

/** At most SHORT_SECTIONS_MAX + 1 chunks and one for each SECTION_BYTES_MIN bytes, of whole sentences. Linear time. */
export function chunkText(source: string): Chunk[] {
  const bytesBefore = byteOffsets(source);
  const bytes = (start: number, end: number) => (bytesBefore[end] ?? 0) - (bytesBefore[start] ?? 0);
  const chunks: Chunk[] = [];
  let open: OpenChunk | null = null;
  const close = ({ start, end, heading }: Chunk) => chunks.push({ start, end, heading });
  for (const unit of unitsOf(source, bytes)) {
    if (open === null) {
      open = begunBy(unit);
    } else if (unit.isHeading && endsBefore(open, bytes, chunks.length)) {
      close(open);
      open = begunBy(unit);
    } else if (bytes(open.start, unit.end) <= CHUNK_BYTES_MAX) {
      open = grownBy(open, unit);
    } else {
      const carried = carriedHeadings(open, unit, bytes);
      close(carried ? { ...open, end: lastEnd(source, open.start, carried.start) } : open);
      open = carried
        ? grownBy(begunBy({ ...carried, isHeading: true }), unit)
        : { ...begunBy(unit), isRest: true };
    }
  }
  if (open) {
    close(open);
  }
  return chunks;
}

function endsBefore(open: OpenChunk, bytes: Bytes, chunksBefore: number): boolean {
  const mayBeShort =
    open.isRest || chunksBefore < SHORT_SECTIONS_MAX + bytes(0, open.start) / SECTION_BYTES_MIN;
  return !open.lastHeadings && (mayBeShort || bytes(open.start, open.end) >= SECTION_BYTES_MIN);
}

function carriedHeadings({ start, lastHeadings }: OpenChunk, unit: Unit, bytes: Bytes): Chunk | null {
  const isMovable = lastHeadings !== null && lastHeadings.start > start;
  return isMovable && bytes(lastHeadings.start, unit.end) <= CHUNK_BYTES_MAX ? lastHeadings : null;
}

function begunBy({ start, end, heading, isHeading }: Unit): OpenChunk {
  return { start, end, heading, isRest: false, lastHeadings: isHeading ? { start, end, heading } : null };
}

function grownBy(open: OpenChunk, { start, end, heading, isHeading }: Unit): OpenChunk {
  const first = open.lastHeadings ?? { start, heading };
  return { ...open, end, lastHeadings: isHeading ? { ...first, end } : null };
}

function lastEnd(source: string, start: number, end: number): number {
  return start + source.slice(start, end).trimEnd().length;
}

function unitsOf(source: string, bytes: Bytes): Unit[] {
  const units: Unit[] = [];
  const add = (from: number, to: number, unit: Pick<Unit, 'heading' | 'isHeading'>) => {
    for (const sentence of splitSentences(source.slice(from, to))) {
      for (const part of partsOf(source, from + sentence.start, from + sentence.end, bytes)) {
        units.push({ ...part, ...unit });
      }
    }
  };
  let from = 0;
  let heading: string | null = null;
  for (const { title, start, end } of findHeadings(source)) {
    add(from, start, { heading, isHeading: false });
    heading = title;
    add(start, end, { heading, isHeading: true });
    from = end;
  }
  add(from, source.length, { heading, isHeading: false });
  return units;
}

function partsOf(source: string, start: number, end: number, bytes: Bytes): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = [];
  let from = start;
  while (bytes(from, end) > CHUNK_BYTES_MAX) {
    let to = from + CHUNK_BYTES_MAX / 3;
    while (bytes(from, to + 1) <= CHUNK_BYTES_MAX) {
      to += 1;
    }
    const cut = lastCut(source, from, to);
    parts.push({ start: from, end: lastEnd(source, from, cut) });
    from = end - source.slice(cut, end).trimStart().length;
  }
  parts.push({ start: from, end });
  return parts.filter((part) => part.end > part.start);
}

function lastCut(source: string, from: number, to: number): number {
  for (let index = to; index > (from + to) / 2; index -= 1) {
    if (/\s/u.test(source[index - 1] ?? '')) {
      return index;
    }
  }
  return (source.codePointAt(to - 1) ?? 0) > 0xffff ? to - 1 : to;
}

function byteOffsets(source: string): Uint32Array {
  const offsets = new Uint32Array(source.length + 1);
  for (let index = 0; index < source.length; index += 1) {
    const unit = source.charCodeAt(index);
    const isHalf = unit >= 0xd800 && unit <= 0xdfff;
    const size = unit < 0x80 ? 1 : unit < 0x800 || isHalf ? 2 : 3;
    offsets[index + 1] = (offsets[index] ?? 0) + size;
  }
  return offsets;
}
