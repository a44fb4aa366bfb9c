import { basename, dirname, join, relative } from 'node:path';
import type { Oas3Operation, Oas3Preprocessor, UserContext } from '@redocly/openapi-core';
import { isObject } from '../json';
import { takesIdempotencyKey } from './complete-operation';

type Condition = (operation: Record<string, unknown>, context: UserContext) => boolean;

const isLimited: Condition = (operation) => operation['x-rate'] !== 'health';
const isPriced: Condition = (operation) =>
  operation['x-price'] !== undefined || operation['x-item-costs'] === true;

const ALWAYS = ['X-Request-Id', 'X-API-Version'];
const RATE_LIMIT = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-RateLimit-Window'];

/** The headers of openapi/headers.yaml and the operations whose successful answers have them. */
const HEADERS: Record<string, Condition> = {
  ...Object.fromEntries(ALWAYS.map((name) => [name, () => true])),
  ...Object.fromEntries(RATE_LIMIT.map((name) => [name, isLimited])),
  'X-Request-Cost': isPriced,
  'X-Tokens-Used': isPriced,
  'X-Balance-Remaining': isPriced,
  'X-Model-Used': (operation) => operation['x-model'] !== undefined,
  'Idempotent-Replayed': takesIdempotencyKey,
};

/**
 * Gives every answer the headers that it has, as references to headers.yaml: a successful one those that follow from its
 * operation's policy, an error those that every error has, beside what openapi/responses.yaml says of it alone.
 */
export const responseHeaders: Oas3Preprocessor = () => {
  let folder = '';
  const references = (names: string[], { location }: UserContext) => {
    const file = relative(dirname(location.source.absoluteRef), join(folder, 'headers.yaml'));
    return Object.fromEntries(names.map((name) => [name, { $ref: `${file}#/${name}` }]));
  };
  return {
    Root: {
      enter: (_root, { location }) => {
        folder = dirname(location.source.absoluteRef);
      },
    },
    Paths: {
      PathItem: {
        Operation: {
          enter(operation: Oas3Operation, context) {
            const names = Object.keys(HEADERS).filter((name) => HEADERS[name]?.({ ...operation }, context));
            for (const [status, response] of Object.entries(operation.responses ?? {})) {
              if (!isObject(response) || '$ref' in response) {
                continue;
              }
              const own = status.startsWith('2')
                ? names
                : [...ALWAYS, ...(isLimited({ ...operation }, context) ? RATE_LIMIT : [])];
              response.headers = { ...references(own, context), ...(response.headers as object | undefined) };
            }
          },
        },
      },
    },
    Response: {
      enter(response, context) {
        // The errors that operations share. What an operation says of its own answers was completed above.
        if (basename(context.location.source.absoluteRef) === 'responses.yaml') {
          response.headers = { ...references([...ALWAYS, ...RATE_LIMIT], context), ...response.headers };
        }
      },
    },
  };
};
