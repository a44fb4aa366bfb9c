/** The vectors of an account that can be compared with each other. */
export interface VectorSpace {
  readonly accountId: string;
  readonly model: string;
  readonly dimensions: number;
}

/** Which documents' chunks are looked for; null means no condition. */
export interface DocumentConditions {
  readonly collection: string | null;
  /** The metadata of a chunk's document has to contain all of this. */
  readonly filter: Record<string, unknown> | null;
}

/** What is searched for in a space. */
export interface SimilarOrder extends DocumentConditions {
  /** Of length 1, with the dimensions of the space. */
  readonly vector: Float32Array;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** A chunk that was found, and the cosine of the angle between its vector and the query's. */
export interface SimilarChunk {
  readonly chunkId: string;
  readonly similarity: number;
}
