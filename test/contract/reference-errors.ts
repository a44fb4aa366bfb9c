/**
 * The reference's "Errors" and "Limits" as one table: the texts per status, the headers and the limits that it names.
 * Transcribed by hand and taken from nowhere else, so that the document and the service are both held to it.
 */

/** `error` of the answers to a missing, an invalid and an expired credential, by the kind that an operation asks for. */
export const UNAUTHORIZED = {
  key: { missing: 'Missing API key', invalid: 'Invalid API key', expired: 'API key expired' },
  // The reference gives texts for keys alone; those for tokens are ours, after the same pattern.
  jwt: { missing: 'Missing token', invalid: 'Invalid token', expired: 'Token expired' },
} as const;

/** `error` by status, where the reference names one. */
export const ERRORS = {
  402: ['Insufficient credits', 'Spending limit exceeded'],
  403: ['Access denied'],
  404: ['Not Found'],
  429: ['Rate limit exceeded'],
} as const;

/** What the reference calls the error body of a validation error. */
export const VALIDATION_ERROR = /validation error/i;

/** Members of error bodies: of every one, and those that a status adds. */
export const ERROR_MEMBERS = ['error', 'message', 'request_id', 'timestamp'] as const;
export const ADDED_MEMBERS: Record<number, readonly string[]> = {
  400: ['details'],
  429: ['retry_after', 'limit', 'window'],
};

export const RATE_LIMIT_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Window',
] as const;
/** Beside the headers above, on 429. */
export const RETRY_HEADER = 'Retry-After';
export const COST_HEADERS = ['X-Request-Cost', 'X-Tokens-Used', 'X-Balance-Remaining'] as const;

/** Requests per second, minute, hour and day of the tiers. */
export const TIERS = {
  free: { second: 1, minute: 10, hour: 100, day: 1_000 },
  basic: { second: 5, minute: 100, hour: 1_000, day: 10_000 },
  pro: { second: 20, minute: 1_000, hour: 10_000, day: 100_000 },
} as const;

/** The share of the tier's rate that a class of operations may use, and how the reference calls the class. */
export const RATE_CLASSES = {
  health: { title: 'Health checks', multiplier: null },
  read: { title: 'Read operations', multiplier: 1 },
  write: { title: 'Write operations', multiplier: 0.5 },
  llm: { title: 'LLM generation', multiplier: 0.2 },
  heavy: { title: 'Heavy processing', multiplier: 0.1 },
} as const;

/** Base price and price per token of the operation types, USD. */
export const PRICES = {
  memory_operation: ['Memory operations', '0.0001', null],
  chat_completion: ['Chat completion', '0.0020', '0.00001'],
  rag_generation: ['RAG generation', '0.0030', '0.00001'],
  omm_processing: ['OMM processing', '0.0030', '0.00002'],
  legal_analysis: ['Legal analysis', '0.0050', '0.00003'],
} as const;
