import { stemmer } from 'stemmer';

/** Includes words of questions ("how many", "tell me"), because an answer need not contain them. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above according after again against all also am an and any are as at be because been before being below
  between both but by can could did do does doing don down during each either else ever few for from further had has
  have having he her here hers herself him himself his how however i if in into is it its itself just let ll me might
  more most must my myself no nor not now of off on once only or other our ours ourselves out over own please re s same
  shall she should so some such t than that the their theirs them themselves then there these they this those through
  thus to too under until up upon us ve very was we were what when where whether which while who whom whose why will
  with within without would yet you your yours yourself yourselves
  answer briefly describe exactly explain far find give kind list long many mean mention much name passage question
  say show sort tell text`.split(/\s+/),
);

/** Bounded, because Porter's regular expressions are slow on a megabyte of one letter. */
const WORD = /[\p{L}\p{M}\p{N}]{1,40}/gu;

function words(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

/** Without stop words, with repetitions. Source: Porter, "An algorithm for suffix stripping", 1980. */
export function contentStems(text: string): string[] {
  return words(text)
    .filter((each) => !STOP_WORDS.has(each))
    .map((each) => stemmer(each));
}

const WORD_WEIGHT = 1;
const WORD_PAIR_WEIGHT = 0.5;
const CHARACTER_GRAM_WEIGHT = 0.25;
const CHARACTER_GRAM_SIZES = [3, 4, 5];

/** Of length 1. Source: Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", 2009. */
export function hashedVector(text: string, dimensions: number): Float32Array {
  const vector = new Float64Array(dimensions);
  for (const [hash, { count, weight }] of features(text)) {
    const sign = hash & 1 ? 1 : -1;
    const dimension = (hash >>> 1) % dimensions;
    vector[dimension] = (vector[dimension] ?? 0) + sign * weight * (1 + Math.log(count));
  }
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  // With few dimensions opposite signs may cancel out to zero.
  if (length === 0) {
    return new Float32Array(dimensions).fill(1 / Math.sqrt(dimensions));
  }
  return Float32Array.from(vector, (value) => value / length);
}

type Features = Map<number, { count: number; weight: number }>;

function features(text: string): Features {
  const found: Features = new Map();
  let previous = '';
  for (const word of words(text)) {
    const stem = stemmer(word);
    if (STOP_WORDS.has(word)) {
      add(found, `w:${stem}`, CHARACTER_GRAM_WEIGHT);
      continue;
    }
    add(found, `w:${stem}`, WORD_WEIGHT);
    addCharacterGrams(found, `<${word}>`);
    if (previous !== '') {
      add(found, `p:${previous} ${stem}`, WORD_PAIR_WEIGHT);
    }
    previous = stem;
  }
  if (found.size === 0) {
    add(found, `t:${text}`, WORD_WEIGHT);
  }
  return found;
}

function addCharacterGrams(found: Features, word: string): void {
  for (const size of CHARACTER_GRAM_SIZES) {
    for (let start = 0; start + size <= word.length; start += 1) {
      add(found, `c:${word.slice(start, start + size)}`, CHARACTER_GRAM_WEIGHT);
    }
  }
}

function add(found: Features, feature: string, weight: number): void {
  const hash = hash32(feature);
  const known = found.get(hash);
  if (known) {
    known.count += 1;
  } else {
    found.set(hash, { count: 1, weight });
  }
}

/** FNV-1a over UTF-16 units, finished with MurmurHash3's mixer, because the low bits of FNV alone follow patterns. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
