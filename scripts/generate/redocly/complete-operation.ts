import type { Oas3Rule, UserContext } from '@redocly/openapi-core';
import { at, isObject } from '../json';

const RATE_CLASSES = ['health', 'read', 'write', 'llm', 'heavy'];
const MODEL_OPERATIONS = ['chat', 'complete', 'embed', 'respond'];
const WITHOUT_MODEL = ['whole', 'part', 'none'];
const MEDIA_TYPES = ['application/json', 'multipart/form-data'];

type Definition = Record<string, unknown>;
type Check = [holds: boolean, fault: string];

/**
 * What an operation must state beyond what Redocly's own rules ask for, so that its policy is complete. Webhooks are no
 * operations of the service: they have no policy.
 */
export const completeOperation: Oas3Rule = () => {
  let root: unknown;
  return {
    Root(document: unknown) {
      root = document;
    },
    Paths: {
      PathItem: {
        Operation(operation, context) {
          const definition = { ...operation } as Definition;
          const { source, pointer } = context.location;
          const checks = [
            ...policyChecks(definition, root),
            ...responseChecks(definition, context),
            ...bodyChecks(definition, context),
          ];
          for (const [, message] of checks.filter(([holds]) => !holds)) {
            context.report({ message, location: { source, pointer, reportOnKey: true } });
          }
        },
      },
    },
  };
};

export function takesIdempotencyKey(definition: Definition, context: UserContext): boolean {
  const parameters = Array.isArray(definition.parameters) ? definition.parameters : [];
  return parameters.some((parameter) => at(resolved(parameter, context), 'name') === 'Idempotency-Key');
}

function policyChecks(definition: Definition, root: unknown): Check[] {
  const { 'x-price': price, 'x-free': free, 'x-model': model, 'x-body-bytes-max': bytesMax } = definition;
  const withoutModel = definition['x-without-model'];
  const hasBody = definition.requestBody !== undefined;
  const isFree = free === true && price === undefined;
  return [
    [RATE_CLASSES.includes(String(definition['x-rate'])), `needs x-rate, one of ${RATE_CLASSES.join(', ')}`],
    [(price !== undefined) !== (free === true), 'needs either x-price or x-free: true'],
    [
      price === undefined || at(root, 'x-prices', String(price)) !== undefined,
      `has an x-price that x-prices lacks: ${String(price)}`,
    ],
    [
      model === undefined || (!isFree && MODEL_OPERATIONS.includes(String(model))),
      `has an x-model, which is for priced operations, one of ${MODEL_OPERATIONS.join(', ')}`,
    ],
    [
      model === undefined
        ? withoutModel === undefined
        : WITHOUT_MODEL.includes(String(withoutModel)) &&
          /without\s+a\s+model/i.test(String(definition.description)),
      `needs an x-without-model beside its x-model, one of ${WITHOUT_MODEL.join(', ')}, and a description that says what it does "without a model"`,
    ],
    [
      bytesMax === undefined || (hasBody && Number.isInteger(bytesMax) && Number(bytesMax) > 0),
      'has an x-body-bytes-max, which is a whole number of bytes for operations that take a body',
    ],
  ];
}

function responseChecks(definition: Definition, context: UserContext): Check[] {
  const statuses = Object.keys(isObject(definition.responses) ? definition.responses : {});
  const isPriced = definition['x-price'] !== undefined || definition['x-item-costs'] === true;
  const isOpen = Array.isArray(definition.security) && definition.security.length === 0;
  return [
    [successes(statuses) === 1, 'needs exactly one 2xx response, or 201 and 200'],
    [definition['x-rate'] === 'health' || statuses.includes('429'), 'lacks the 429 response'],
    [isOpen || statuses.includes('401'), 'lacks the 401 response'],
    [!isPriced || statuses.includes('402'), 'is priced but lacks the 402 response'],
    [
      !isPriced || context.key !== 'post' || takesIdempotencyKey(definition, context),
      'is a priced POST without Idempotency-Key',
    ],
    [
      isOpen || !statuses.includes('201') || takesIdempotencyKey(definition, context),
      'creates something, so that a retry would create another, without Idempotency-Key',
    ],
  ];
}

/** A part of an answer (206) is no answer of another kind, nor is 200 beside 201, of what was there before. */
function successes(statuses: string[]): number {
  const beside = ['206', ...(statuses.includes('201') ? ['200'] : [])];
  return statuses.filter((status) => status.startsWith('2') && !beside.includes(status)).length;
}

/** A body becomes a class and a call type, so it needs a name and a list of its fields. */
function bodyChecks(definition: Definition, context: UserContext): Check[] {
  const content = Object.entries(at(definition, 'requestBody', 'content') ?? {});
  const schemas = content.map(([, media]) => at(media, 'schema'));
  const bodies = schemas.map((schema) => resolved(schema, context));
  return [
    [
      content.every(([type]) => MEDIA_TYPES.includes(type)),
      `takes a body of a media type other than ${MEDIA_TYPES.join(' and ')}`,
    ],
    [
      new Set(schemas.map((schema) => JSON.stringify(schema))).size < 2,
      'takes bodies of several schemas, but has one call type',
    ],
    [
      bodies.every((body) => !isObject(body) || (body.type === 'object' && isObject(body.properties))) &&
        schemas.every((schema) => at(schema, '$ref') !== undefined),
      "has a requestBody that must be a named component that lists an object's fields",
    ],
  ];
}

function resolved(value: unknown, context: UserContext): unknown {
  return at(value, '$ref') === undefined ? value : context.resolve(value as { $ref: string }).node;
}
