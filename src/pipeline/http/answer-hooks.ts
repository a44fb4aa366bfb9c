import { STATUS_CODES } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors/api-error';
import { isObject } from '../../infrastructure/json/json-object';
import { errorName } from '../known-error';
import { UnchargedCalls } from '../uncharged-calls';
import { ErrorRenderer } from './error-renderer';

/**
 * What holds for every answer, whoever gives it. A filter of another module may answer a failed call without the
 * renderer. Before such an answer leaves, what the call's steps did is taken back and the body gets the fields of the
 * reference.
 */
@Injectable()
export class AnswerHooks implements OnModuleInit {
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
      const pending = this.errors.takeBack(request.call, reply.statusCode);
      if (pending === undefined) {
        done(null, payload);
      } else {
        pending.then(() => done(null, payload), done);
      }
    });
    server.addHook('onResponse', (request, reply, done) => {
      if (request.call) {
        this.uncharged.note(request.call, reply.statusCode);
      }
      done();
    });
  }

  private completed(body: unknown, status: number, request: FastifyRequest): unknown {
    if (!isObject(body)) {
      return body;
    }
    const named = new ApiError(status, errorName(status), STATUS_CODES[status] ?? 'Error');
    return { ...this.errors.body(named, request.id), ...body };
  }
}
