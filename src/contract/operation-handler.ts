import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallState } from './call-state';
import type { OperationPolicy } from './operation';

/** An operation as its route serves it. */
export interface Operation {
  readonly policy: OperationPolicy;
  /** The controller's method, given its one parameter; its result or the promise of it. */
  work(call: CallState): unknown;
}

/** What a call passes between its route and its answer. The pipeline implements it. */
export abstract class OperationHandler {
  /** Answers the request, whatever happens. */
  abstract handle(operation: Operation, request: FastifyRequest, reply: FastifyReply): Promise<void>;
}
