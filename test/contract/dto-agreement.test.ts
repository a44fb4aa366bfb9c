import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc, { type Arbitrary } from 'fast-check';
import document from '../../generated/openapi.json';
import { definitions, schemas } from '../../generated/schemas';
import { RequestValidator } from '../../src/contract/request-validator';
import { validateDto, type DtoClass } from '../../src/contract/validate-dto';
import { ValidationFailed } from '../../src/errors/api-errors';
import { copyOf, valuesNear, type Schema } from './schema-values';

const DTO_FOLDER = join(__dirname, '../../generated/dto');
/** Each run has a seed of its own, so that many short ones see as much as a long one. */
const RUNS_PER_OPERATION = 20;
/** What Ajv would say. Callers are told sentences instead. */
const WORDS_OF_SCHEMAS =
  /must NOT|must match|must pass|must be (?:string|object|array|integer|number|boolean|null,)/;

interface Judged {
  operationId: string;
  part: 'body' | 'query';
  schema: Schema;
  className: string;
}

const classes = loadClasses();
const validator = new RequestValidator();

describe('the class-validator classes and the wire agree', () => {
  it('has a class for every body and every query, and no other class', () => {
    const wanted = judgedParts().map(({ className }) => className);
    expect(wanted.filter((name) => !classes.has(name))).toEqual([]);
    expect(wanted.length).toBeGreaterThan(0);
    const nested = [...classes.keys()].filter((name) => !wanted.includes(name));
    expect(nested.filter((name) => !(name in definitions))).toEqual([]);
  });

  it.each(judgedParts())('on the $part of $operationId', ({ operationId, part, schema, className }) => {
    const type = classes.get(className) as DtoClass;
    const verdicts = { accepted: 0, refused: 0 };
    const near = valuesNear(schema, definitions);
    // RequestValidator takes null for an absent body; the document and the class say that a body is an object.
    const values = part === 'query' ? textual(near) : near.filter((value) => value !== null);
    fc.assert(
      fc.property(values, (value) => {
        const wire = judgeByWire(operationId, part, copyOf(value));
        const dto = judgeByClass(type, copyOf(value));
        verdicts[wire.accepted ? 'accepted' : 'refused'] += 1;
        if (dto.accepted !== wire.accepted) {
          throw new Error(`the wire says ${JSON.stringify(wire)}, the class ${JSON.stringify(dto)}`);
        }
        if (wire.accepted) {
          expect(dto.value).toEqual(wire.value);
        } else {
          expect(wire.value).not.toMatch(WORDS_OF_SCHEMAS);
        }
      }),
      { numRuns: RUNS_PER_OPERATION, examples: [[validExample(operationId, part)]] },
    );
    expect(verdicts.accepted).toBeGreaterThan(0);
    expect(verdicts.refused).toBeGreaterThan(0);
  });

  it.each<[Judged['part'], string, string, object]>([
    [
      'body',
      'createCompletion',
      'CreateCompletionRequest',
      { model: 'm', prompt: 'p', seed: Number('1e400') },
    ],
    ['query', 'listKeys', 'ListKeysQuery', { limit: 'Infinity' }],
    ['body', 'login', 'LoginRequest', { email: '\ud83d@example.org', password: 'p' }],
    ['body', 'createMemory', 'CreateMemoryRequest', { key: 'k', value: 'v', constructor: 'x' }],
  ])('and refuse the %s of %s that libraries stumble over', (part, operationId, className, value) => {
    expect(judgeByWire(operationId, part, copyOf(value)).accepted).toBe(false);
    expect(judgeByClass(classes.get(className) as DtoClass, copyOf(value)).accepted).toBe(false);
  });
});

/**
 * A value that both must accept: the document's own example of the body, and the empty query. Of a large body hardly any
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
    ...(body
      ? [
          {
            operationId,
            part: 'body' as const,
            schema: body as Schema,
            className: componentName(body as Schema),
          },
        ]
      : []),
    ...(query
      ? [
          {
            operationId,
            part: 'query' as const,
            schema: query as Schema,
            className: queryClassName(operationId),
          },
        ]
      : []),
  ]);
}

function componentName(schema: Schema): string {
  const ref = String(schema.$ref);
  return ref.slice(ref.lastIndexOf('/') + 1);
}

function queryClassName(operationId: string): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`;
}

function loadClasses(): Map<string, DtoClass> {
  const files = readdirSync(DTO_FOLDER).filter((name) => name.endsWith('.ts'));
  const exported = files.map((name) =>
    Object.entries(jest.requireActual<Record<string, unknown>>(join(DTO_FOLDER, name))),
  );
  const isClass = (entry: [string, unknown]): entry is [string, DtoClass] => typeof entry[1] === 'function';
  return new Map(exported.flat().filter(isClass));
}

function judgeByWire(
  operationId: string,
  part: Judged['part'],
  value: unknown,
): { accepted: boolean; value: unknown } {
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

function judgeByClass(type: DtoClass, value: unknown): { accepted: boolean; value: unknown } {
  const details = validateDto(type, value);
  return details.length === 0 ? { accepted: true, value } : { accepted: false, value: details };
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
