import type { TemplateVariable } from '../../../generated/types';
import { Unprocessable } from '../../core/errors/request-errors';

/** In UTF-16 units: what an operation may read, another one may write. A place may be repeated, which multiplies its value. */
const FILLED_LENGTH_MAX = 400_000;
const PLACE = /\{\{[ \t]{0,4}([A-Za-z_][A-Za-z0-9_]{0,63})[ \t]{0,4}\}\}/g;

/**
 * A template with every place filled. Values are never read as templates.
 * @throws Unprocessable for a place without a variable, a variable without a place or named twice, braces that are no place, and
 *   a text that would have more than 400,000 characters
 */
export function filledTemplate(template: string, variables: readonly TemplateVariable[]): string {
  const values = new Map(variables.map(({ name, value }) => [name, value]));
  const parts = template.split(PLACE);
  const names = parts.filter((_, index) => index % 2 === 1);
  const prose = parts.filter((_, index) => index % 2 === 0);
  const faults = [
    ...(values.size < variables.length ? ['a variable is named twice'] : []),
    ...[...new Set(names)].filter((name) => !values.has(name)).map((name) => `${name} has no variable`),
    ...[...values.keys()].filter((name) => !names.includes(name)).map((name) => `${name} has no place`),
    ...(prose.some((part) => part.includes('{{') || part.includes('}}'))
      ? ['a place is written {{name}}']
      : []),
  ];
  if (faults.length > 0) {
    throw new Unprocessable(`The template can't be filled: ${faults.slice(0, 10).join(', ')}.`);
  }
  const length = parts.reduce(
    (sum, part, index) => sum + (index % 2 === 0 ? part : (values.get(part) ?? '')).length,
    0,
  );
  if (length > FILLED_LENGTH_MAX) {
    throw new Unprocessable(`The filled template has more than ${FILLED_LENGTH_MAX} characters.`);
  }
  return parts.map((part, index) => (index % 2 === 0 ? part : (values.get(part) ?? ''))).join('');
}
