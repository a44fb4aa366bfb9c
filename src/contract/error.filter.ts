import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ErrorRenderer } from './error-renderer';

/** Failures outside the operations: unknown paths, requests that Fastify could not read, routes of Nest's own. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly errors: ErrorRenderer) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    await this.errors.render(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}
