import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ErrorRenderer } from './error-renderer';

/** Renders every failure that no filter of another module caught: of operations, of other routes, of unknown paths. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly errors: ErrorRenderer) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    try {
      await this.errors.render(thrown, http.getRequest<FastifyRequest>(), reply);
    } catch {
      // Nest does not wait for the promise of a filter, so nobody would answer this failure and the caller would wait
      // on.
      reply.raw.destroy();
    }
  }
}
