import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
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

/** An answer that leaves once its call is taken back. */
interface PendingAnswer {
  status: number;
  contentType: HeaderValue;
  body: unknown;
}

type HeaderValue = ReturnType<FastifyReply['getHeader']>;

/**
 * What holds for every answer, whoever gives it. A filter of another module may answer a failed call without the
 * renderer. Before such an answer leaves, what the call's steps did is taken back and the body gets the fields of the
 * reference.
 */
@Injectable()
export class AnswerHooks implements OnModuleInit {
  private readonly logger = new Logger('Http');
  /** Requests whose answer waits until their call is taken back. A second answer meanwhile, as Nest's own, is dropped. */
  private readonly pending = new WeakSet<FastifyRequest>();

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
      if (this.pending.has(request)) {
        // Fastify would send whichever is ready first. Without `done` this one never leaves, and the first one ends the
        // request.
        destroyStream(payload);
      } else if (!call || call.isOver) {
        done(null, payload);
      } else {
        this.pending.add(request);
        this.endUnended(call, request, reply, payload).then(
          ({ status, contentType, body }) =>
            this.leave(request, reply, () => {
              // Nest may have set those of another answer meanwhile.
              reply.code(status).removeHeader('content-type');
              if (contentType !== undefined) {
                reply.header('content-type', contentType);
              }
              done(null, body);
            }),
          (failure) => this.leave(request, reply, () => done(failure as Error)),
        );
      }
    });
    server.addHook('onResponse', (request, reply, done) => {
      if (request.call) {
        this.end(request.call, reply.statusCode);
      }
      done();
    });
  }

  /** Sends the answer that was pending, unless another one has left past Fastify meanwhile. */
  private leave(request: FastifyRequest, reply: FastifyReply, send: () => void): void {
    this.pending.delete(request);
    if (!reply.raw.headersSent) {
      send();
    }
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
  ): Promise<PendingAnswer> {
    if (call.isOutcomeUnknown) {
      // Whatever this says about the charge may be false.
      reply.raw.destroy();
    }
    const status = reply.statusCode;
    if (status >= 400) {
      const contentType = reply.getHeader('content-type');
      await this.errors.takeBack(call, status);
      return { status, contentType, body: payload };
    }
    const operation = call.policy.operationId;
    this.logger.error({
      message: 'a call was answered past its metering',
      ...idsForLog(call),
      operation,
    });
    const shown = unexpectedError();
    await this.errors.takeBack(call, shown.status);
    reply.removeHeader('content-length');
    return {
      status: shown.status,
      contentType: 'application/json; charset=utf-8',
      body: JSON.stringify(this.errors.body(shown, request.id)),
    };
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

/** So that what a dropped answer would have been read from, as a file, does not stay open. */
function destroyStream(payload: unknown): void {
  if (payload instanceof Readable) {
    payload.destroy();
  }
}
