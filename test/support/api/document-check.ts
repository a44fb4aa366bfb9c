import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { definitions, schemas } from '../../../generated/schemas';
import { formats } from '../../../src/contract/input-values';

/**
 * Compiles the document's response schemas so that an undeclared field is a fault too. Most are used a few times, and so not
 * worth the optimising of their code.
 */
const ajv = new Ajv2020({ allErrors: true, strict: false, formats, code: { optimize: false } });
ajv.addSchema({ $id: 'contract', $defs: closed(definitions) as object });
const compiled = new Map<object, ValidateFunction>();
/** The same by their text: the errors of nearly all operations are of one form. */
const compiledTexts = new Map<string, ValidateFunction>();

/** The refusals below 500 that the document's `default` names, because every operation has them. */
const NAMED_BY_DEFAULT = [405, 408, 413, 415];

/** Throws unless the document declares this status for the operation and the body has the declared form. */
export function expectDocumented(operationId: string, status: number, body: unknown): void {
  const responses = schemas[operationId]?.responses ?? {};
  const isByDefault = status >= 500 || NAMED_BY_DEFAULT.includes(status);
  const schema = responses[String(status)] ?? (isByDefault ? responses.default : undefined);
  const isDeclared = String(status) in responses || (isByDefault && 'default' in responses);
  if (!isDeclared) {
    throw new Error(
      `${operationId} answered ${status}, which the document does not declare: ${JSON.stringify(body)}`,
    );
  }
  if (!schema) {
    expect(body).toBeUndefined();
    return;
  }
  const validate = validatorOf(schema);
  if (!validate(body)) {
    throw new Error(
      `${operationId} ${status} is not of the declared form: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`,
    );
  }
}

/** The statuses that the document declares for an operation, `default` included. */
export function documentedStatuses(operationId: string): string[] {
  return Object.keys(schemas[operationId]?.responses ?? {});
}

function validatorOf(schema: object): ValidateFunction {
  let validate = compiled.get(schema);
  if (!validate) {
    const text = JSON.stringify(schema);
    validate = compiledTexts.get(text) ?? ajv.compile(closed(schema) as object);
    compiledTexts.set(text, validate);
    compiled.set(schema, validate);
  }
  return validate;
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    return schema.map(closed);
  }
  if (typeof schema !== 'object' || schema === null) {
    return schema;
  }
  const copy = Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, closed(member)]));
  const isOpenObject = typeof copy.properties === 'object' && copy.additionalProperties === undefined;
  return isOpenObject && 'type' in copy ? { ...copy, additionalProperties: false } : copy;
}
