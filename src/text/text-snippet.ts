import { stemmer } from 'stemmer';
import { firstNot } from './places';
import { foldedRun, wordRuns } from './searchable-text';

export const SNIPPET_LENGTH_MAX = 300;
/** In UTF-16 units. Longer runs would slow Porter's regular expressions. */
const STEMMED_LENGTH_MAX = 40;

export interface TextSnippet {
  text: string;
  /** In UTF-16 units, in order, never adjacent. */
  highlights: { start: number; end: number }[];
}

interface Match {
  readonly start: number;
  readonly end: number;
  readonly meaning: string;
}

/** Linear time. @param wanted as `searchableText` writes words, or English stems @param isStemmed for English */
export function textSnippet(text: string, wanted: readonly string[], isStemmed: boolean): TextSnippet {
  const runs: Places = { starts: [], ends: [] };
  const matches = matchesIn(text, runs, wanted, isStemmed);
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

/** Of all words. Numbers cost the collector of garbage nothing, where a long text's words would cost most of the time. */
interface Places {
  readonly starts: number[];
  readonly ends: number[];
}

/** @param runs takes the places of all words */
function matchesIn(text: string, runs: Places, wanted: readonly string[], isStemmed: boolean): Match[] {
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
  for (const { start, end, written } of wordRuns(text)) {
    runs.starts.push(start);
    runs.ends.push(end);
    let meaning = known.get(written);
    if (meaning === undefined) {
      meaning = end - start <= SNIPPET_LENGTH_MAX ? meaningOfRun(written) : null;
      known.set(written, meaning);
    }
    if (meaning !== null) {
      matches.push({ start, end, meaning });
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

function around(text: string, runs: Places, first: number, last: number): [number, number] {
  const room = Math.max(0, SNIPPET_LENGTH_MAX - (last - first));
  const wantedEnd = Math.min(text.length, last + Math.ceil(room / 2));
  const wantedStart = Math.max(0, Math.min(first, wantedEnd - SNIPPET_LENGTH_MAX));
  const start = wantedStart === 0 ? 0 : Math.min(first, runs.starts[runAt(runs, wantedStart)] ?? first);
  return trimmed(text, start, endBefore(text, runs, start));
}

function endBefore(text: string, runs: Places, start: number): number {
  const end = Math.min(text.length, start + SNIPPET_LENGTH_MAX);
  const cut = runAt(runs, end) - 1;
  const cutStart = runs.starts[cut] ?? 0;
  const whole = end < (runs.ends[cut] ?? 0) && cutStart > start ? cutStart : end;
  const isInPair = /^[\uDC00-\uDFFF]/.test(text.slice(whole, whole + 1));
  return isInPair ? whole - 1 : whole;
}

function trimmed(text: string, start: number, end: number): [number, number] {
  const part = text.slice(start, end);
  const from = start + part.length - part.trimStart().length;
  return [from, Math.max(from, start + part.trimEnd().length)];
}

function runAt({ starts }: Places, place: number): number {
  return firstNot(starts, (start) => start < place);
}
