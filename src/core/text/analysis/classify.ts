import { contentStems } from '../content-stems';
import { splitSentences, type Sentence } from '../split-sentences';

/** A label of the caller's, and texts that belong to it. */
export interface Label {
  readonly name: string;
  readonly examples: readonly string[];
}

export interface Classification {
  /** Null where no label's words stand in the text, or two labels fit equally well. */
  readonly label: string | null;
  /** The sentences of the text in which the label's words stand, the best first; none where there is no label. */
  readonly evidence: Sentence[];
}

const EVIDENCE_MAX = 3;
/** The best label has to be so many times as good as the next one. */
const LEAD_MIN = 1.2;

/**
 * Which label a text belongs to, by the words that it shares with the label's name and examples. A word of several labels
 * counts less, one of all labels nothing. It knows no meanings: "car" and "automobile" have nothing in common.
 */
export function classification(text: string, labels: readonly Label[]): Classification {
  const words = labels.map(({ name, examples }) => new Set([name, ...examples].flatMap(contentStems)));
  const stems = new Set(contentStems(text));
  const scores = words.map((own) =>
    sum([...own].filter((stem) => stems.has(stem)).map((stem) => weight(stem, words))),
  );
  const [best = 0, next = 0] = [...scores].sort((one, other) => other - one);
  if (best === 0 || best < next * LEAD_MIN) {
    return { label: null, evidence: [] };
  }
  const index = scores.indexOf(best);
  return { label: labels[index]?.name ?? null, evidence: evidenceOf(text, words[index] ?? new Set(), words) };
}

function weight(stem: string, words: readonly ReadonlySet<string>[]): number {
  const labelsWith = words.filter((own) => own.has(stem)).length;
  return Math.log(words.length / labelsWith);
}

function evidenceOf(
  text: string,
  own: ReadonlySet<string>,
  words: readonly ReadonlySet<string>[],
): Sentence[] {
  return splitSentences(text)
    .map((sentence) => {
      const shared = [...new Set(contentStems(sentence.text))].filter((stem) => own.has(stem));
      return { sentence, score: sum(shared.map((stem) => weight(stem, words))) };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, EVIDENCE_MAX)
    .map(({ sentence }) => sentence);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
