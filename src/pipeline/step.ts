import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PipelineCall } from './pipeline-call';

/**
 * One step of the pipeline. It leaves on the call what later steps need, and throws what ends the call. A step that has
 * nothing to wait for returns no promise, so that the next one follows at once.
 */
export abstract class Step {
  abstract run(call: PipelineCall, request: FastifyRequest, reply: FastifyReply): Promise<void> | void;
}
