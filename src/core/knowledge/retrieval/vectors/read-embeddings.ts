import { isObject } from '../../../../infrastructure/json/json-object';

/** The most numbers of a vector that are stored. */
export const DIMENSIONS_MAX = 4096;

/**
 * The vectors of an answer to a request for embeddings, in the order of the texts and brought to length 1. An upstream
 * may have sent anything: null unless there is exactly one vector for each text, all with equally many finite numbers,
 * 1 to 4096, of which one at least is not zero. Vectors may be numbers or base64 of little-endian 32-bit floats.
 */
export function readEmbeddings(data: unknown, texts: number): Float32Array[] | null {
  if (!Array.isArray(data) || data.length !== texts) {
    return null;
  }
  const vectors: Float32Array[] = [];
  for (const [position, entry] of (data as unknown[]).entries()) {
    const index = isObject(entry) && typeof entry.index === 'number' ? entry.index : position;
    const vector = isObject(entry) ? unitVector(numbersOf(entry.embedding)) : null;
    if (vector === null || !Number.isInteger(index) || index < 0 || index >= texts || vectors[index]) {
      return null;
    }
    vectors[index] = vector;
  }
  return vectors.every(({ length }) => length === vectors[0]?.length) ? vectors : null;
}

function numbersOf(embedding: unknown): Float32Array | null {
  if (typeof embedding === 'string') {
    const bytes = new Uint8Array(Buffer.from(embedding, 'base64'));
    return bytes.length % 4 === 0 ? new Float32Array(bytes.buffer) : null;
  }
  if (!Array.isArray(embedding) || embedding.length > DIMENSIONS_MAX) {
    return null;
  }
  return embedding.every((number) => typeof number === 'number') ? Float32Array.from(embedding) : null;
}

function unitVector(numbers: Float32Array | null): Float32Array | null {
  if (numbers === null || numbers.length === 0 || numbers.length > DIMENSIONS_MAX) {
    return null;
  }
  const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
  return Number.isFinite(length) && length > 0 ? numbers.map((number) => number / length) : null;
}
