import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import fc, { type Arbitrary } from 'fast-check';
import document from '../../generated/openapi.json';
import { definitions, schemas } from '../../generated/schemas';
import { findBadTexts, formats, readerAsMeant, resolved } from '../../src/contract/input-values';
import { RequestValidator } from '../../src/contract/request-validator';
import { ValidationFailed } from '../../src/errors/api-errors';
import { copyOf, valuesNear, type Schema } from './schema-values';

/** Each run has a seed of its own, so that many short ones see as much as a long one. */
const RUNS_PER_OPERATION = 20;
/** What Ajv would say. Callers are told sentences instead. */
const WORDS_OF_SCHEMAS =
  /must NOT|must match|must pass|must be (?:string|object|array|integer|number|boolean|null,)/;

interface Judged {
  operationId: string;
  part: 'body' | 'query';
  schema: Schema;
}

const [ofJson, ofTexts] = [plainAjv(false), plainAjv(true)];
const validator = new RequestValidator();

describe('requests are judged as JSON Schema says, and refused in words', () => {
  it.each(judgedParts())('on the $part of $operationId', ({ operationId, part, schema }) => {
    const judge = judgeOf(schema, part);
    const verdicts = { accepted: 0, refused: 0 };
    const near = valuesNear(schema, definitions);
    // RequestValidator takes null for an absent body; the document says that a body is an object.
    const values = part === 'query' ? textual(near) : near.filter((value) => value !== null);
    fc.assert(
      fc.property(values, (value) => {
        const wire = judgeByWire(operationId, part, copyOf(value));
        const expected = judge(copyOf(value));
        verdicts[wire.accepted ? 'accepted' : 'refused'] += 1;
        if (expected.accepted !== wire.accepted) {
          throw new Error(`the wire says ${JSON.stringify(wire)}, JSON Schema ${JSON.stringify(expected)}`);
        }
        if (wire.accepted) {
          expect(wire.value).toEqual(expected.value);
        } else {
          expect(wire.value).not.toMatch(WORDS_OF_SCHEMAS);
        }
      }),
      { numRuns: RUNS_PER_OPERATION, examples: [[validExample(operationId, part)]] },
    );
    expect(verdicts.accepted).toBeGreaterThan(0);
    expect(verdicts.refused).toBeGreaterThan(0);
  });

  it.each<[Judged['part'], string, object]>([
    ['body', 'createCompletion', { model: 'm', prompt: 'p', seed: Number('1e400') }],
    ['query', 'listKeys', { limit: 'Infinity' }],
    ['query', 'listRequests', { min_cost: '0x10' }],
    ['query', 'listRequests', { min_cost: ' 1' }],
    ['body', 'login', { email: '\ud83d@example.org', password: 'p' }],
    ['body', 'createMemory', { key: 'k', value: 'v', constructor: 'x' }],
  ])('and the %s of %s is refused that libraries stumble over', (part, operationId, value) => {
    expect(judgeByWire(operationId, part, copyOf(value)).accepted).toBe(false);
  });
});

/**
 * A value that must be accepted: the document's own example of the body, and the empty query. Of a large body hardly any
 * random value is valid.
 */
function validExample(operationId: string, part: Judged['part']): unknown {
  if (part === 'query') {
    return {};
  }
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item) as unknown[]) as {
    operationId?: string;
    requestBody?: { content: Record<string, { example: unknown }> };
  }[];
  const operation = operations.find((candidate) => candidate.operationId === operationId);
  const [body] = Object.values(operation?.requestBody?.content ?? {});
  const example = body?.example;
  expect(example).toBeDefined();
  return example;
}

function judgedParts(): Judged[] {
  return Object.entries(schemas).flatMap(([operationId, { body, query }]) => [
    ...(body ? [{ operationId, part: 'body' as const, schema: body as Schema }] : []),
    ...(query ? [{ operationId, part: 'query' as const, schema: query as Schema }] : []),
  ]);
}

interface Verdict {
  accepted: boolean;
  value: unknown;
}

/** What a plain Ajv says of values as they are meant. */
function judgeOf(schema: Schema, part: Judged['part']): (value: unknown) => Verdict {
  const validate: ValidateFunction = (part === 'body' ? ofJson : ofTexts).compile(schema);
  const readAsMeant = readerAsMeant(schema, definitions);
  return (value) => {
    const meant = readAsMeant ? readAsMeant(value) : value;
    const isWritten = part === 'body' || hasDecimalNumbers(meant as object, schema);
    return { accepted: isWritten && findBadTexts(meant).length === 0 && validate(meant), value: meant };
  };
}

/** Ajv reads as a number whatever JavaScript does. */
function hasDecimalNumbers(query: object, schema: Schema): boolean {
  const { properties = {} } = resolved(schema, definitions);
  const forms: Record<string, RegExp> = {
    integer: /^-?[0-9]+$/,
    number: /^-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?$/,
  };
  return Object.entries(query).every(
    ([name, text]) => forms[String(properties[name]?.type)]?.test(String(text)) ?? true,
  );
}

function plainAjv(fromText: boolean): Ajv2020 {
  const options = { coerceTypes: fromText, strictNumbers: !fromText };
  const ajv = new Ajv2020({ useDefaults: true, strict: false, formats, ...options });
  return ajv.addSchema({ $id: 'contract', $defs: definitions });
}

function judgeByWire(operationId: string, part: Judged['part'], value: unknown): Verdict {
  try {
    const judged =
      part === 'body'
        ? validator.validateBody(operationId, value)
        : validator.validateQuery(operationId, value);
    return { accepted: true, value: judged };
  } catch (error) {
    if (error instanceof ValidationFailed) {
      return { accepted: false, value: error.message };
    }
    throw error;
  }
}

/** A query as it arrives: every value is text, or several texts where its name was repeated. */
function textual(values: Arbitrary<unknown>): Arbitrary<Record<string, unknown>> {
  const odd = fc.constantFrom<unknown>(
    '',
    ' 5',
    '0x10',
    '1e1',
    '5.0',
    '+5',
    '-0',
    '٣',
    '1_0',
    '9n',
    'Infinity',
    'true',
    ['5'],
    ['1', '2'],
  );
  return fc
    .tuple(
      values.filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
      fc.option(fc.tuple(fc.nat(), odd), { freq: 4 }),
    )
    .map(([object, replacement]) => {
      const query = Object.entries(object as object).map(([name, value]): [string, unknown] => [
        name,
        asText(value),
      ]);
      const replaced = replacement && query[replacement[0] % Math.max(1, query.length)];
      if (replaced) {
        replaced[1] = replacement[1];
      }
      return Object.fromEntries(query);
    });
}

function asText(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(asText);
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}
