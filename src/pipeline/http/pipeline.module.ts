import {
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  Module,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Observable, of } from 'rxjs';
import { type OperationPolicy, SERVED_OPERATION } from '../../contract/operation';
import { Configuration } from '../../config/configuration';
import { type ConsoleRequest, consoleRequest } from '../../http/console-requests';
import { TemporaryFiles, type UploadedFile } from '../../http/uploaded-files';
import { readTraceParent, Tracing } from '../../observability/tracing';
import { Clock } from '../../runtime/clock';
import { CallsModule } from '../calls.module';
import { type AdmittedCall, clientRequestId, MeteredCall, SentAnswer } from '../metered-call';
import { Metering, type Work } from '../metering';
import { Admission, factsOf } from '../admission';
import {
  AnswerHooks,
  EVENT_STREAM_HEADERS,
  HttpMetrics,
  isCallerGone,
  onCallerGone,
  SentStream,
} from './answer-hooks';
import { ErrorFilter, ErrorRenderer } from './error-renderer';
import { ClientGone } from '../../errors/api-errors';
import {
  type BodyOwner,
  type BodyRoom,
  hasBody,
  takeBodyRoom,
  unreadBytesMax,
} from '../../http/request-body';
import { type FormFields, readFormBody, takeFormRoom } from '../../http/form-bodies';
import { readJsonBody } from '../../http/json-bodies';
import { addressBlock, UnsentBytes } from '../../http/http-server';
import type {
  AnswerHead,
  AnswerStream,
  CallTransport,
  PresentedSecrets,
  UnvalidatedInput,
} from '../call-transport';

@Injectable()
export class SharedBounds {
  constructor(
    readonly unsent: UnsentBytes,
    readonly files: TemporaryFiles,
    readonly configuration: Configuration,
  ) {}
}

declare module 'fastify' {
  interface FastifyRequest {
    call?: MeteredCall;
  }
  interface FastifyContextConfig {
    operation?: OperationPolicy;
  }
}

const BEARER = /^Bearer\s+(\S+)\s*$/i;

export class HttpTransport implements CallTransport {
  readonly isReadOutside = true;
  private bodyRoom: BodyRoom | null = null;
  private presented: PresentedSecrets | null = null;

  constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
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

  get page(): ConsoleRequest {
    return consoleRequest(this.request, this.bounds.configuration.publicUrl);
  }

  get idempotencyKey(): string | null {
    const value = this.request.headers['idempotency-key'];
    return typeof value === 'string' ? value : null;
  }

  get unreadBytesMax(): number {
    return unreadBytesMax(this.request.raw);
  }

  get input(): UnvalidatedInput {
    const { params, query, body, headers, bodyFault, bodyLength } = this.request;
    return {
      params: params as Record<string, string>,
      query: query as Record<string, unknown>,
      body,
      headers,
      bodyFault: bodyFault ?? null,
      bodyLength: bodyLength ?? 0,
    };
  }

  /** A body that another module's parser has read is left alone. */
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

  get file(): UploadedFile | null {
    return this.request.uploadedFile ?? null;
  }

  leaveBody(): void {
    this.bodyRoom?.leave();
    if (this.file) {
      void this.bounds.files.remove(this.file.path);
    }
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
    const isShown = authorization !== undefined || apiKey !== null;
    return { kind: 'secrets', apiKey, bearer: bearer ?? null, session: isShown ? null : this.session() };
  }

  private session(): PresentedSecrets['session'] {
    if (this.request.headers.cookie === undefined) {
      return null;
    }
    const { cookie, fault } = this.page;
    return cookie === null ? null : { cookie, fault };
  }

  private header(name: string): string | null {
    const value = this.request.headers[name];
    return typeof value === 'string' && value !== '' ? value : null;
  }
}

const ADMITTED = () => true;

/** Refuses by throwing. Passes what is no operation: other routes and socket messages. */
@Injectable()
class AdmissionGuard implements CanActivate {
  private readonly policies = new Map<object, OperationPolicy | null>();

  constructor(
    private readonly admission: Admission,
    private readonly clock: Clock,
    private readonly bounds: SharedBounds,
    private readonly tracing: Tracing,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const policy = context.getType() === 'http' ? this.policyOf(context.getHandler()) : null;
    if (policy === null) {
      return true;
    }
    const [request, reply] = context.getArgs<[FastifyRequest, FastifyReply]>();
    const transport = new HttpTransport(request, reply, policy.status, this.bounds);
    const call = new MeteredCall(policy, transport, this.clock.now());
    request.call = call;
    if (this.tracing.isOn && policy.rate !== 'health') {
      this.trace(call, request, reply);
    }
    return this.admission.run(call).then(ADMITTED);
  }

  /** Only the traceparent goes into the span; baggage and tracestate are not read. */
  private trace(call: MeteredCall, request: FastifyRequest, reply: FastifyReply): void {
    const { operationId } = call.policy;
    const header = request.headers.traceparent;
    const parent = typeof header === 'string' && readTraceParent(header) ? header : null;
    const span = this.tracing.serve(operationId, { requestId: call.requestId, parent }, factsOf(call));
    call.span = span;
    call.traceParent = parent;
    reply.raw.once('close', () => {
      // Until the head is sent it is 200, whatever comes.
      const status = reply.raw.headersSent ? reply.raw.statusCode : CLIENT_CLOSED_REQUEST;
      span?.end({ 'http.response.status_code': status }, status >= 500 ? String(status) : null);
    });
  }

  private policyOf(handler: object): OperationPolicy | null {
    let policy = this.policies.get(handler);
    if (policy === undefined) {
      policy = (Reflect.getMetadata(SERVED_OPERATION, handler) as OperationPolicy | undefined) ?? null;
      this.policies.set(handler, policy);
    }
    return policy;
  }
}

/** Outermost: calls refused by other modules cost nothing, and answers they change are sent so. */
@Injectable()
class MeteringInterceptor implements NestInterceptor {
  constructor(
    private readonly metering: Metering,
    private readonly errors: ErrorRenderer,
  ) {}

  intercept(
    context: ExecutionContext,
    next: CallHandler,
  ): Observable<unknown> | Promise<Observable<unknown>> {
    const [request, reply] = context.getArgs<[FastifyRequest, FastifyReply]>();
    const admitted = context.getType() === 'http' ? request.call?.admitted : undefined;
    return admitted ? this.meter(admitted, reply, next) : next.handle();
  }

  private async meter(
    admitted: AdmittedCall,
    reply: FastifyReply,
    next: CallHandler,
  ): Promise<Observable<unknown>> {
    const { call, replay } = admitted;
    try {
      const answer = await this.metering.run(admitted, workOf(call, next));
      if (typeof answer === 'string') {
        reply.header('content-type', call.policy.answerType ?? 'application/json; charset=utf-8');
      }
      // Another interceptor may have set a status, but the call was charged for this one.
      reply.code(replay?.status ?? call.successStatus);
      return of(answer instanceof SentAnswer ? undefined : answer);
    } catch (error) {
      if (call.transport.isGone) {
        // Nest calls no filter once the caller's connection has closed.
        await this.errors.takeBack(call, CLIENT_CLOSED_REQUEST);
      }
      throw error;
    }
  }
}

/** Proxies' status for a caller that left before the answer. */
const CLIENT_CLOSED_REQUEST = 499;

function workOf(call: MeteredCall, next: CallHandler): Work {
  return (done, failed) => {
    let last: unknown;
    const subscription = next.handle().subscribe({
      next: (value: unknown) => {
        last = value;
      },
      error: failed,
      complete: () => done(last),
    });
    call.onAbort = () => subscription.unsubscribe();
  };
}

/** Imported first: other modules' guards run after these, their interceptors inside metering. */
@Module({
  imports: [CallsModule],
  providers: [
    { provide: APP_GUARD, useClass: AdmissionGuard },
    { provide: APP_INTERCEPTOR, useClass: MeteringInterceptor },
    { provide: APP_FILTER, useClass: ErrorFilter },
    AnswerHooks,
    ErrorRenderer,
    HttpMetrics,
    SharedBounds,
    { provide: TemporaryFiles, useFactory: () => new TemporaryFiles() },
  ],
  exports: [SharedBounds],
})
export class PipelineModule {}
