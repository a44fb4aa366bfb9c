import { Injectable } from '@nestjs/common';
import { OperationTimedOut } from '../core/errors/service-errors';
import { operationTimeoutMs } from './operation-timeouts';
import type { PipelineCall } from './pipeline-call';
import { Step } from './step';

/** Step 7: the controller's work, within the time of its operation; beyond it 504, and the work is told to stop. */
@Injectable()
export class ControllerStep extends Step {
  override run(call: PipelineCall): Promise<void> | void {
    if (call.replay) {
      return;
    }
    const result = call.operation.work(call);
    if (isPromise(result)) {
      return withinTime(call, result);
    }
    call.result = result;
  }
}

/** Any library's: one that was taken for a result would be answered as an empty object. */
function isPromise(result: unknown): result is PromiseLike<unknown> {
  return typeof (result as Partial<PromiseLike<unknown>> | null | undefined)?.then === 'function';
}

function withinTime(call: PipelineCall, work: PromiseLike<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(stop, operationTimeoutMs(call.policy.rate), call, reject);
    const succeed = (result: unknown) => {
      clearTimeout(timer);
      call.result = result;
      resolve();
    };
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    work.then(succeed, fail);
  });
}

function stop(call: PipelineCall, reject: (error: Error) => void): void {
  const error = new OperationTimedOut(operationTimeoutMs(call.policy.rate));
  call.abort(error);
  reject(error);
}
