import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { CallState } from '../contract/call-state';

/** The call on its way through the pipeline; null on routes that are no operation, and for socket messages. */
export function callOf(context: ExecutionContext): CallState | null {
  if (context.getType() !== 'http') {
    return null;
  }
  return context.switchToHttp().getRequest<FastifyRequest>().call ?? null;
}
