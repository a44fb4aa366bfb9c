import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ClientGone, OperationTimedOut } from '../core/errors/service-errors';
import { operationTimeoutMs } from './operation-timeouts';
import { isCallerGone, onCallerGone } from './caller-gone';
import type { PipelineCall } from './pipeline-call';
import { Step } from './step';

/**
 * Step 7: the controller's work, within the time of its operation; beyond it 504, and the work is told to stop. So is a
 * model's work whose caller has gone away, which nobody would read or pay for: unless an Idempotency-Key announces that
 * the caller may come back for its answer.
 */
@Injectable()
export class ControllerStep extends Step {
  override run(call: PipelineCall, _: FastifyRequest, reply: FastifyReply): Promise<void> | void {
    if (call.replay) {
      return;
    }
    const result = call.operation.work(call);
    if (isPromise(result)) {
      const isOfUseToCallerAlone = call.policy.rate === 'llm' && (!call.claim || call.asksForStream);
      return withinTime(call, result, isOfUseToCallerAlone ? reply.raw : null);
    }
    call.result = result;
  }
}

/** Any library's: one that was taken for a result would be answered as an empty object. */
function isPromise(result: unknown): result is PromiseLike<unknown> {
  return typeof (result as Partial<PromiseLike<unknown>> | null | undefined)?.then === 'function';
}

/** @param answer ends the work when its connection closes; null for work that goes on without a caller */
function withinTime(
  call: PipelineCall,
  work: PromiseLike<unknown>,
  answer: ServerResponse | null,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (error: Error) => {
      call.abort(error);
      fail(error);
    };
    const timeoutMs = operationTimeoutMs(call.policy.rate);
    const timer = setTimeout(() => stop(new OperationTimedOut(timeoutMs)), timeoutMs);
    const leave = () => stop(new ClientGone());
    const stopWatching = answer && onCallerGone(answer, leave);
    const end = () => {
      clearTimeout(timer);
      stopWatching?.();
    };
    const succeed = (result: unknown) => {
      end();
      call.result = result;
      resolve();
    };
    const fail = (error: Error) => {
      end();
      reject(error);
    };
    work.then(succeed, fail);
    if (answer && isCallerGone(answer)) {
      leave();
    }
  });
}
