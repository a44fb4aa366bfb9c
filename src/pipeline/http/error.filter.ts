import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { newId } from '../../infrastructure/ids/ids';
import { errorText } from '../../infrastructure/logging/error-text';
import { ErrorRenderer } from './error-renderer';

/** Renders every failure that no filter of another module caught: of operations, of other routes, of unknown paths. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  constructor(private readonly errors: ErrorRenderer) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply | ServerResponse>();
    const request = http.getRequest<FastifyRequest>();
    if (reply instanceof ServerResponse) {
      this.answerMiddleware(thrown, request, reply);
      return;
    }
    try {
      await this.errors.render(thrown, request, reply);
    } catch (failure) {
      // Nest does not wait for the promise of a filter, so nobody would answer this failure and the caller would wait
      // on.
      this.logger.error({ message: 'an error could not be answered', error: errorText(failure) });
      reply.raw.destroy();
    }
  }

  /** Middleware of Nest's runs before Fastify's reply is known to it, and fails with Node's own objects. */
  private answerMiddleware(thrown: unknown, request: FastifyRequest, answer: ServerResponse): void {
    const shown = this.errors.shown(thrown, request);
    const requestId = request.id ?? newId();
    if (answer.headersSent) {
      answer.destroy();
      return;
    }
    answer.writeHead(shown.status, {
      ...shown.options.headers,
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': requestId,
    });
    answer.end(this.errors.text(shown, requestId));
  }
}
