import { ToolFault } from '../agent-tool';

export type ExpressionToken =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name' | 'symbol'; readonly text: string };

/** No two alternatives begin with the same character, so the expression never has to go back and takes linear time. */
const TOKEN =
  /\s*(?:(?<number>\d+(?:\.\d*)?|\.\d+)(?<exponent>[eE][+-]?\d+)?|(?<name>[a-zA-Z]\w*)|(?<symbol>[-+*/%^(),]))/y;

/** The tokens of an expression; `**` is read as `^`. @throws ToolFault that quotes the first text that is no token */
export function tokenizeExpression(text: string): ExpressionToken[] {
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
