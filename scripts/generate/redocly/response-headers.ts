import { dirname, join, relative } from 'node:path';
import type { Oas3Operation, Oas3Preprocessor, UserContext } from '@redocly/openapi-core';
import { isObject } from '../json';
import { takesIdempotencyKey } from './complete-operation';

type Condition = (operation: Record<string, unknown>, context: UserContext) => boolean;

const isLimited: Condition = (operation) => operation['x-rate'] !== 'health';
const isPriced: Condition = (operation) => operation['x-price'] !== undefined;

/** The headers of openapi/headers.yaml and the operations whose successful answers have them. */
const HEADERS: Record<string, Condition> = {
  'X-Request-Id': () => true,
  'X-API-Version': () => true,
  'X-RateLimit-Limit': isLimited,
  'X-RateLimit-Remaining': isLimited,
  'X-RateLimit-Reset': isLimited,
  'X-RateLimit-Window': isLimited,
  'X-Request-Cost': isPriced,
  'X-Tokens-Used': isPriced,
  'X-Balance-Remaining': isPriced,
  'X-Model-Used': (operation) => operation['x-model'] !== undefined,
  'Idempotent-Replayed': takesIdempotencyKey,
};

/** Gives every successful answer the headers that follow from its operation's policy, as references to headers.yaml. */
export const responseHeaders: Oas3Preprocessor = () => {
  let folder = '';
  return {
    Root: {
      enter: (_root, { location }) => {
        folder = dirname(location.source.absoluteRef);
      },
    },
    Operation: {
      enter(operation: Oas3Operation, context) {
        const file = relative(dirname(context.location.source.absoluteRef), join(folder, 'headers.yaml'));
        const names = Object.keys(HEADERS).filter((name) => HEADERS[name]?.({ ...operation }, context));
        for (const [status, response] of Object.entries(operation.responses ?? {})) {
          if (status.startsWith('2') && isObject(response)) {
            response.headers = Object.fromEntries(names.map((name) => [name, { $ref: `${file}#/${name}` }]));
          }
        }
      },
    },
  };
};
