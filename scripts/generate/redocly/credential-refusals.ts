import type { Oas3Operation, Oas3Preprocessor } from '@redocly/openapi-core';
import { at, isObject } from '../json';

const SHARED = /#\/Unauthorized$/;

/**
 * Paths say `Unauthorized` of every operation that asks for a credential. Which texts such an answer may have follows
 * from the credential, so the reference is led to the response of that credential: TokenRefused or KeyRefused.
 */
export const credentialRefusals: Oas3Preprocessor = () => ({
  Operation: {
    enter({ responses, security }: Oas3Operation) {
      const answer = responses?.['401'];
      const ref: unknown = at(answer, '$ref');
      // An open operation asks for no credential: what it refuses has a response of its own, and this one leads nowhere.
      const isOpen = security?.length === 0;
      if (typeof ref === 'string' && isObject(answer) && !isOpen) {
        const isToken = at(security, 0, 'accountToken') !== undefined;
        answer.$ref = ref.replace(SHARED, isToken ? '#/TokenRefused' : '#/KeyRefused');
      }
    },
  },
});
