import { alignedSentences } from './aligned-sentences';
import { commonWords, comparedSentences, likeness, type ComparedSentence } from './compared-sentences';

/** A sentence that only one text has, or that was changed. Places are in UTF-16 units of each text. */
export interface TextChange {
  readonly kind: 'added' | 'removed' | 'changed';
  /** The sentence as it was; null where it was added. */
  readonly before: string | null;
  /** The sentence as it is; null where it was removed. */
  readonly after: string | null;
  /** Start and end are the same, where the sentence would stand, in the text that does not have it. */
  readonly beforeStart: number;
  readonly beforeEnd: number;
  readonly afterStart: number;
  readonly afterEnd: number;
}

export interface TextChanges {
  /** 0 to 1: the share of the words of both texts that stand in sentences, or parts of them, that both have. */
  readonly similarity: number;
  /** In the order of the texts. */
  readonly changes: TextChange[];
}

/** Two sentences less alike are not one that was changed, but one that was removed and one that was added. */
const LIKENESS_MIN = 0.4;
/** In pairs of sentences. Blocks of more are paired by looking a few sentences ahead. */
const EXACT_PAIRS_MAX = 4_096;
const LOOK_AHEAD = 4;

/**
 * What differs between two texts, sentence by sentence; white space doesn't count. A sentence that moved is removed in one
 * place and added in another.
 */
export function textChanges(before: string, after: string): TextChanges {
  const [old, young] = [comparedSentences(before), comparedSentences(after)];
  const ids = new Map<string, number>();
  const idOf = ({ key }: ComparedSentence) => ids.get(key) ?? ids.set(key, ids.size).size - 1;
  const tally = new Tally(old, young);
  let block: Block = { removed: [], added: [] };
  for (const pair of alignedSentences(old.map(idOf), young.map(idOf))) {
    const [was, is] = [old[pair.before ?? -1], young[pair.after ?? -1]];
    if (was && is) {
      tally.addBlock(block);
      tally.addSame(was, is);
      block = { removed: [], added: [] };
    } else if (was) {
      block.removed.push(was);
    } else if (is) {
      block.added.push(is);
    }
  }
  tally.addBlock(block);
  return tally.result();
}

/** Sentences between two that both texts have. */
interface Block {
  readonly removed: ComparedSentence[];
  readonly added: ComparedSentence[];
}

type Pair = readonly [was: ComparedSentence | null, is: ComparedSentence | null];

/** Collects the changes in the order of the texts. */
class Tally {
  private readonly changes: TextChange[] = [];
  private readonly wordsOfBoth: number;
  private wordsInCommon = 0;
  private beforeEnd = 0;
  private afterEnd = 0;

  constructor(old: readonly ComparedSentence[], young: readonly ComparedSentence[]) {
    this.wordsOfBoth = [...old, ...young].reduce((sum, { wordCount }) => sum + wordCount, 0);
  }

  addSame(was: ComparedSentence, is: ComparedSentence): void {
    this.wordsInCommon += was.wordCount;
    [this.beforeEnd, this.afterEnd] = [was.end, is.end];
  }

  addBlock(block: Block): void {
    for (const [was, is] of pairsOf(block)) {
      if (was && is && was.key === is.key) {
        this.addSame(was, is);
        continue;
      }
      this.wordsInCommon += was && is ? commonWords(was, is) : 0;
      this.changes.push({
        kind: was === null ? 'added' : is === null ? 'removed' : 'changed',
        before: was?.text ?? null,
        after: is?.text ?? null,
        beforeStart: was?.start ?? this.beforeEnd,
        beforeEnd: was?.end ?? this.beforeEnd,
        afterStart: is?.start ?? this.afterEnd,
        afterEnd: is?.end ?? this.afterEnd,
      });
      [this.beforeEnd, this.afterEnd] = [was?.end ?? this.beforeEnd, is?.end ?? this.afterEnd];
    }
  }

  result(): TextChanges {
    const { changes, wordsOfBoth } = this;
    if (changes.length === 0) {
      return { similarity: 1, changes };
    }
    // Cut, and never 1: texts that differ in a mark only have all words in common.
    const share = wordsOfBoth === 0 ? 0 : (2 * this.wordsInCommon) / wordsOfBoth;
    return { similarity: Math.min(0.9999, Math.floor(share * 10_000) / 10_000), changes };
  }
}

function pairsOf({ removed, added }: Block): Pair[] {
  const isSmall = removed.length * added.length <= EXACT_PAIRS_MAX;
  return isSmall ? bestPairs(removed, added) : nearPairs(removed, added);
}

/** The pairs, in order, whose likeness is the greatest together. */
function bestPairs(removed: readonly ComparedSentence[], added: readonly ComparedSentence[]): Pair[] {
  const width = added.length + 1;
  const best = new Float64Array((removed.length + 1) * width);
  const alike = new Float64Array(best.length);
  for (let row = removed.length - 1; row >= 0; row -= 1) {
    for (let column = added.length - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      const score = likeness(removed[row] as ComparedSentence, added[column] as ComparedSentence);
      alike[at] = score >= LIKENESS_MIN ? score : 0;
      const paired = alike[at] > 0 ? alike[at] + (best[at + width + 1] ?? 0) : 0;
      best[at] = Math.max(paired, best[at + width] ?? 0, best[at + 1] ?? 0);
    }
  }
  const pairs: Pair[] = [];
  let [row, column] = [0, 0];
  while (row < removed.length || column < added.length) {
    const at = row * width + column;
    const [was, is] = [removed[row] ?? null, added[column] ?? null];
    if (was && is && alike[at] && best[at] === alike[at] + (best[at + width + 1] ?? 0)) {
      pairs.push([was, is]);
      [row, column] = [row + 1, column + 1];
    } else if (was && (!is || best[at] === best[at + width])) {
      pairs.push([was, null]);
      row += 1;
    } else {
      pairs.push([null, is]);
      column += 1;
    }
  }
  return pairs;
}

function nearPairs(removed: readonly ComparedSentence[], added: readonly ComparedSentence[]): Pair[] {
  const pairs: Pair[] = [];
  let next = 0;
  for (const was of removed) {
    const near = added.slice(next, next + LOOK_AHEAD);
    const at = near.findIndex((is) => likeness(was, is) >= LIKENESS_MIN);
    pairs.push(...near.slice(0, Math.max(0, at)).map((is): Pair => [null, is]));
    pairs.push([was, near[at] ?? null]);
    next += at + 1;
  }
  for (const is of added.slice(next)) {
    pairs.push([null, is]);
  }
  return pairs;
}
