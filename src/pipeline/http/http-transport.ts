import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressBlock } from '../../accounts/rate-limiter';
import type { OperationPolicy } from '../../contract/operation';
import { ClientGone } from '../../errors/api-errors';
import { type BodyOwner, type BodyRoom, hasBody, unreadBytesMax } from '../../http/request-body';
import { type FormFields, readFormBody, takeFormRoom } from '../../http/form-bodies';
import { readJsonBody, takeBodyRoom } from '../../http/json-bodies';
import { UnsentBytes } from '../../http/http-server';
import { TemporaryFiles } from '../../http/uploaded-files';
import {
  type AnswerHead,
  type AnswerStream,
  type CallTransport,
  clientRequestId,
  type PresentedSecrets,
  type UnvalidatedInput,
} from '../call-transport';
import type { MeteredCall } from '../metered-call';

/** What all requests of this process share, and each may have only a part of. */
@Injectable()
export class SharedBounds {
  constructor(
    readonly unsent: UnsentBytes,
    readonly files: TemporaryFiles,
  ) {}
}

/** Whether nobody can read the answer any more. */
function isCallerGone(answer: ServerResponse): boolean {
  return answer.destroyed || answer.req.socket.destroyed;
}

/**
 * Calls `gone` once when the connection of an answer closes before the watch ends. Node does not tell an answer that
 * still waits for an earlier one on the same connection, so the connection itself is watched too. Returns what ends the
 * watch.
 */
function onCallerGone(answer: ServerResponse, gone: () => void): () => void {
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

/** Of an answer of server-sent events. */
const EVENT_STREAM_HEADERS = Object.freeze({
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
});

/**
 * One answer sent piece by piece. It begins with all headers that the answer has by then. It buffers no more
 * than what one write leaves over, because `write` resolves only when the client has read. The connection of one that
 * does not read is ended (src/http/http-server.ts).
 */
class SentStream implements AnswerStream {
  private readonly raw: ServerResponse;
  private readonly stopWatching: () => void;

  /**
   * @param head the answer's status and the headers of its own
   * @param gone is called once when the client closes the connection before the end
   * @param hold counts bytes that wait for the client, until what it returns is called
   */
  constructor(
    reply: FastifyReply,
    { status, headers }: AnswerHead,
    gone: () => void,
    private readonly hold: (bytes: number) => () => void,
  ) {
    reply.hijack();
    this.raw = reply.raw;
    // A connection that is reset also closes, which is watched; but an error without a listener would end the process.
    this.raw.on('error', () => undefined);
    this.stopWatching = onCallerGone(this.raw, gone);
    this.raw.writeHead(status, {
      ...(reply.getHeaders() as Record<string, string>),
      ...headers,
    });
    this.raw.flushHeaders();
  }

  get takesBody(): boolean {
    const { statusCode, req } = this.raw;
    return req.method !== 'HEAD' && statusCode !== 304;
  }

  get isGone(): boolean {
    return isCallerGone(this.raw);
  }

  async write(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    if (this.raw.destroyed || signal.aborted || this.raw.write(bytes)) {
      return;
    }
    const release = this.hold(bytes.length);
    await new Promise<void>((resolve) => {
      const done = () => {
        release();
        this.raw.off('drain', done);
        this.raw.off('close', done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.raw.on('drain', done);
      this.raw.on('close', done);
      signal.addEventListener('abort', done);
    });
  }

  end(bytes: Uint8Array): void {
    this.stopWatching();
    if (this.isGone) {
      this.raw.destroy();
      return;
    }
    this.raw.end(bytes);
  }

  /** Breaks the connection without an end, as if the service had died. */
  destroy(): void {
    this.stopWatching();
    this.raw.destroy();
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the first guard; absent on routes that are no operation. */
    call?: MeteredCall;
  }
  interface FastifyContextConfig {
    operation?: OperationPolicy;
  }
}

const BEARER = /^Bearer\s+(\S+)\s*$/i;

/** The transport of a call that came as an HTTP request and is answered with its reply. */
export class HttpTransport implements CallTransport {
  readonly isReadOutside = true;
  private bodyRoom: BodyRoom | null = null;
  private presented: PresentedSecrets | null = null;

  constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
    /** Of the operation's success, by which Fastify chooses the schema. */
    private readonly status: number,
    private readonly bounds: SharedBounds,
  ) {}

  get requestId(): string {
    return this.request.id;
  }

  get clientRequestId(): string | null {
    return clientRequestId(this.request.headers['x-request-id']);
  }

  get address(): string {
    return this.request.ip;
  }

  get caller(): PresentedSecrets {
    return (this.presented ??= this.readSecrets());
  }

  get idempotencyKey(): string | null {
    const value = this.request.headers['idempotency-key'];
    return typeof value === 'string' ? value : null;
  }

  get unreadBytesMax(): number {
    return unreadBytesMax(this.request.raw);
  }

  get input(): UnvalidatedInput {
    const { params, query, body, headers, bodyFault, bodyLength, uploadedFile: file } = this.request;
    return {
      params: params as Record<string, string>,
      query: query as Record<string, unknown>,
      body,
      headers,
      bodyFault: bodyFault ?? null,
      bodyLength: bodyLength ?? 0,
      upload: file ? { file, remove: () => void this.bounds.files.remove(file.path) } : null,
    };
  }

  /** Leaves the body of a request alone that a parser of another module has read. */
  readBody(bytesMax: number | null, form: FormFields | null, takesEncoded: boolean): Promise<void> | void {
    const { request } = this;
    if (bytesMax === null || request.body !== undefined || !hasBody(request.raw)) {
      return;
    }
    if (form !== null) {
      return this.readForm(bytesMax, form);
    }
    const room = takeBodyRoom(request, this.bodyOwner);
    this.bodyRoom = room;
    return new Promise((resolve, reject) => {
      readJsonBody(request, { bytesMax, room, takesEncoded }, (isWhole) =>
        isWhole ? resolve() : reject(new ClientGone()),
      );
    });
  }

  leaveBody(): void {
    this.bodyRoom?.leave();
  }

  get isGone(): boolean {
    return isCallerGone(this.reply.raw);
  }

  onGone(gone: () => void): () => void {
    return onCallerGone(this.reply.raw, gone);
  }

  setHeaders(headers: Readonly<Record<string, string | number>>): void {
    this.reply.headers(headers);
  }

  serialize(answer: unknown): string {
    return this.reply.code(this.status).serialize(answer) as string;
  }

  openStream(gone: () => void, head: AnswerHead | null = null): AnswerStream {
    const { status, headers } = head ?? { status: this.status, headers: EVENT_STREAM_HEADERS };
    const hold = (bytes: number) => this.bounds.unsent.hold(this.accountId, bytes);
    return new SentStream(this.reply, { status, headers }, gone, hold);
  }

  private get accountId(): string | null {
    return this.request.call?.account?.id ?? null;
  }

  /** A stranger is known by the block of addresses that rates are counted under. */
  private get bodyOwner(): BodyOwner {
    const { accountId } = this;
    return accountId === null ? { address: addressBlock(this.address) } : { accountId };
  }

  private async readForm(bytesMax: number, form: FormFields): Promise<void> {
    const room = takeFormRoom(this.request, this.bodyOwner);
    this.bodyRoom = room;
    const bounds = { bytesMax, form, owner: this.accountId, room };
    if (!(await readFormBody(this.request, bounds, this.bounds.files))) {
      throw new ClientGone();
    }
  }

  private readSecrets(): PresentedSecrets {
    const { authorization } = this.request.headers;
    const bearer = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
    const apiKey = this.header('x-api-key') ?? this.header('api-key');
    return { kind: 'secrets', apiKey, bearer: bearer ?? null };
  }

  private header(name: string): string | null {
    const value = this.request.headers[name];
    return typeof value === 'string' && value !== '' ? value : null;
  }
}
