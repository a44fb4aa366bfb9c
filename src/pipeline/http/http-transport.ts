import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperationPolicy } from '../../contract/operation';
import { ClientGone } from '../../core/errors/service-errors';
import { addressBlock } from '../../core/access/rate-limits/address-block';
import type { BodyOwner, BodyRoom } from '../../infrastructure/http/body-budget';
import { readJsonBody, takeBodyRoom } from '../../infrastructure/http/json-bodies';
import { readFormBody, takeFormRoom, type FormFields } from '../../infrastructure/http/forms/form-bodies';
import { hasBody } from '../../infrastructure/http/read-body';
import type {
  AnswerHead,
  AnswerStream,
  CallTransport,
  PresentedSecrets,
  UnvalidatedInput,
} from '../call-transport';
import { clientRequestId } from '../client-request-id';
import type { MeteredCall } from '../metered-call';
import { isCallerGone, onCallerGone } from './caller-gone';
import { EVENT_STREAM_HEADERS, SentStream } from './sent-stream';
import type { SharedBounds } from './shared-bounds';

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
    const { authorization } = this.request.headers;
    const bearer = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
    return { kind: 'secrets', apiKey: this.header('x-api-key'), bearer: bearer ?? null };
  }

  get idempotencyKey(): string | null {
    const value = this.request.headers['idempotency-key'];
    return typeof value === 'string' ? value : null;
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
  readBody(bytesMax: number | null, form: FormFields | null): Promise<void> | void {
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
      readJsonBody(request, { bytesMax, room }, (isWhole) =>
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

  private header(name: string): string | null {
    const value = this.request.headers[name];
    return typeof value === 'string' && value !== '' ? value : null;
  }
}
