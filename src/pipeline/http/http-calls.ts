import { Injectable, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperationPolicy } from '../../contract/operation';
import { SERVED_OPERATION } from '../../contract/serves.decorator';
import { Clock } from '../../infrastructure/clock/clock';
import { TemporaryFiles } from '../../infrastructure/http/forms/temporary-files';
import { UnsentBytes } from '../../infrastructure/http/unsent-bytes';
import { MeteredCall } from '../metered-call';
import { HttpTransport } from './http-transport';

/**
 * The call that belongs to a context of Nest's. It is made when the first guard asks, and is the same for all later
 * ones.
 */
@Injectable()
export class HttpCalls {
  private readonly policies = new Map<object, OperationPolicy | null>();

  constructor(
    private readonly clock: Clock,
    private readonly unsent: UnsentBytes,
    private readonly files: TemporaryFiles,
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
    const transport = new HttpTransport(request, reply, policy.status, this.unsent, this.files);
    request.call = new MeteredCall(policy, transport, this.clock.now());
    return request.call;
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
