import fc from 'fast-check';
import { definitions, schemas } from '../../../generated/schemas';
import { examplesOf, operationOf, published } from '../api/published-document';
import { at, resolveComponent, type Json } from '../../../scripts/generate/json';
import { valuesNear, type Schema } from '../../contract/schema-values';

const BODIES_PER_OPERATION = 40;
/** Thousands of the longest bodies would take the run's whole time. A few pass. */
const BODY_BYTES_USUAL_MAX = 4_096;
const ONE_LONG_BODY_OF = 50;
export const WRONG_JSON = [
  '',
  '{',
  'null',
  '{"__proto__":{"x":1}}',
  '{"constructor":{}}',
  '\ufeff{}',
  `[${'['.repeat(5_000)}`,
];

/** Bodies of an operation: those of its schema and nearly so, the document's own examples as often, and no JSON. */
export function bodiesOf(operationId: string, seed: number): (Buffer | null)[] {
  const near = bodiesNear(operationId, seed);
  if (near === null) {
    return [null, Buffer.from('{}'), Buffer.from('[[[[')];
  }
  const [example] = documentedBodies(operationId).map((value) => JSON.stringify(value));
  const valid = example === undefined ? [] : Array.from({ length: BODIES_PER_OPERATION }, () => example);
  return [...near, ...[...valid, ...WRONG_JSON].map((text) => Buffer.from(text))];
}

/** Bodies that an operation's schema accepts or almost accepts; null where it takes no JSON. */
export function bodiesNear(operationId: string, seed: number): Buffer[] | null {
  const schema = schemas[operationId]?.body as Schema | undefined;
  if (!schema) {
    return null;
  }
  const values = fc.sample(valuesNear(schema, definitions), { seed, numRuns: BODIES_PER_OPERATION });
  return values
    .map((value) => Buffer.from(JSON.stringify(value) ?? ''))
    .filter(({ length }, index) => length <= BODY_BYTES_USUAL_MAX || index % ONE_LONG_BODY_OF === 0);
}

/** The document's own examples of an operation's body; none where it takes no JSON. */
export function documentedBodies(operationId: string): Json[] {
  const request = at(operationOf(operationId).definition, 'requestBody');
  return request === undefined ? [] : examplesOf(resolveComponent(published, request));
}
