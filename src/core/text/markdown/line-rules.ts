import { splitSentences } from '../split-sentences';
import { writtenWords } from '../analysis/written-words';
import type { PlacedFault } from './lint-finding';
import type { MarkdownPage } from './markdown-page';
import { blanked, fenceIn, type PageLine } from './page-lines';

/** In UTF-16 units. */
const LINE_LENGTH_MAX = 500;
const SENTENCE_WORDS_MAX = 40;
const SPACES_AT_END = /[ \t]+$/u;
/** Marks of unfinished work, written apart because our own sources may not have them. */
const UNFINISHED = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(?:TO${'DO'}|FIX${'ME'}|TBD|XXX|[Ll]orem ipsum)(?![\\p{L}\\p{N}_-])`,
  'gu',
);
const MARKED_HEADING = /^ {0,3}#{1,6}[ \t]/u;

/** Faults of a page's lines: spaces, fences, lengths, and marks of unfinished work. */
export function lineFaults(page: MarkdownPage): PlacedFault[] {
  return [...spaces(page), ...fences(page), ...longLines(page), ...longSentences(page), ...unfinished(page)];
}

function spaces({ lines }: MarkdownPage): PlacedFault[] {
  return lines.flatMap(({ text, kind, start, end }) => {
    const run = kind === 'code' || !/[ \t]$/u.test(text) ? '' : text.slice(text.trimEnd().length);
    const isBreak = run === '  ' && kind === 'text';
    return run === '' || isBreak || !SPACES_AT_END.test(run)
      ? []
      : [
          {
            ...{ rule: 'trailing_spaces' as const, start: end - run.length, end },
            message: start + run.length === end ? 'The line has only spaces.' : 'The line ends in spaces.',
          },
        ];
  });
}

function fences({ lines }: MarkdownPage): PlacedFault[] {
  const faults: PlacedFault[] = [];
  let open: PageLine | null = null;
  for (const line of lines) {
    if (line.kind !== 'fence') {
      continue;
    }
    if (open !== null) {
      open = null;
      continue;
    }
    open = line;
    if ((fenceIn(line.text)?.info ?? '').trim() === '') {
      const message = 'The code has no language, such as `sh` or `text`.';
      faults.push({ rule: 'fence_without_language', start: line.start, end: line.end, message });
    }
  }
  if (open !== null) {
    const message = 'The code is never closed: the rest of the page is code.';
    faults.push({ rule: 'fence_not_closed', start: open.start, end: open.end, message });
  }
  return faults;
}

function longLines({ lines }: MarkdownPage): PlacedFault[] {
  return lines
    .filter(({ kind, text }) => kind === 'text' && text.length > LINE_LENGTH_MAX)
    .map(({ text, start, end }) => ({
      ...{ rule: 'long_line' as const, start, end },
      message: `The line has ${text.length} characters; changes of shorter ones are easier to review.`,
    }));
}

/** Sentences of paragraphs; tables and headings have none. */
function longSentences({ lines, plain }: MarkdownPage): PlacedFault[] {
  const apart = lines.filter(({ kind, text }) => kind === 'table' || MARKED_HEADING.test(text));
  return splitSentences(blanked(plain, apart)).flatMap(({ text, start, end }) => {
    const count = text.length < 2 * SENTENCE_WORDS_MAX ? 0 : [...writtenWords(text)].length;
    const message = `The sentence has ${count} words; more than ${SENTENCE_WORDS_MAX} are hard to follow.`;
    return count > SENTENCE_WORDS_MAX ? [{ rule: 'long_sentence' as const, start, end, message }] : [];
  });
}

function unfinished({ plain }: MarkdownPage): PlacedFault[] {
  return [...plain.matchAll(UNFINISHED)].map(({ 0: mark, index }) => ({
    ...{ rule: 'unfinished' as const, start: index, end: index + mark.length },
    message: `"${mark}" says that something is missing here.`,
  }));
}
