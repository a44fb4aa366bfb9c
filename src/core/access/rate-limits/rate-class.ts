/** How much work an operation makes. Each operation's policy in the OpenAPI document names its class. */
export type RateClass = 'health' | 'read' | 'write' | 'llm' | 'heavy';

/**
 * The share of a tier's rate that the operations of each class may use; null means that the class is not limited.
 * Source: reference, "Rate limits", per-endpoint multipliers.
 */
export const RATE_MULTIPLIERS: Readonly<Record<RateClass, number | null>> = Object.freeze({
  health: null,
  read: 1,
  write: 0.5,
  llm: 0.2,
  heavy: 0.1,
});
