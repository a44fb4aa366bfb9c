import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ErrorRenderer } from '../contract/error-renderer';
import { OperationHandler, type Operation } from '../contract/operation-handler';
import { Clock } from '../infrastructure/clock/clock';
import { PipelineCall } from './pipeline-call';
import { Steps } from './steps';

/** Leads every call of every operation through all steps, in their order; the first that fails names the error. */
@Injectable()
export class Pipeline extends OperationHandler {
  constructor(
    private readonly steps: Steps,
    private readonly errors: ErrorRenderer,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async handle(operation: Operation, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const call = new PipelineCall(operation, request.id, this.clock.now());
    request.call = call;
    try {
      for (const step of this.steps.inOrder) {
        const pending = step.run(call, request, reply);
        // To wait for nothing would cost a turn of the queue at every step of every call.
        if (pending !== undefined) {
          await pending;
        }
      }
    } catch (error) {
      await this.errors.render(error, request, reply);
    }
  }
}
