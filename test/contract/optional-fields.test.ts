import Ajv2020 from 'ajv/dist/2020';
import document from '../../generated/openapi.json';
import { definitions, schemas } from '../../generated/schemas';
import { formats } from '../../src/contract/input-values';
import { RequestValidator } from '../../src/contract/request-validator';
import { ValidationFailed } from '../../src/errors/api-errors';

interface ObjectSchema {
  required?: string[];
  properties: Record<string, object>;
}

interface DocumentedOperation {
  operationId: string;
  requestBody?: { content: Record<string, { schema: { $ref: string }; example: Record<string, unknown> }> };
}

const ajv = new Ajv2020({ strict: false, formats });
ajv.addSchema(document, 'document');
const validator = new RequestValidator();
const bodies = Object.values(document.paths)
  .flatMap((item) => Object.values(item) as DocumentedOperation[])
  .flatMap(({ operationId, requestBody }) => {
    // A form has no null.
    const body = requestBody?.content['application/json'];
    return body === undefined ? [] : [{ operationId, ...body }];
  })
  .map(({ operationId, schema, example }) => {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    const { required = [], properties } = (definitions as unknown as Record<string, ObjectSchema>)[
      name
    ] as ObjectSchema;
    return { operationId, name, example, required, fields: Object.keys(properties) };
  });

describe('null in a request', () => {
  it.each(bodies)('is for $operationId the absence of each optional field', (operation) => {
    const published = ajv.compile({ $ref: `document#/components/schemas/${operation.name}` });
    const optional = operation.fields.filter((field) => !operation.required.includes(field));
    for (const field of optional) {
      const body = { ...operation.example, [field]: null };
      expect([field, published(body)]).toEqual([field, true]);
      // An update of nothing at all is refused, whatever the nothing is called.
      const isOnly = Object.keys(operation.example).length === 1 && field in operation.example;
      expect([field, isOnly || refusalOf(operation.operationId, body)]).toEqual([field, isOnly || null]);
    }
  });

  it.each(bodies)('is for $operationId a fault of each required field', (operation) => {
    const published = ajv.compile({ $ref: `document#/components/schemas/${operation.name}` });
    for (const field of operation.required) {
      const body = { ...operation.example, [field]: null };
      expect([field, published(body)]).toEqual([field, false]);
      expect(refusalOf(operation.operationId, body)).toContain(field);
    }
  });
});

describe('an operation without query parameters', () => {
  it.each(Object.keys(schemas).filter((id) => schemas[id]?.query === null))('%s says so', (operationId) => {
    expect(() => validator.validateQuery(operationId, { limit: '1' })).toThrow('which takes none');
    expect(validator.validateQuery(operationId, {})).toEqual({});
  });
});

/** What the service says against a body; null where it takes it. */
function refusalOf(operationId: string, body: object): string | null {
  try {
    validator.validateBody(operationId, structuredClone(body));
    return null;
  } catch (error) {
    if (error instanceof ValidationFailed) {
      return error.message;
    }
    throw error;
  }
}
