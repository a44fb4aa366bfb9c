import type { ValidateFunction } from 'ajv/dist/2020';
import { Injectable } from '@nestjs/common';
import { schemas } from '../../generated/schemas';
import { ValidationFailed } from '../core/errors/request-errors';
import { findBadText } from './bad-text';
import { detailOf, schemaCompiler } from './schema-compiler';

const DETAILS_MAX = 50;

interface Validators {
  body: ValidateFunction | null;
  bodyRequired: boolean;
  query: ValidateFunction | null;
  headers: HeaderValidator | null;
}

interface HeaderValidator {
  validate: ValidateFunction;
  /** The headers that the document names, in lower case. */
  names: string[];
  /** Whether a request without any of these headers is valid. */
  areOptional: boolean;
}

/**
 * Validates requests by the document's schemas, compiled on an operation's first call; defaults are filled in. It stops
 * at the first fault, so that a request with a million faults costs no more than one with a single fault.
 */
@Injectable()
export class RequestValidator {
  private readonly bodies = schemaCompiler({ fromText: false, allErrors: false });
  private readonly texts = schemaCompiler({ fromText: true, allErrors: false });
  private readonly compiled = new Map<string, Validators>();

  takesBody(operationId: string): boolean {
    return this.validators(operationId).body !== null;
  }

  /**
   * The body with defaults filled in; undefined where the operation takes none.
   * @throws ValidationFailed naming the first fault
   */
  validateBody(operationId: string, body: unknown): unknown {
    const { body: validate, bodyRequired } = this.validators(operationId);
    if (!validate) {
      return undefined;
    }
    if (body === undefined && bodyRequired) {
      throw new ValidationFailed([{ field: 'body', message: 'is required' }]);
    }
    const value = body === undefined ? {} : body;
    this.run(validate, value, '');
    const fault = findBadText(value);
    if (fault) {
      throw new ValidationFailed([fault]);
    }
    return value;
  }

  /**
   * The query with defaults filled in and its texts read as numbers or booleans where the schema says so; unchanged
   * where the operation has no query parameters.
   * @throws ValidationFailed naming the first fault
   */
  validateQuery(operationId: string, query: unknown): Record<string, unknown> {
    const { query: validate } = this.validators(operationId);
    if (!validate) {
      return query as Record<string, unknown>;
    }
    const value = { ...(query as Record<string, unknown>) };
    this.run(validate, value, '');
    const fault = findBadText(value);
    if (fault) {
      throw new ValidationFailed([fault]);
    }
    return value;
  }

  /** Judges only the headers that the document names; any others may be there. @throws ValidationFailed */
  validateHeaders(operationId: string, headers: Readonly<Record<string, unknown>>): void {
    const { headers: header } = this.validators(operationId);
    if (!header || (header.areOptional && header.names.every((name) => headers[name] === undefined))) {
      return;
    }
    const named = header.names.filter((name) => headers[name] !== undefined);
    this.run(header.validate, Object.fromEntries(named.map((name) => [name, headers[name]])), 'header ');
  }

  private run(validate: ValidateFunction, value: unknown, prefix: string): void {
    if (!validate(value)) {
      throw new ValidationFailed(
        (validate.errors ?? []).slice(0, DETAILS_MAX).map((error) => {
          const { field, message } = detailOf(error);
          return { field: prefix + (field || 'body'), message };
        }),
      );
    }
  }

  private validators(operationId: string): Validators {
    let validators = this.compiled.get(operationId);
    if (!validators) {
      const operation = schemas[operationId];
      if (!operation) {
        throw new Error(`the document has no operation ${operationId}`);
      }
      validators = {
        body: operation.body && this.bodies.compile(operation.body),
        bodyRequired: operation.bodyRequired,
        query: operation.query && this.texts.compile(operation.query),
        headers: operation.headers && this.headerValidator(operation.headers),
      };
      this.compiled.set(operationId, validators);
    }
    return validators;
  }

  private headerValidator(schema: { properties?: object }): HeaderValidator {
    const validate = this.texts.compile(schema);
    return { validate, names: Object.keys(schema.properties ?? {}), areOptional: validate({}) };
  }
}
