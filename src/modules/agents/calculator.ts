import { type AgentTool, ToolFault } from './agent-tools';

const { sqrt, abs, round, floor, ceil, exp, log: ln, log10, sin, cos, tan, min, max } = Math;

/** A map, because a plain object also has members such as `constructor`. */
const FUNCTIONS: ReadonlyMap<string, (...numbers: number[]) => number> = new Map(
  Object.entries({ sqrt, abs, round, floor, ceil, exp, ln, log10, sin, cos, tan, min, max }),
);

const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
]);

/** No two alternatives begin alike, so the expression never backtracks and takes linear time. */
const TOKEN = /\s*((?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[a-zA-Z]\w*|[-+*/%^(),])/y;

function tokenizeExpression(text: string): string[] {
  const expression = text.trim().replaceAll('**', '^').replaceAll('×', '*').replaceAll('÷', '/');
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.length) {
    const position = TOKEN.lastIndex;
    const token = TOKEN.exec(expression)?.[1];
    if (token === undefined) {
      throw new ToolFault(`Nothing can be made of "${expression.slice(position).trim().slice(0, 20)}".`);
    }
    tokens.push(token.toLowerCase());
  }
  return tokens;
}

const EXPRESSION_LENGTH_MAX = 1_000;
/** Further digits of a double may be rounding errors: 0.1 + 0.2 would be 0.30000000000000004. */
const SIGNIFICANT_DIGITS = 15;

export function evaluateExpression(text: string): number {
  if (text.length > EXPRESSION_LENGTH_MAX) {
    throw new ToolFault(`The expression is longer than ${EXPRESSION_LENGTH_MAX} characters.`);
  }
  return Number(new Expression(tokenizeExpression(text)).whole().toPrecision(SIGNIFICANT_DIGITS));
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

/** Precedence climbing, in linear time. An expression is too short to overflow the stack by its parentheses. */
class Expression {
  private at = 0;

  constructor(private readonly tokens: readonly string[]) {}

  whole(): number {
    const value = this.from(0);
    if (this.at < this.tokens.length) {
      throw new ToolFault('A parenthesis was never opened.');
    }
    return value;
  }

  private get next(): string | undefined {
    return this.tokens[this.at];
  }

  private from(precedenceMin: number): number {
    let left = this.first();
    for (let operator = this.operator(); operator; operator = this.operator()) {
      const { precedence, isRightAssociative, apply } = operator;
      if (precedence < precedenceMin) {
        break;
      }
      this.at += 1;
      left = finite(apply(left, this.from(isRightAssociative ? precedence : precedence + 1)));
    }
    return left;
  }

  private first(): number {
    const token = this.next;
    if (token === undefined) {
      throw new ToolFault('The expression ends too early.');
    }
    this.at += 1;
    switch (token) {
      case '(':
        return this.grouped();
      case '-':
        return -this.from(SIGN_PRECEDENCE);
      case '+':
        return this.from(SIGN_PRECEDENCE);
      case ')':
      case ',':
        throw new ToolFault('A value is missing.');
    }
    if (BINARY.has(token)) {
      throw new ToolFault(`"${token}" has nothing on its left.`);
    }
    return /^[.\d]/.test(token) ? finite(Number(token)) : this.named(token);
  }

  private operator(): Operator | null {
    const { next } = this;
    if (next === undefined || next === ')' || next === ',') {
      return null;
    }
    const operator = BINARY.get(next);
    if (!operator) {
      const where = next === '(' ? 'before a parenthesis' : 'between two values';
      throw new ToolFault(`There is no operator ${where}.`);
    }
    return operator;
  }

  private named(name: string): number {
    const constant = CONSTANTS.get(name);
    if (constant !== undefined) {
      return constant;
    }
    const called = FUNCTIONS.get(name);
    if (!called) {
      throw new ToolFault(`There is no function "${name.slice(0, 20)}".`);
    }
    if (this.next !== '(') {
      const isOver = this.next === undefined;
      throw new ToolFault(
        isOver ? 'The expression ends too early.' : 'A function needs a parenthesis behind its name.',
      );
    }
    this.at += 1;
    const numbers = this.inParentheses();
    // Functions of any number of arguments have a length of two, which is required here.
    if (numbers.length !== called.length) {
      throw new ToolFault(`A function takes ${called.length} numbers here.`);
    }
    return finite(called(...numbers));
  }

  private grouped(): number {
    const [value = NaN, ...others] = this.inParentheses();
    if (others.length > 0) {
      throw new ToolFault('A comma stands outside of a function.');
    }
    return value;
  }

  private inParentheses(): number[] {
    const numbers = [this.from(0)];
    while (this.next === ',') {
      this.at += 1;
      numbers.push(this.from(0));
    }
    if (this.next !== ')') {
      throw new ToolFault('A parenthesis is not closed.');
    }
    this.at += 1;
    return numbers;
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
