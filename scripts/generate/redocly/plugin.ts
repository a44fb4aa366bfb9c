import type { Plugin } from '@redocly/openapi-core';
import { checkableSchema } from './checkable-schema';
import { completeOperation } from './complete-operation';
import { responseHeaders } from './response-headers';
import { wholeComponents } from './whole-components';

/**
 * What redocly.yaml calls `contract/…`: the rules that the generator relies on, and the headers of successful answers.
 */
export default function contractPlugin(): Plugin {
  return {
    id: 'contract',
    preprocessors: { oas3: { 'response-headers': responseHeaders } },
    rules: {
      oas3: {
        'checkable-schema': checkableSchema,
        'complete-operation': completeOperation,
        'whole-components': wholeComponents,
      },
    },
  };
}
