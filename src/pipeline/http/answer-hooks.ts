import { type ServerResponse, STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors/api-errors';
import { UnsentBytes } from '../../http/http-server';
import { type Counter, type Histogram, Metrics, RecentLatencies } from '../../observability/metrics';
import { isObject } from '../../runtime/json';
import type { AnswerHead, AnswerStream } from '../call-transport';
import { errorName, unexpectedError } from '../known-error';
import { idsForLog, type MeteredCall } from '../metered-call';
import { UnchargedCalls } from '../uncharged-calls';
import { ErrorRenderer } from './error-renderer';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

interface OperationSeries {
  seconds: Histogram;
  answers: Map<number, Counter>;
}

/** Unknown paths are not counted, or they could fill the memory; nor are clients that hung up. */
@Injectable()
export class HttpMetrics {
  private readonly answers;
  private readonly seconds;
  private readonly series = new Map<string, OperationSeries>();

  constructor(
    metrics: Metrics,
    private readonly recent: RecentLatencies,
  ) {
    this.answers = metrics.counter(
      'http_requests_total',
      'Answers, by operation of the document and status.',
    );
    this.seconds = metrics.histogram(
      'http_request_seconds',
      'Time from a request to the end of its answer.',
      SECONDS,
    );
  }

  /** Reads routeOptions only without a call: Fastify builds an object for each access. */
  note(request: FastifyRequest, reply: FastifyReply): void {
    const operation = request.call?.policy ?? request.routeOptions.config.operation;
    if (!operation) {
      return;
    }
    const { operationId, rate } = operation;
    const { seconds, answers } = this.series.get(operationId) ?? this.begin(operationId);
    seconds.observe(reply.elapsedTime / 1000);
    let tally = answers.get(reply.statusCode);
    if (!tally) {
      tally = this.answers.labelled({ operation: operationId, status: String(reply.statusCode) });
      answers.set(reply.statusCode, tally);
    }
    tally.add();
    // Refusals take no work, and a client refused all the time would make all look fast.
    if (rate !== 'health' && (reply.statusCode < 400 || reply.statusCode > 499)) {
      this.recent.note(rate, reply.elapsedTime);
    }
  }

  private begin(operation: string): OperationSeries {
    const series = { seconds: this.seconds.labelled({ operation }), answers: new Map<number, Counter>() };
    this.series.set(operation, series);
    return series;
  }
}

interface PendingAnswer {
  status: number;
  contentType: ReturnType<FastifyReply['getHeader']>;
  body: unknown;
}

/** Undoes a failed call's steps before another module's filter answers it. */
@Injectable()
export class AnswerHooks implements OnModuleInit {
  private readonly logger = new Logger('Http');
  /** Answers waiting until their call is undone. A second one meanwhile, such as Nest's own, is dropped. */
  private readonly pending = new WeakSet<FastifyRequest>();

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly errors: ErrorRenderer,
    private readonly uncharged: UnchargedCalls,
    private readonly unsent: UnsentBytes,
    private readonly metrics: HttpMetrics,
  ) {}

  onModuleInit(): void {
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    // Fastify skips this hook for texts; our rendered errors are texts already.
    server.addHook('preSerialization', (request, reply, body, done) => {
      done(null, reply.statusCode >= 400 ? this.completed(body, reply.statusCode, request) : body);
    });
    server.addHook('onSend', (request, reply, payload, done) => {
      const { call } = request;
      if (this.pending.has(request)) {
        // Without `done` this one never leaves: the first answer ends the request. Its source file is closed.
        if (payload instanceof Readable) {
          payload.destroy();
        }
      } else if (!call || call.isOver) {
        this.count(call, payload, reply.raw);
        done(null, payload);
      } else {
        this.pending.add(request);
        this.endUnended(call, request, reply, payload).then(
          ({ status, contentType, body }) =>
            this.leave(request, reply, () => {
              // Nest may have set another answer's values meanwhile.
              reply.code(status).removeHeader('content-type');
              if (contentType !== undefined) {
                reply.header('content-type', contentType);
              }
              this.count(call, body, reply.raw);
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
      this.metrics.note(request, reply);
      done();
    });
  }

  /** Counts unsent text answers. A Buffer is in memory only once. */
  private count(call: MeteredCall | undefined, payload: unknown, answer: ServerResponse): void {
    if (typeof payload === 'string' && payload.length >= COUNTED_FROM_CHARACTERS) {
      holdUntilSent(this.unsent, call?.account?.id ?? null, { bytes: Buffer.byteLength(payload), answer });
    }
  }

  private leave(request: FastifyRequest, reply: FastifyReply, send: () => void): void {
    this.pending.delete(request);
    if (!reply.raw.headersSent) {
      send();
    }
  }

  /** Another module's answer: an error is right once the call is undone, but a success was not paid for. */
  private async endUnended(
    call: MeteredCall,
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
  ): Promise<PendingAnswer> {
    if (call.isOutcomeUnknown) {
      // It could be false about the charge.
      reply.raw.destroy();
    }
    const status = reply.statusCode;
    if (status >= 400) {
      const contentType = reply.getHeader('content-type');
      await this.errors.takeBack(call, status);
      return { status, contentType, body: payload };
    }
    const operation = call.policy.operationId;
    this.logger.error({ message: 'a call was answered past its metering', ...idsForLog(call), operation });
    const shown = unexpectedError();
    await this.errors.takeBack(call, shown.status);
    reply.removeHeader('content-length');
    return {
      status: shown.status,
      contentType: 'application/json; charset=utf-8',
      body: this.errors.text(shown, request),
    };
  }

  private end(call: MeteredCall, status: number): void {
    const pending = call.isOver || call.isWorking ? undefined : this.errors.takeBack(call, status);
    const note = () => {
      if (call.isUncharged) {
        this.uncharged.note(call, status);
      }
    };
    void (pending === undefined ? note() : pending.then(note));
  }

  private completed(body: unknown, status: number, request: FastifyRequest): unknown {
    if (!isObject(body)) {
      return body;
    }
    const named = new ApiError(status, errorName(status), STATUS_CODES[status] ?? 'Error');
    return this.errors.body(named, request, body);
  }
}

/** A connection has only a few smaller answers (src/http/http-server.ts). */
const COUNTED_FROM_CHARACTERS = 16 * 1024;

function holdUntilSent(
  unsent: UnsentBytes,
  accountId: string | null,
  { bytes, answer }: { bytes: number; answer: ServerResponse },
): void {
  const release = unsent.hold(accountId, bytes);
  const { socket } = answer.req;
  const end = () => {
    release();
    answer.off('finish', end).off('close', end);
    socket.off('close', end);
  };
  answer.on('finish', end).on('close', end);
  // Node emits no close on an answer queued behind an earlier one.
  socket.on('close', end);
  if (socket.destroyed) {
    end();
  }
}

export function isCallerGone(answer: ServerResponse): boolean {
  return answer.destroyed || answer.req.socket.destroyed;
}

export function onCallerGone(answer: ServerResponse, gone: () => void): () => void {
  const { socket } = answer.req;
  const stop = () => {
    answer.off('close', leave);
    socket.off('close', leave);
  };
  const leave = () => {
    stop();
    gone();
  };
  answer.on('close', leave);
  socket.on('close', leave);
  return stop;
}

export const EVENT_STREAM_HEADERS = Object.freeze({
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
});

/** `write` waits for the client to read; src/http/http-server.ts cuts off one that does not. */
export class SentStream implements AnswerStream {
  private readonly raw: ServerResponse;
  private readonly stopWatching: () => void;
  private hasSent = false;

  /** @param hold counts bytes that wait for the client, until the returned function is called */
  constructor(
    reply: FastifyReply,
    { status, headers }: AnswerHead,
    gone: () => void,
    private readonly hold: (bytes: number) => () => void,
  ) {
    reply.hijack();
    this.raw = reply.raw;
    // A reset also closes, which is watched; an error without a listener would end the process.
    this.raw.on('error', () => undefined);
    this.stopWatching = onCallerGone(this.raw, gone);
    this.raw.writeHead(status, {
      ...(reply.getHeaders() as Record<string, string>),
      ...headers,
    });
    // Sends the head with the first piece: a write of its own costs as much.
    setImmediate(() => this.hasSent || this.raw.flushHeaders());
  }

  get takesBody(): boolean {
    const { statusCode, req } = this.raw;
    return req.method !== 'HEAD' && statusCode !== 304;
  }

  get isGone(): boolean {
    return isCallerGone(this.raw);
  }

  write(bytes: Uint8Array, signal: AbortSignal): Promise<void> | void {
    this.hasSent = true;
    if (this.raw.destroyed || signal.aborted || this.raw.write(bytes)) {
      return;
    }
    const release = this.hold(bytes.length);
    return new Promise<void>((resolve) => {
      const done = () => {
        release();
        this.raw.off('drain', done).off('close', done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.raw.on('drain', done).on('close', done);
      signal.addEventListener('abort', done);
    });
  }

  end(bytes: Uint8Array): void {
    this.hasSent = true;
    this.stopWatching();
    if (this.isGone) {
      this.raw.destroy();
      return;
    }
    this.raw.end(bytes);
  }

  destroy(): void {
    this.stopWatching();
    // Node sends what was written at the end of this turn of the event loop.
    setImmediate(() => this.raw.destroy());
  }
}
