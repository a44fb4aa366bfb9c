import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { of, type Observable } from 'rxjs';
import type { MeteredCall } from '../metered-call';
import { Metering } from '../metering';
import { SENT } from '../step-8-usage-log';
import { ErrorRenderer } from './error-renderer';
import { HttpCalls } from './http-calls';

/**
 * The money of a call over HTTP. It is the outermost interceptor: interceptors and pipes of other modules run inside
 * it, around the controller. A call that they refuse therefore costs nothing, and an answer that they change is sent as
 * changed.
 */
@Injectable()
export class MeteringInterceptor implements NestInterceptor {
  constructor(
    private readonly calls: HttpCalls,
    private readonly metering: Metering,
    private readonly errors: ErrorRenderer,
  ) {}

  intercept(
    context: ExecutionContext,
    next: CallHandler,
  ): Observable<unknown> | Promise<Observable<unknown>> {
    const call = this.calls.of(context);
    return call === null ? next.handle() : this.meter(call, context.getArgByIndex<FastifyReply>(1), next);
  }

  private async meter(
    call: MeteredCall,
    reply: FastifyReply,
    next: CallHandler,
  ): Promise<Observable<unknown>> {
    try {
      const answer = await this.metering.run(call, () => workOf(call, next));
      if (typeof answer === 'string') {
        reply.header('content-type', call.policy.answerType ?? 'application/json; charset=utf-8');
      }
      // An interceptor may have set another status, but the call was charged for this one.
      reply.code(call.replay?.status ?? call.policy.status);
      // Where the answer has left as a stream the reply is hijacked, and Nest sends nothing more.
      return of(answer === SENT ? undefined : answer);
    } catch (error) {
      if (call.transport.isGone) {
        // Nest tells no filter of an error after the connection of an observable's caller has closed.
        await this.errors.takeBack(call, CLIENT_CLOSED_REQUEST);
      }
      throw error;
    }
  }
}

/** As proxies note a request whose caller did not wait for the answer. */
const CLIENT_CLOSED_REQUEST = 499;

/** The last value of the handler; undefined where it completes without one. An aborted call is subscribed no longer. */
function workOf(call: MeteredCall, next: CallHandler): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let last: unknown;
    const subscription = next.handle().subscribe({
      next: (value: unknown) => {
        last = value;
      },
      error: reject,
      complete: () => resolve(last),
    });
    call.onAbort = () => subscription.unsubscribe();
  });
}
