import { Injectable } from '@nestjs/common';
import fastJsonStringify, { type Schema } from 'fast-json-stringify';
import { definitions, schemas } from '../../../generated/schemas';
import type { OperationPolicy } from '../../contract/operation';

/** The document's named schemas, under the id by which the response schemas refer to them. */
const SHARED = { contract: { $id: 'contract', $defs: definitions } as unknown as Schema };

/** Writes answers by the response schemas of the document, as Fastify does for answers that leave over HTTP. */
@Injectable()
export class ResponseSerializers {
  private readonly compiled = new Map<string, (answer: unknown) => string>();

  /** The serialiser of an operation's successful answer, compiled on its first use. */
  of({ operationId, status }: OperationPolicy): (answer: unknown) => string {
    let serializer = this.compiled.get(operationId);
    if (!serializer) {
      const schema = schemas[operationId]?.responses[String(status)];
      serializer = schema ? fastJsonStringify(schema as Schema, { schema: SHARED }) : writeNothing;
      this.compiled.set(operationId, serializer);
    }
    return serializer;
  }
}

/** For operations whose successful answer has no body. */
function writeNothing(): string {
  return '';
}
