import { dirname, join, relative } from 'node:path';
import type { Oas3Operation, Oas3Preprocessor } from '@redocly/openapi-core';

/** The refusals of openapi/responses.yaml that follow from how every request is read, by status. */
const REFUSALS: Record<string, { name: string; onlyOfBodies: boolean }> = {
  400: { name: 'BadRequest', onlyOfBodies: false },
  415: { name: 'UnsupportedMediaType', onlyOfBodies: true },
};

/** Others' clients send queries that nobody knows, so that nothing is wrong with a request without a body. */
const OF_OTHERS_CLIENTS = /\/v1\.yaml$/;

/** Gives every operation the answers with which any of them may refuse a request, unless it documents its own. */
export const refusalsOfAll: Oas3Preprocessor = () => {
  let folder = '';
  return {
    Root: {
      enter: (_root, { location }) => {
        folder = dirname(location.source.absoluteRef);
      },
    },
    Paths: {
      PathItem: {
        Operation: {
          enter(operation: Oas3Operation, { location }) {
            const isAnyQueryRead = OF_OTHERS_CLIENTS.test(location.source.absoluteRef);
            const file = relative(dirname(location.source.absoluteRef), join(folder, 'responses.yaml'));
            for (const [status, { name, onlyOfBodies }] of Object.entries(REFUSALS)) {
              const { responses, requestBody } = operation;
              if (
                responses &&
                !(status in responses) &&
                (requestBody !== undefined || !(onlyOfBodies || isAnyQueryRead))
              ) {
                Object.assign(responses, { [status]: { $ref: `${file}#/${name}` } });
              }
            }
          },
        },
      },
    },
  };
};
