/** The wire format of embeddings. Source: OpenAI's API reference, "Embeddings". */
export interface EmbeddingRequest {
  readonly model: string;
  /** A text, several texts, one text as a list of tokens, or several such lists. */
  readonly input: string | readonly (string | number | readonly number[])[];
  readonly encoding_format?: 'float' | 'base64' | null;
  readonly dimensions?: number | null;
  readonly [field: string]: unknown;
}

/** The answer to a request for embeddings. */
export interface EmbeddingResponse {
  object: 'list';
  data: EmbeddedInput[];
  /** The model that really answered. */
  model: string;
  usage: { prompt_tokens: number; total_tokens: number; [field: string]: unknown };
  [field: string]: unknown;
}

/** The vector of one input. */
export interface EmbeddedInput {
  object: 'embedding';
  index: number;
  /** Numbers, or the base64 of little-endian 32-bit floats, as `encoding_format` asked. */
  embedding: number[] | string;
  [field: string]: unknown;
}
