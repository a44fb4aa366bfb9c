import { Injectable } from '@nestjs/common';
import { definitions, schemas } from '../../generated/schemas';
import { ValidationFailed } from '../core/errors/request-errors';
import { PartValidator } from './part-validator';

interface Validators {
  body: PartValidator | null;
  bodyRequired: boolean;
  query: PartValidator;
  /** The query parameters of the operation. */
  queryNames: ReadonlySet<string>;
  headers: HeaderValidator | null;
}

interface HeaderValidator {
  part: PartValidator;
  /** The headers that the document names, in lower case. */
  names: string[];
  /** Whether a request without any of these headers is valid. */
  areOptional: boolean;
}

const NONE = Object.freeze({});
const WITHOUT_PARAMETERS = { type: 'object', additionalProperties: false, properties: {} };

/**
 * Validates requests by the document's schemas, compiled on an operation's first call. Before it is judged a request is
 * read as it was meant (readerAsMeant) and gets the defaults. A request with faults is refused with all of them; only
 * of a body with thousands of members is it the first.
 */
@Injectable()
export class RequestValidator {
  private readonly compiled = new Map<string, Validators>();

  takesBody(operationId: string): boolean {
    return this.validators(operationId).body !== null;
  }

  /**
   * The body as it was meant; undefined where the operation takes none.
   * @throws ValidationFailed naming every fault
   */
  validateBody(operationId: string, body: unknown): unknown {
    const { body: validator, bodyRequired } = this.validators(operationId);
    if (!validator) {
      return undefined;
    }
    if (body === undefined && bodyRequired) {
      throw new ValidationFailed([{ field: 'body', message: 'is required' }]);
    }
    return validator.read(body === undefined ? {} : body);
  }

  /**
   * The query with defaults filled in and its texts read as numbers or booleans where the schema says so.
   * @throws ValidationFailed naming every fault: a parameter that the operation does not have is one for every operation
   */
  validateQuery(operationId: string, query: unknown): Record<string, unknown> {
    const { query: validator, queryNames } = this.validators(operationId);
    const value = { ...(query as Record<string, unknown>) };
    const repeated = Object.keys(value).filter((name) => Array.isArray(value[name]) && queryNames.has(name));
    const faults = repeated.map((field) => {
      const times = (value[field] as unknown[]).length;
      // The schema would only say that a list is no text.
      delete value[field];
      return { field, message: `is given ${times} times, but may be given once` };
    });
    return validator.read(value, faults) as Record<string, unknown>;
  }

  /**
   * Judges only the headers that the document names; any others may be there. Returns them, by their names in lower case.
   * @throws ValidationFailed
   */
  validateHeaders(
    operationId: string,
    headers: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, string | undefined>> {
    const { headers: header } = this.validators(operationId);
    if (!header || (header.areOptional && header.names.every((name) => headers[name] === undefined))) {
      return NONE;
    }
    const named = header.names.filter((name) => headers[name] !== undefined);
    const values = Object.fromEntries(named.map((name) => [name, headers[name]]));
    return header.part.read(values) as Record<string, string>;
  }

  private validators(operationId: string): Validators {
    let validators = this.compiled.get(operationId);
    if (!validators) {
      const operation = schemas[operationId];
      if (!operation) {
        throw new Error(`the document has no operation ${operationId}`);
      }
      const { body, bodyRequired, query, headers } = operation;
      validators = {
        body: body && new PartValidator('body', body),
        bodyRequired,
        query: new PartValidator('query', query ?? WITHOUT_PARAMETERS),
        queryNames: new Set(query ? propertyNames(query) : []),
        headers: headers && headerValidator(headers),
      };
      this.compiled.set(operationId, validators);
    }
    return validators;
  }
}

function headerValidator(schema: { properties?: object }): HeaderValidator {
  const part = new PartValidator('header', schema);
  return { part, names: Object.keys(schema.properties ?? {}), areOptional: part.takesNothing() };
}

function propertyNames(schema: { $ref?: string; properties?: object }): string[] {
  const { $ref, properties } = schema;
  const target = $ref === undefined ? properties : definitionOf($ref).properties;
  return Object.keys(target ?? {});
}

function definitionOf(reference: string): { properties?: object } {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return (definitions as Record<string, { properties?: object }>)[name] ?? {};
}
