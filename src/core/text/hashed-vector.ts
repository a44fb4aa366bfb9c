import { stemmer } from 'stemmer';
import { words } from './content-stems';
import { STOP_WORDS } from './stop-words';

const WORD_WEIGHT = 1;
const WORD_PAIR_WEIGHT = 0.5;
const CHARACTER_GRAM_WEIGHT = 0.25;
const CHARACTER_GRAM_SIZES = [3, 4, 5];

/**
 * A vector of length 1 for a text. Its features are the stems, the neighbouring pairs of stems and the character
 * n-grams of the words; each is hashed to a dimension and a sign, and weighs by the logarithm of its count. Texts are
 * similar by their spelling, not by their meaning.
 * Source: Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", 2009.
 */
export function hashedVector(text: string, dimensions: number): Float32Array {
  const vector = new Float64Array(dimensions);
  for (const [hash, { count, weight }] of features(text)) {
    const sign = hash & 1 ? 1 : -1;
    const dimension = (hash >>> 1) % dimensions;
    vector[dimension] = (vector[dimension] ?? 0) + sign * weight * (1 + Math.log(count));
  }
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  // With few dimensions opposite signs may cancel out to zero, but callers are promised a vector of length 1.
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
    const subject = !STOP_WORDS.has(word);
    const stem = stemmer(word);
    if (subject) {
      add(found, `w:${stem}`, WORD_WEIGHT);
      addCharacterGrams(found, `<${word}>`);
    } else {
      add(found, `w:${stem}`, CHARACTER_GRAM_WEIGHT);
    }
    if (subject && previous !== '') {
      add(found, `p:${previous} ${stem}`, WORD_PAIR_WEIGHT);
    }
    if (subject) {
      previous = stem;
    }
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
