import type { AgentTool, AgentToolCall } from '../agent-tool';
import { evaluateExpression, EXPRESSION_LENGTH_MAX } from './evaluate-expression';

/** Works out arithmetic for the model, because language models calculate badly. */
export class CalculatorTool implements AgentTool {
  readonly name = 'calculator';
  readonly description =
    'Works out an arithmetic expression: + - * / % (remainder) ^ (power), parentheses, pi, e, and sqrt, abs, round, ' +
    'floor, ceil, exp, ln, log10, sin, cos, tan (radians), min(a, b), max(a, b).';
  readonly parameters = {
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
  };

  run({ parameters }: AgentToolCall): string {
    return String(evaluateExpression(parameters.expression as string));
  }
}
