import type { Plugin } from '@redocly/openapi-core';
import { checkableMessages } from './checkable-messages';
import { checkableSchema } from './checkable-schema';
import { completeEvents } from './complete-events';
import { completeOperation } from './complete-operation';
import { credentialRefusals } from './credential-refusals';
import { describedProperties } from './described-properties';
import { policyDescription } from './policy-description';
import { refusalsOfAll } from './refusals-of-all';
import { responseHeaders } from './response-headers';
import { wholeComponents } from './whole-components';

/**
 * What redocly.yaml calls `contract/…`: the rules that the generator relies on, and what it adds to the document because
 * it follows from an operation's policy or holds for all operations.
 */
export default function contractPlugin(): Plugin {
  return {
    id: 'contract',
    preprocessors: {
      oas3: {
        'credential-refusals': credentialRefusals,
        'policy-description': policyDescription,
        'refusals-of-all': refusalsOfAll,
        'response-headers': responseHeaders,
      },
    },
    rules: {
      oas3: {
        'checkable-schema': checkableSchema,
        'complete-events': completeEvents,
        'complete-operation': completeOperation,
        'described-properties': describedProperties,
        'whole-components': wholeComponents,
      },
      async3: { 'checkable-messages': checkableMessages },
    },
  };
}
