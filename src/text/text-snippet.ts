import { stemmer } from 'stemmer';
import { firstNot } from './places';
import { foldedRun, wordRuns, type WordRun } from './searchable-text';

export const SNIPPET_LENGTH_MAX = 300;
/** In UTF-16 units. Longer runs would slow Porter's regular expressions. */
const STEMMED_LENGTH_MAX = 40;

export interface TextSnippet {
  text: string;
  /** In UTF-16 units, in order, never adjacent. */
  highlights: { start: number; end: number }[];
}

interface Match extends WordRun {
  readonly meaning: string;
}

/** Linear time. @param wanted as `searchableText` writes words, or English stems @param isStemmed for English */
export function textSnippet(text: string, wanted: readonly string[], isStemmed: boolean): TextSnippet {
  const runs = [...wordRuns(text)];
  const matches = matchesAmong(runs, wanted, isStemmed);
  const best = bestWindow(matches);
  const first = matches[best.from];
  const [start, end] = first
    ? around(text, runs, first.start, best.end)
    : trimmed(text, 0, endBefore(text, runs, 0));
  const highlights: TextSnippet['highlights'] = [];
  for (const match of matches.filter((each) => each.start >= start && each.end <= end)) {
    const previous = highlights.at(-1);
    if (previous?.end === match.start - start) {
      previous.end = match.end - start;
    } else {
      highlights.push({ start: match.start - start, end: match.end - start });
    }
  }
  return { text: text.slice(start, end), highlights };
}

function matchesAmong(runs: readonly WordRun[], wanted: readonly string[], isStemmed: boolean): Match[] {
  const meaningOf = (word: string) => (isStemmed && word.length <= STEMMED_LENGTH_MAX ? stemmer(word) : word);
  const exact = new Map(wanted.map((word) => [word, meaningOf(word)]));
  const meanings = new Set(exact.values());
  const known = new Map<string, string | null>();
  const meaningOfRun = (written: string): string | null => {
    for (const word of foldedRun(written).split(' ')) {
      const meaning = exact.get(word) ?? meaningOf(word);
      if (meanings.has(meaning)) {
        return meaning;
      }
    }
    return null;
  };
  const matches: Match[] = [];
  for (const run of runs.filter(({ written }) => written.length <= SNIPPET_LENGTH_MAX)) {
    let meaning = known.get(run.written);
    if (meaning === undefined) {
      meaning = meaningOfRun(run.written);
      known.set(run.written, meaning);
    }
    if (meaning !== null) {
      matches.push({ ...run, meaning });
    }
  }
  return matches;
}

/** Most meanings within 300 characters, then most matches, then the earliest. */
function bestWindow(matches: readonly Match[]): { from: number; end: number } {
  const counts = new Map<string, number>();
  let best = { from: 0, end: matches[0]?.end ?? 0, meanings: 0, count: 0 };
  let from = 0;
  for (const [to, last] of matches.entries()) {
    counts.set(last.meaning, (counts.get(last.meaning) ?? 0) + 1);
    while (from < to && last.end - (matches[from]?.start ?? 0) > SNIPPET_LENGTH_MAX) {
      const { meaning } = matches[from] as Match;
      const count = (counts.get(meaning) ?? 0) - 1;
      if (count === 0) {
        counts.delete(meaning);
      } else {
        counts.set(meaning, count);
      }
      from += 1;
    }
    const count = to - from + 1;
    if (counts.size > best.meanings || (counts.size === best.meanings && count > best.count)) {
      best = { from, end: last.end, meanings: counts.size, count };
    }
  }
  return best;
}

function around(text: string, runs: readonly WordRun[], first: number, last: number): [number, number] {
  const room = Math.max(0, SNIPPET_LENGTH_MAX - (last - first));
  const wantedEnd = Math.min(text.length, last + Math.ceil(room / 2));
  const wantedStart = Math.max(0, Math.min(first, wantedEnd - SNIPPET_LENGTH_MAX));
  const start =
    wantedStart === 0 ? 0 : Math.min(first, (runs[runAt(runs, wantedStart)] ?? { start: first }).start);
  return trimmed(text, start, endBefore(text, runs, start));
}

function endBefore(text: string, runs: readonly WordRun[], start: number): number {
  const end = Math.min(text.length, start + SNIPPET_LENGTH_MAX);
  const cut = runs[runAt(runs, end) - 1];
  const isInWord = cut !== undefined && cut.start < end && end < cut.end;
  const whole = isInWord && cut.start > start ? cut.start : end;
  const isInPair = /^[\uDC00-\uDFFF]/.test(text.slice(whole, whole + 1));
  return isInPair ? whole - 1 : whole;
}

function trimmed(text: string, start: number, end: number): [number, number] {
  const part = text.slice(start, end);
  const from = start + part.length - part.trimStart().length;
  return [from, Math.max(from, start + part.trimEnd().length)];
}

function runAt(runs: readonly WordRun[], place: number): number {
  return firstNot(runs, ({ start }) => start < place);
}
