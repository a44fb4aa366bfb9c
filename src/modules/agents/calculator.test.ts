import fc from 'fast-check';
import { processorMsBelow } from '../../../test/support/processor-time';
import { evaluateExpression } from './calculator';

describe('evaluateExpression', () => {
  it.each([
    ['', 'ends too early'],
    ['()', 'A value is missing'],
    ['1 +', 'ends too early'],
    ['* 2', 'nothing on its left'],
    ['1 2', 'no operator'],
    ['2(3)', 'no operator before'],
    ['2 pi', 'no operator'],
    ['2 sqrt(4)', 'no operator'],
    ['(1', 'not closed'],
    ['1)', 'never opened'],
    ['1, 2', 'never opened'],
    ['(1, 2)', 'comma'],
    ['sqrt', 'ends too early'],
    ['sqrt 4', 'parenthesis behind its name'],
    ['min(1)', 'takes 2'],
    ['min(1,)', 'A value is missing'],
    ['sqrt(1, 2)', 'takes 1'],
    ['1 / 0', 'Division by zero'],
    ['1 % 0', 'Division by zero'],
    ['sqrt(-1)', 'no finite real'],
    ['9 ^ 9 ^ 9', 'no finite real'],
    ['1e999', 'no finite real'],
    ['constructor', 'no function'],
    ['__proto__', 'Nothing can be made'],
    ['toString()', 'no function'],
    ['process.exit(1)', 'no function|Nothing'],
    ['2 $ 3', 'Nothing can be made of "\\$ 3"'],
    ['1; 2', 'Nothing can be made'],
    ['٣ + 1', 'Nothing can be made'],
  ])('refuses %j', (expression, message) => {
    expect(() => evaluateExpression(expression)).toThrow(new RegExp(message));
  });

  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 4 - 3', 3],
    ['100 / 10 / 2', 5],
    ['2 ^ 3 ^ 2', 512],
    ['2 ** 3', 8],
    ['-2 ^ 2', -4],
    ['(-2) ^ 2', 4],
    ['2 ^ -2', 0.25],
    ['2 ^ -2 * 4', 1],
    ['-2 * -3', 6],
    ['--2', 2],
    ['3 - -+-1', 2],
    ['-7 % 3', -1],
    ['0.1 + 0.2', 0.3],
    ['.5 + 1. + 1e3 + 2E-1', 1001.7],
    ['2 * pi', 6.28318530717959],
    ['ln(e)', 1],
    ['SQRT(16) + Max(1, min(2, 3)) * abs(-2)', 8],
    ['round(2.5) + floor(-0.5) + ceil(0.1)', 3],
    ['6 × 7 ÷ 2', 21],
    ['\t1\n+\u00a01 ', 2],
  ])('makes of %s the value %d', (expression, value) => {
    expect(evaluateExpression(expression)).toBe(value);
  });

  it('agrees with the tree that an expression was written from', () => {
    fc.assert(
      fc.property(trees, ({ text, value }) => {
        fc.pre(text.length <= 1000);
        if (Number.isFinite(value)) {
          expect(evaluateExpression(text)).toBe(Number(value.toPrecision(15)));
        } else {
          expect(() => evaluateExpression(text)).toThrow();
        }
      }),
      { numRuns: 500 },
    );
  });

  it('gives a number or a fault for any text, and never another error', () => {
    const pieces = [
      '1',
      '.5',
      '+',
      '-',
      '*',
      '/',
      '%',
      '^',
      '(',
      ')',
      ',',
      'sqrt',
      'max',
      'e',
      ' ',
      '**',
      '$',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), (chosen) => {
        try {
          expect(Number.isFinite(evaluateExpression(chosen.join('')))).toBe(true);
        } catch (error) {
          expect((error as Error).name).toBe('ToolFault');
        }
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['(', '-', '1+', '((1)', 'sqrt(', '1^', '9', '*', ' ', 'e', '1e', '.', 'max(1,'])(
    'takes the longest run of %j in no time',
    async (piece) => {
      const expression = piece.repeat(Math.floor(1000 / piece.length));
      const neededMs = await processorMsBelow(200, () => {
        for (let round = 0; round < 20; round += 1) {
          try {
            evaluateExpression(expression);
          } catch (error) {
            expect((error as Error).name).toBe('ToolFault');
          }
        }
      });
      expect(neededMs).toBeLessThan(200);
      expect(() => evaluateExpression(`${expression}${piece.repeat(1000)}`)).toThrow('longer than 1000');
    },
  );
});

interface Tree {
  text: string;
  value: number;
}

/** Every operation stands in parentheses, so that its value does not depend on the rules of precedence. */
const { trees } = fc.letrec<{ trees: Tree; leaves: Tree; sums: Tree; signs: Tree }>((tie) => ({
  leaves: fc.integer({ min: 0, max: 1000 }).map((value) => ({ text: String(value), value })),
  sums: fc
    .tuple(tie('trees'), fc.constantFrom('+', '-', '*', '/', '%'), tie('trees'))
    .map(([left, operator, right]) => ({
      text: `(${left.text} ${operator} ${right.text})`,
      value: calculate(left.value, operator, right.value),
    })),
  signs: tie('trees').map(({ text, value }) => ({ text: `-(${text})`, value: -value })),
  trees: fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('leaves'), tie('sums'), tie('signs')),
}));

function calculate(left: number, operator: string, right: number): number {
  if ((operator === '/' || operator === '%') && right === 0) {
    return NaN;
  }
  const results: Record<string, number> = {
    '+': left + right,
    '-': left - right,
    '*': left * right,
    '/': left / right,
    '%': left % right,
  };
  return results[operator] ?? NaN;
}
