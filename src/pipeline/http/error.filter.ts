import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ErrorRenderer } from './error-renderer';

/** Every failure that no filter of another module has caught: of operations, of other routes, of unknown paths. */
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
      // Nest hears of nothing that a filter throws later, and the caller would wait for an answer that never comes.
      this.logger.error({ message: 'an error could not be answered', error: String(failure) });
      reply.raw.destroy();
    }
  }
}
