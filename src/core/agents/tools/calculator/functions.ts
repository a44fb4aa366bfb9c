/** A function of the calculator: how many numbers it takes, and how its value is calculated. */
export interface CalculatorFunction {
  readonly arity: number;
  readonly apply: (...numbers: number[]) => number;
}

/** The functions by name. This is a map because a plain object also has members such as `constructor`. */
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

/** The constants by name. */
export const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
]);
