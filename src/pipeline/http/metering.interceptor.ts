import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { lastValueFrom, of, type Observable } from 'rxjs';
import type { MeteredCall } from '../metered-call';
import { Metering } from '../metering';
import { SENT } from '../step-8-usage-log';
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
    const answer = await this.metering.run(call, () => lastValueFrom(next.handle(), NOTHING));
    if (typeof answer === 'string') {
      reply.header('content-type', 'application/json; charset=utf-8');
    }
    // Where the answer has left as a stream the reply is hijacked, and Nest sends nothing more.
    return of(answer === SENT ? undefined : answer);
  }
}

/** Makes a handler whose observable completes without a value answer undefined, where rxjs would throw. */
const NOTHING = { defaultValue: undefined };
