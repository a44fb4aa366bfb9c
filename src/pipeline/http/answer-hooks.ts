import { STATUS_CODES } from 'node:http';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors/api-error';
import { isObject } from '../../infrastructure/json/json-object';
import { idsForLog } from '../client-request-id';
import { errorName, unexpectedError } from '../known-error';
import type { MeteredCall } from '../metered-call';
import { UnchargedCalls } from '../uncharged-calls';
import { ErrorRenderer } from './error-renderer';

/**
 * What holds for every answer, whoever gives it. A filter of another module may answer a failed call without the
 * renderer. Before such an answer leaves, what the call's steps did is taken back and the body gets the fields of the
 * reference.
 */
@Injectable()
export class AnswerHooks implements OnModuleInit {
  private readonly logger = new Logger('Http');

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly errors: ErrorRenderer,
    private readonly uncharged: UnchargedCalls,
  ) {}

  onModuleInit(): void {
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    // Fastify runs this hook only for bodies that are no text yet; the errors that we render ourselves are text
    // already.
    server.addHook('preSerialization', (request, reply, body, done) => {
      done(null, reply.statusCode >= 400 ? this.completed(body, reply.statusCode, request) : body);
    });
    server.addHook('onSend', (request, reply, payload, done) => {
      const { call } = request;
      if (!call || call.isOver) {
        done(null, payload);
      } else {
        this.endUnended(call, request, reply, payload).then((body) => done(null, body), done);
      }
    });
    server.addHook('onResponse', (request, reply, done) => {
      if (request.call) {
        this.end(request.call, reply.statusCode);
      }
      done();
    });
  }

  /**
   * An answer of a call that neither succeeded nor was taken back is another module's. As an error it is right once the
   * call is taken back. As a success it would be one that nobody paid for.
   */
  private async endUnended(
    call: MeteredCall,
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
  ): Promise<unknown> {
    if (call.isOutcomeUnknown) {
      // Whatever this says about the charge may be false.
      reply.raw.destroy();
    }
    const status = reply.statusCode;
    if (status >= 400) {
      await this.errors.takeBack(call, status);
      // Where a guard has answered and lets the call pass all the same, Nest sets the status of success meanwhile.
      reply.code(status);
      return payload;
    }
    const operation = call.policy.operationId;
    this.logger.error({
      message: 'a call was answered past its metering',
      ...idsForLog(call),
      operation,
    });
    const shown = unexpectedError();
    await this.errors.takeBack(call, shown.status);
    reply.code(shown.status).header('content-type', 'application/json; charset=utf-8');
    reply.removeHeader('content-length');
    return JSON.stringify(this.errors.body(shown, request.id));
  }

  /** Ends a call whose answer left past Fastify, or that no answer will follow; one that works ends by itself. */
  private end(call: MeteredCall, status: number): void {
    const pending = call.isOver || call.isWorking ? undefined : this.errors.takeBack(call, status);
    if (pending === undefined) {
      this.uncharged.note(call, status);
    } else {
      void pending.then(() => this.uncharged.note(call, status));
    }
  }

  private completed(body: unknown, status: number, request: FastifyRequest): unknown {
    if (!isObject(body)) {
      return body;
    }
    const named = new ApiError(status, errorName(status), STATUS_CODES[status] ?? 'Error');
    return { ...this.errors.body(named, request.id), ...body };
  }
}
