import type { Async3Rule } from '@redocly/openapi-core';
import { formats } from '../../../src/contract/input-values';
import { at } from '../json';

/** Refuses schemas of socket messages that the compiled validators would ignore, or whose faults they could not name. */
export const checkableMessages: Async3Rule = () => ({
  Schema(schema: object, context) {
    const { location } = context;
    const format = at(schema, 'format');
    if (typeof format === 'string' && !Object.hasOwn(formats, format)) {
      context.report({
        message: `has a format that src/contract/input-values.ts lacks: ${format}`,
        location,
      });
    }
    if (at(schema, 'pattern') !== undefined && typeof at(schema, 'x-fault') !== 'string') {
      context.report({
        message: 'has a pattern and needs x-fault, a sentence for who sends something else',
        location,
      });
    }
  },
});
