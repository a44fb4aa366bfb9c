import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorText } from '../../infrastructure/logging/error-text';
import { ErrorRenderer } from './error-renderer';

/** Renders every failure that no filter of another module caught: of operations, of other routes, of unknown paths. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  constructor(private readonly errors: ErrorRenderer) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    try {
      await this.errors.render(thrown, http.getRequest<FastifyRequest>(), reply);
    } catch (failure) {
      // Nest does not wait for the promise of a filter, so nobody would answer this failure and the caller would wait
      // on.
      this.logger.error({ message: 'an error could not be answered', error: errorText(failure) });
      reply.raw.destroy();
    }
  }
}
