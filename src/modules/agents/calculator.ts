import { type AgentTool, ToolFault } from './agent-tools';

type Apply = (...numbers: number[]) => number;

interface CalculatorFunction {
  readonly arity: number;
  readonly apply: Apply;
}

const { sqrt, abs, round, floor, ceil, exp, log: ln, log10, sin, cos, tan, min, max } = Math;

/** The functions by name. This is a map because a plain object also has members such as `constructor`. */
const FUNCTIONS: ReadonlyMap<string, CalculatorFunction> = new Map([
  ...ofArity(1, { sqrt, abs, round, floor, ceil, exp, ln, log10, sin, cos, tan }),
  ...ofArity(2, { min, max }),
]);

function ofArity(arity: number, named: Record<string, Apply>): [string, CalculatorFunction][] {
  return Object.entries(named).map(([name, apply]) => [name, { arity, apply }]);
}

const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
]);

type ExpressionToken =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name' | 'symbol'; readonly text: string };

/** No two alternatives begin with the same character, so the expression never has to go back and takes linear time. */
const TOKEN =
  /\s*(?:(?<number>\d+(?:\.\d*)?|\.\d+)(?<exponent>[eE][+-]?\d+)?|(?<name>[a-zA-Z]\w*)|(?<symbol>[-+*/%^(),]))/y;

function tokenizeExpression(text: string): ExpressionToken[] {
  const expression = text.trim().replaceAll('**', '^').replaceAll('×', '*').replaceAll('÷', '/');
  const tokens: ExpressionToken[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.length) {
    const position = TOKEN.lastIndex;
    const groups = TOKEN.exec(expression)?.groups;
    if (!groups) {
      throw new ToolFault(`Nothing can be made of "${expression.slice(position).trim().slice(0, 20)}".`);
    }
    const { number, exponent = '', name, symbol } = groups;
    if (number !== undefined) {
      tokens.push({ kind: 'number', value: Number(number + exponent) });
    } else if (name !== undefined) {
      tokens.push({ kind: 'name', text: name.toLowerCase() });
    } else {
      tokens.push({ kind: 'symbol', text: symbol ?? '' });
    }
  }
  return tokens;
}

const EXPRESSION_LENGTH_MAX = 1_000;
/** Further digits of a double may be rounding errors: 0.1 + 0.2 would be 0.30000000000000004. */
const SIGNIFICANT_DIGITS = 15;

/** Dijkstra's shunting-yard algorithm: linear time, and no recursion, whose stack nested parentheses could overflow. */
export function evaluateExpression(text: string): number {
  if (text.length > EXPRESSION_LENGTH_MAX) {
    throw new ToolFault(`The expression is longer than ${EXPRESSION_LENGTH_MAX} characters.`);
  }
  const evaluation = new Evaluation();
  for (const token of tokenizeExpression(text)) {
    evaluation.take(token);
  }
  return Number(evaluation.end().toPrecision(SIGNIFICANT_DIGITS));
}

interface Operator {
  readonly precedence: number;
  readonly isRightAssociative?: boolean;
  readonly apply: (left: number, right: number) => number;
}

const BINARY: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['+', { precedence: 1, apply: (left, right) => left + right }],
  ['-', { precedence: 1, apply: (left, right) => left - right }],
  ['*', { precedence: 2, apply: (left, right) => left * right }],
  ['/', { precedence: 2, apply: (left, right) => left / divisor(right) }],
  ['%', { precedence: 2, apply: (left, right) => left % divisor(right) }],
  ['^', { precedence: 4, isRightAssociative: true, apply: (left, right) => left ** right }],
]);
const SIGN_PRECEDENCE = 3;

type Waiting =
  | { readonly kind: 'binary'; readonly operator: Operator }
  | { readonly kind: 'sign'; readonly factor: 1 | -1 }
  | { readonly kind: 'group'; readonly of: CalculatorFunction | null; separators: number };

class Evaluation {
  private readonly values: number[] = [];
  private readonly waiting: Waiting[] = [];
  /** Whether a value has to come next; otherwise an operator, a comma or a closing parenthesis has to. */
  private expectsValue = true;
  /** The function whose name was just read: its opening parenthesis has to come next. */
  private named: CalculatorFunction | null = null;

  take(token: ExpressionToken): void {
    if (this.named && !(token.kind === 'symbol' && token.text === '(')) {
      throw new ToolFault('A function needs a parenthesis behind its name.');
    }
    if (token.kind === 'number') {
      this.takeValue(token.value);
    } else if (token.kind === 'name') {
      this.takeName(token.text);
    } else if (token.text === '(') {
      this.open();
    } else if (token.text === ')') {
      this.close();
    } else if (token.text === ',') {
      this.separate();
    } else {
      this.takeOperator(token.text);
    }
  }

  end(): number {
    if (this.expectsValue || this.named) {
      throw new ToolFault('The expression ends too early.');
    }
    this.applyAbove(0);
    const [value] = this.values;
    if (this.waiting.length > 0 || value === undefined) {
      throw new ToolFault('A parenthesis is not closed.');
    }
    return value;
  }

  private takeValue(value: number): void {
    if (!this.expectsValue) {
      throw new ToolFault('There is no operator between two values.');
    }
    this.values.push(finite(value));
    this.expectsValue = false;
  }

  private takeName(name: string): void {
    const constant = CONSTANTS.get(name);
    const called = FUNCTIONS.get(name);
    if (constant !== undefined) {
      return this.takeValue(constant);
    }
    if (!called) {
      throw new ToolFault(`There is no function "${name.slice(0, 20)}".`);
    }
    if (!this.expectsValue) {
      throw new ToolFault('There is no operator between two values.');
    }
    this.named = called;
  }

  private takeOperator(symbol: string): void {
    if (this.expectsValue) {
      if (symbol !== '-' && symbol !== '+') {
        throw new ToolFault(`"${symbol}" has nothing on its left.`);
      }
      this.waiting.push({ kind: 'sign', factor: symbol === '-' ? -1 : 1 });
      return;
    }
    const operator = BINARY.get(symbol) as Operator;
    this.applyAbove(operator.isRightAssociative ? operator.precedence + 1 : operator.precedence);
    this.waiting.push({ kind: 'binary', operator });
    this.expectsValue = true;
  }

  private open(): void {
    if (!this.expectsValue) {
      throw new ToolFault('There is no operator before a parenthesis.');
    }
    this.waiting.push({ kind: 'group', of: this.named, separators: 0 });
    this.named = null;
  }

  private separate(): void {
    const group = this.endPart();
    if (!group.of) {
      throw new ToolFault('A comma stands outside of a function.');
    }
    group.separators += 1;
    this.expectsValue = true;
  }

  private close(): void {
    const group = this.endPart();
    this.waiting.pop();
    if (!group.of) {
      return;
    }
    const { arity, apply } = group.of;
    if (group.separators + 1 !== arity) {
      throw new ToolFault(`A function takes ${arity} numbers here.`);
    }
    this.values.push(finite(apply(...this.values.splice(-arity))));
  }

  private endPart(): Extract<Waiting, { kind: 'group' }> {
    if (this.expectsValue) {
      throw new ToolFault('A value is missing.');
    }
    this.applyAbove(0);
    const group = this.waiting.at(-1);
    if (group?.kind !== 'group') {
      throw new ToolFault('A parenthesis was never opened.');
    }
    return group;
  }

  private applyAbove(precedenceMin: number): void {
    for (let top = this.waiting.at(-1); top && top.kind !== 'group'; top = this.waiting.at(-1)) {
      const precedence = top.kind === 'sign' ? SIGN_PRECEDENCE : top.operator.precedence;
      if (precedence < precedenceMin) {
        return;
      }
      this.waiting.pop();
      const right = this.values.pop() ?? NaN;
      if (top.kind === 'sign') {
        this.values.push(top.factor * right);
      } else {
        this.values.push(finite(top.operator.apply(this.values.pop() ?? NaN, right)));
      }
    }
  }
}

function divisor(right: number): number {
  if (right === 0) {
    throw new ToolFault('Division by zero.');
  }
  return right;
}

function finite(value: number): number {
  if (!Number.isFinite(value)) {
    throw new ToolFault('The result is no finite real number.');
  }
  return value;
}

export const CALCULATOR: AgentTool = {
  name: 'calculator',
  description:
    'Works out an arithmetic expression: + - * / % (remainder) ^ (power), parentheses, pi, e, and sqrt, abs, round, ' +
    'floor, ceil, exp, ln, log10, sin, cos, tan (radians), min(a, b), max(a, b).',
  parameters: {
    type: 'object',
    additionalProperties: false,
    required: ['expression'],
    properties: {
      expression: {
        type: 'string',
        minLength: 1,
        maxLength: EXPRESSION_LENGTH_MAX,
        description: 'For example 2 * (3.5 + sqrt(16)) ^ 2',
      },
    },
  },
  run: ({ parameters }) => String(evaluateExpression(parameters.expression as string)),
};
