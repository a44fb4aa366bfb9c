/** A function of the calculator: how many numbers it takes, and what it makes of them. */
export interface CalculatorFunction {
  readonly arity: number;
  readonly apply: (...numbers: number[]) => number;
}

/** A map and no object: `constructor` is no function of a calculator. */
export const FUNCTIONS: ReadonlyMap<string, CalculatorFunction> = new Map<string, CalculatorFunction>([
  ['sqrt', { arity: 1, apply: Math.sqrt }],
  ['abs', { arity: 1, apply: Math.abs }],
  ['round', { arity: 1, apply: Math.round }],
  ['floor', { arity: 1, apply: Math.floor }],
  ['ceil', { arity: 1, apply: Math.ceil }],
  ['exp', { arity: 1, apply: Math.exp }],
  ['ln', { arity: 1, apply: Math.log }],
  ['log10', { arity: 1, apply: Math.log10 }],
  ['sin', { arity: 1, apply: Math.sin }],
  ['cos', { arity: 1, apply: Math.cos }],
  ['tan', { arity: 1, apply: Math.tan }],
  ['min', { arity: 2, apply: Math.min }],
  ['max', { arity: 2, apply: Math.max }],
]);

export const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
]);
