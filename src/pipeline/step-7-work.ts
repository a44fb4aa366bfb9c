import { Injectable } from '@nestjs/common';
import { operationTimeoutMs } from '../contract/operation';
import { CallCancelled, ClientGone, OperationTimedOut } from '../errors/api-errors';
import type { MeteredCall } from './metered-call';

/** Begins the work of a call, and calls one of the two once: with what it returned, or with what it threw. */
export type Work = (done: (result: unknown) => void, failed: (error: unknown) => void) => void;

/**
 * Step 7: the operation's work. When its time is over, the call is answered with 504 and the work is told to stop. A
 * model's work is also stopped when its caller goes away, because nobody would read the answer; the call then knows what
 * has to be paid for. It goes on where the call has an Idempotency-Key and asks for no stream: the caller may come back
 * for the stored answer. A call from within the service may be cancelled whatever its class: what asks an upstream ends at
 * once, because what it has used is known and paid for. Any other work is told to stop and waited for: what it has done all
 * the same, such as a document that it stored, is its result and is paid for.
 */
@Injectable()
export class WorkStep {
  /** @returns what the work returns */
  run(call: MeteredCall, work: Work): Promise<unknown> {
    const isOfUseToCallerAlone = call.policy.rate === 'llm' && (!call.claim || call.asksForStream);
    return new Promise((resolve, reject) => {
      const timeoutMs = operationTimeoutMs(call.policy.rate);
      const timer = setTimeout(() => {
        const error = new OperationTimedOut(timeoutMs);
        call.abort(error);
        fail(error);
      }, timeoutMs);
      const leave = () => {
        const error = new ClientGone();
        call.leave(error);
        fail(error);
      };
      const stopWatching = isOfUseToCallerAlone ? call.transport.onGone(leave) : null;
      const { cancel } = call.terms;
      let cancelled: Error | null = null;
      const halt = () => {
        const error = cancel?.reason as Error;
        call.halt(error);
        if (error instanceof CallCancelled && !call.useWhenLeft) {
          cancelled = error;
        } else {
          fail(error);
        }
      };
      cancel?.addEventListener('abort', halt, { once: true });
      const end = () => {
        clearTimeout(timer);
        stopWatching?.();
        cancel?.removeEventListener('abort', halt);
      };
      const fail = (error: unknown) => {
        end();
        reject(cancelled ?? (error as Error));
      };
      try {
        work((result) => {
          end();
          resolve(result);
        }, fail);
      } catch (error) {
        fail(error);
      }
      if (stopWatching && call.transport.isGone) {
        leave();
      }
      if (cancel?.aborted) {
        halt();
      }
    });
  }
}
