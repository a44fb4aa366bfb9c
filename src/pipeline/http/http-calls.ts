import { Injectable, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperationPolicy } from '../../contract/operation';
import { SERVED_OPERATION } from '../../contract/serves.decorator';
import { Clock } from '../../infrastructure/clock/clock';
import { Tracing } from '../../infrastructure/tracing/span';
import { readTraceParent } from '../../infrastructure/tracing/trace-parent';
import { factsOf } from '../call-span';
import { MeteredCall } from '../metered-call';
import { HttpTransport } from './http-transport';
import { SharedBounds } from './shared-bounds';

/**
 * The call that belongs to a context of Nest's. It is made when the first guard asks, and is the same for all later
 * ones.
 */
@Injectable()
export class HttpCalls {
  private readonly policies = new Map<object, OperationPolicy | null>();

  constructor(
    private readonly clock: Clock,
    private readonly bounds: SharedBounds,
    private readonly tracing: Tracing,
  ) {}

  /** Null where the context is not one of HTTP, or its route is no operation that @Serves bound. */
  of(context: ExecutionContext): MeteredCall | null {
    if (context.getType() !== 'http') {
      return null;
    }
    const request = context.getArgByIndex<FastifyRequest>(0);
    if (request.call) {
      return request.call;
    }
    const policy = this.policyOf(context.getHandler());
    if (policy === null) {
      return null;
    }
    const reply = context.getArgByIndex<FastifyReply>(1);
    const transport = new HttpTransport(request, reply, policy.status, this.bounds);
    request.call = new MeteredCall(policy, transport, this.clock.now());
    if (this.tracing.isOn && policy.rate !== 'health') {
      this.trace(request.call, request, reply);
    }
    return request.call;
  }

  /** Nothing of the request goes into the span but its traceparent; a caller's baggage and tracestate are not read. */
  private trace(call: MeteredCall, request: FastifyRequest, reply: FastifyReply): void {
    const { operationId } = call.policy;
    const given = request.headers.traceparent;
    const parent = typeof given === 'string' && readTraceParent(given) ? given : null;
    const span = this.tracing.serve(operationId, { requestId: call.requestId, parent }, factsOf(call));
    call.span = span;
    call.traceParent = parent;
    // Whichever way the answer leaves, and also where there is none because the caller went away.
    reply.raw.once('close', () => {
      const status = reply.raw.statusCode;
      span?.end({ 'http.response.status_code': status }, status >= 500 ? String(status) : null);
    });
  }

  private policyOf(handler: object): OperationPolicy | null {
    let policy = this.policies.get(handler);
    if (policy === undefined) {
      policy = (Reflect.getMetadata(SERVED_OPERATION, handler) as OperationPolicy | undefined) ?? null;
      this.policies.set(handler, policy);
    }
    return policy;
  }
}
