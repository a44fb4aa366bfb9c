import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WebSocket, WebSocketServer } from 'ws';
import { looksLikeKey, MissingApiKey, MissingSocketCredential } from '../../accounts/credentials';
import type { OperationPolicy } from '../../contract/operation';
import { ENDED_WITHIN_MS } from '../../database/process-statements';
import { ProcessRegister } from '../../database/process-register';
import { ApiError, errorText, ShuttingDown, ValidationFailed } from '../../errors/api-errors';
import { ClientSocket, SocketMetrics } from '../../http/sockets/client-socket';
import { CLOSE_CODES, PING_EVERY_MS, SOCKETS_PER_ACCOUNT_MAX } from '../../http/sockets/socket.limits';
import { isWebSocket, takeOver } from '../../http/sockets/upgrades';
import { Clock, endedWithin } from '../../runtime/clock';
import type { PresentedSecrets, Principal } from '../call-transport';
import { Credentials } from '../credentials';
import { HttpTransport, SharedBounds } from '../http/pipeline.module';
import { MeteredCall } from '../metered-call';
import { DRAIN_MS_MAX } from '../calls-in-flight';
import { AuthenticationStep, RateLimitStep } from '../admission';

export interface SocketHolder {
  readonly accountId: string;
  readonly principal: Principal;
  readonly judge: () => Promise<ApiError | null>;
}

export type OpenSocket = ClientSocket<SocketHolder>;

const HANDSHAKE: Omit<OperationPolicy, 'auth' | 'path'> = {
  operationId: 'openSocket',
  tag: 'sockets',
  method: 'GET',
  status: 101,
  role: null,
  rate: 'read',
  price: null,
  model: null,
  idempotent: false,
  envelope: false,
  bodyBytesMax: null,
  mediaTypes: [],
};

/** Browsers set no headers on a WebSocket, so the query may carry the credential, and goes first. */
class HandshakeTransport extends HttpTransport {
  token: string | null = null;

  override get caller(): PresentedSecrets {
    if (this.token === null) {
      return super.caller;
    }
    const isKey = looksLikeKey(this.token);
    return {
      kind: 'secrets',
      apiKey: isKey ? this.token : null,
      bearer: isKey ? null : this.token,
      session: null,
    };
  }
}

function tokenOf({ query }: FastifyRequest): string | null {
  const { token } = query as { token?: string | string[] };
  if (Array.isArray(token)) {
    throw new ValidationFailed([{ field: 'token', message: 'is given more than once' }]);
  }
  return token === undefined || token === '' ? null : token;
}

/** Without a credential the answer says that an access key is missing. */
function authOf({ apiKey, bearer }: PresentedSecrets): 'key' | 'jwt' {
  return apiKey !== null || bearer === null || looksLikeKey(bearer) ? 'key' : 'jwt';
}

const LOOKED_EVERY_MS = 50;

/** A change re-judges its account's sockets at once; every 30 seconds all are, which also finds expiry. */
@Injectable()
export class OpenSockets implements OnModuleInit, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger('Sockets');
  private readonly ofAccounts = new Map<string, Set<OpenSocket>>();
  private readonly ofNamed = new Looks((accountId) => this.lookAtAccount(accountId));
  private readonly ofAll = new Looks((accountId) => this.lookAtAccount(accountId));
  private timer: NodeJS.Timeout | null = null;
  private isEnding = false;
  private drained: Promise<void> = Promise.resolve();

  constructor(
    private readonly register: ProcessRegister,
    private readonly metrics: SocketMetrics,
  ) {}

  onModuleInit(): void {
    this.register.onChange((accountId) =>
      accountId === null ? this.lookAtAll() : this.lookAtNamed(accountId),
    );
    this.timer = setInterval(() => this.beat(), PING_EVERY_MS).unref();
  }

  /** Closes idle sockets at once, the others when their work ends or the shutdown ends it. */
  onModuleDestroy(): void {
    this.isEnding = true;
    this.drained = this.drain();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.drained;
    if (this.timer) {
      clearInterval(this.timer);
    }
    await Promise.all([this.ofNamed.ended, this.ofAll.ended]);
  }

  private async drain(): Promise<void> {
    const endMs = performance.now() + DRAIN_MS_MAX;
    this.closeIdle();
    while (this.all().some(({ isBusy }) => isBusy) && performance.now() < endMs) {
      await delay(LOOKED_EVERY_MS);
      this.closeIdle();
    }
  }

  refuseBeyondBound(accountId: string): void {
    if ((this.ofAccounts.get(accountId)?.size ?? 0) >= SOCKETS_PER_ACCOUNT_MAX) {
      throw new ApiError(
        429,
        'Too many sockets',
        `An account may have ${SOCKETS_PER_ACCOUNT_MAX} open sockets here; close one.`,
        { headers: { 'Retry-After': '1' }, fields: { retry_after: 1 } },
      );
    }
  }

  add(socket: OpenSocket): void {
    const { accountId } = socket.holder;
    const sockets = this.ofAccounts.get(accountId) ?? new Set();
    this.ofAccounts.set(accountId, sockets.add(socket));
    this.metrics.opened(socket.path);
    socket.onClose((code) => {
      this.metrics.closed(socket.path, code);
      sockets.delete(socket);
      if (sockets.size === 0 && this.ofAccounts.get(accountId) === sockets) {
        this.ofAccounts.delete(accountId);
      }
    });
    if (this.isEnding) {
      this.closeIdle();
    }
    // A revocation during the handshake was announced before this socket was registered.
    void this.lookAt(socket);
  }

  /** Waits for the work of closed sockets, so that nothing is charged after the change. */
  private async lookAtNamed(accountId: string): Promise<void> {
    const sockets = [...(this.ofAccounts.get(accountId) ?? [])];
    if (sockets.length > 0) {
      const endMs = performance.now() + ENDED_WITHIN_MS;
      this.ofNamed.ask(accountId);
      await endedWithin(ENDED_WITHIN_MS, this.ofNamed.ended);
      while (sockets.some(({ isOpen, isBusy }) => !isOpen && isBusy) && performance.now() < endMs) {
        await delay(LOOKED_EVERY_MS);
      }
    }
  }

  private lookAtAll(): void {
    [...this.ofAccounts.keys()].forEach((accountId) => this.ofAll.ask(accountId));
  }

  private async lookAtAccount(accountId: string): Promise<void> {
    await Promise.all([...(this.ofAccounts.get(accountId) ?? [])].map((socket) => this.lookAt(socket)));
  }

  /** A failed look is repeated later. */
  private async lookAt(socket: OpenSocket): Promise<void> {
    try {
      const refusal = await socket.holder.judge();
      if (refusal) {
        socket.close(CLOSE_CODES.credentialEnded, refusal.error);
      }
    } catch (error) {
      this.logger.warn({ message: "a socket's credential could not be judged", error: errorText(error) });
    }
  }

  beat(): void {
    for (const socket of this.all()) {
      if (socket.isAlive) {
        socket.ping();
      } else {
        socket.terminate();
      }
    }
    this.lookAtAll();
  }

  private closeIdle(): void {
    for (const socket of this.all().filter(({ isBusy }) => !isBusy)) {
      socket.close(CLOSE_CODES.goingAway, 'the service shuts down');
    }
  }

  private all(): OpenSocket[] {
    return [...this.ofAccounts.values()].flatMap((sockets) => [...sockets]);
  }
}

class Looks {
  private readonly queued = new Set<string>();
  private looking: Promise<void> | null = null;

  /** @param look must not reject */
  constructor(private readonly look: (accountId: string) => Promise<void>) {}

  get ended(): Promise<void> {
    return this.looking ?? Promise.resolve();
  }

  ask(accountId: string): void {
    this.queued.add(accountId);
    this.looking ??= this.lookAtQueued();
  }

  private async lookAtQueued(): Promise<void> {
    for (const accountId of this.queued) {
      this.queued.delete(accountId);
      await this.look(accountId);
    }
    // In the same turn as the loop's end, so that no request in between is lost.
    this.looking = null;
  }
}

/** RFC 6455, section 4.1: sixteen bytes in base64. */
const KEY = /^[+/0-9A-Za-z]{22}==$/;
const VERSION = '13';
/** RFC 9110, section 5.6.2, with the white space around it. */
const TOKEN = /^[ \t]*[!#$%&'*+.^`|~\w-]+[ \t]*$/;

/** HTTP routes that become WebSockets. Refusals are answered as HTTP, before the upgrade. */
@Injectable()
export class SocketRoutes {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly rateLimit: RateLimitStep,
    private readonly authentication: AuthenticationStep,
    private readonly credentials: Credentials,
    private readonly clock: Clock,
    private readonly bounds: SharedBounds,
    private readonly sockets: OpenSockets,
    private readonly metrics: SocketMetrics,
  ) {}

  serve(path: string, webSockets: WebSocketServer): void {
    const sent = this.metrics.counter(path, 'sent');
    this.host.httpAdapter.getInstance<FastifyInstance>().get(path, async (request, reply) => {
      refuseOthers(request);
      const holder = await this.admit(request, reply);
      this.sockets.refuseBeyondBound(holder.accountId);
      this.open(request, reply, webSockets, (webSocket) => {
        const unsent = this.bounds.unsent.shareOf(holder.accountId);
        const socket = new ClientSocket<SocketHolder>(webSocket, path, holder, sent, unsent);
        webSockets.emit('connection', socket);
        this.sockets.add(socket);
      });
      return reply;
    });
  }

  /** Steps 1 and 2 as a free call of the class `read`. */
  private async admit(request: FastifyRequest, reply: FastifyReply): Promise<SocketHolder> {
    const transport = new HandshakeTransport(request, reply, 101, this.bounds);
    transport.token = tokenOf(request);
    const { caller } = transport;
    const auth = authOf(caller);
    const call = new MeteredCall(
      { ...HANDSHAKE, path: request.routeOptions.url ?? '', auth },
      transport,
      this.clock.now(),
    );
    try {
      await this.rateLimit.run(call);
      this.authentication.run(call);
    } catch (error) {
      await call.fail(error instanceof ApiError ? error.status : 500);
      throw error instanceof MissingApiKey ? new MissingSocketCredential() : error;
    }
    call.succeed();
    const { accountId, key } = call;
    return {
      accountId,
      principal: key ? { kind: 'key', keyId: key.id } : { kind: 'account', accountId },
      judge: async () => {
        const credential = await this.credentials.again({ caller }, auth);
        return credential.kind === 'refused' ? credential.error : null;
      },
    };
  }

  private open(
    request: FastifyRequest,
    reply: FastifyReply,
    webSockets: WebSocketServer,
    opened: (webSocket: WebSocket) => void,
  ): void {
    const { raw } = request;
    const socket: Socket = raw.socket;
    const head = takeOver(raw, reply.raw);
    if (head === null) {
      throw new ShuttingDown();
    }
    reply.hijack();
    webSockets.handleUpgrade(raw, socket, head, opened);
  }
}

function refuseOthers({ raw, headers }: FastifyRequest): void {
  const isUpgrade = isWebSocket(raw) && headers['sec-websocket-version'] === VERSION;
  if (!isUpgrade) {
    throw new ApiError(426, 'Upgrade Required', 'This path is a WebSocket.', {
      headers: { Upgrade: 'websocket', Connection: 'Upgrade', 'Sec-WebSocket-Version': VERSION },
    });
  }
  if (!KEY.test(headers['sec-websocket-key'] ?? '')) {
    throw new ApiError(400, 'Bad Request', 'Sec-WebSocket-Key is not valid.');
  }
  // Checked before ws, which answers in HTML.
  const protocols = headers['sec-websocket-protocol']?.split(',') ?? [];
  const names = new Set(protocols.map((name) => name.trim()));
  if (names.size < protocols.length || !protocols.every((name) => TOKEN.test(name))) {
    throw new ApiError(400, 'Bad Request', 'Sec-WebSocket-Protocol is not valid.');
  }
}
