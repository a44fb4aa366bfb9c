import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  type INestApplicationContext,
  Injectable,
  Logger,
  type WsMessageHandler,
} from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import { LRUCache } from 'lru-cache';
import { lastValueFrom, type Observable } from 'rxjs';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { ApiError, errorText, ServiceUnavailable, ValidationFailed } from '../../errors/api-errors';
import { COUNTS_MAX, JsonCounts, parseJson } from '../../http/json-text';
import {
  ACCOUNT_RATE,
  CLOSE_CODES,
  CLOSE_WITHIN_MS,
  FRAGMENTS_MAX,
  FRAME_BYTES_MAX,
  FRAME_NAMES_MAX,
  FrameScheduler,
  MessageRate,
  PIECES_OF_FRAME_MAX,
  WAITING_BYTES_MAX,
  WAITING_MESSAGES_MAX,
} from '../../http/sockets/socket.limits';
import { SocketMetrics } from '../../http/sockets/client-socket';
import { Clock } from '../../runtime/clock';
import { newId } from '../../runtime/ids';
import { isObject, memberSpan, parsedJson } from '../../runtime/json';
import { knownError, unexpectedError } from '../known-error';
import { type OpenSocket, SocketRoutes } from './open-sockets';

@Catch()
@Injectable()
export class SocketErrors implements ExceptionFilter {
  private readonly logger = new Logger('Sockets');

  constructor(private readonly clock: Clock) {}

  send(
    socket: OpenSocket,
    message: unknown,
    thrown: unknown,
    { requestId = newId(), fields }: { requestId?: string; fields?: object } = {},
  ): void {
    const known = knownError(thrown);
    if (!known || known.status === 500) {
      this.logger.error({ message: 'unexpected error', request_id: requestId, error: errorText(thrown) });
    }
    const { status, error, message: text, options } = known ?? unexpectedError();
    socket.send(
      JSON.stringify({
        type: 'error',
        id: shortText(message, 'id', 64),
        ...roomOf(message),
        status,
        error,
        message: text,
        request_id: requestId,
        timestamp: this.clock.now().toISOString(),
        ...retryAfter(options),
        ...options.fields,
        ...fields,
      }),
    );
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const context = host.switchToWs();
    this.send(context.getClient<OpenSocket>(), context.getData(), thrown);
  }
}

function roomOf(message: unknown): object {
  const room = shortText(message, 'room', 128);
  return room === null ? {} : { room };
}

function shortText(message: unknown, name: string, lengthMax: number): string | null {
  const value = isObject(message) ? message[name] : undefined;
  return typeof value === 'string' && value !== '' && value.length <= lengthMax ? value : null;
}

function retryAfter({ headers }: ApiError['options']): object {
  const seconds = Number(headers?.['Retry-After']);
  return Number.isFinite(seconds) ? { retry_after: seconds } : {};
}

type SocketMessage = Record<string, unknown>;

/** Bytes by action. A join has a presence of 4 KiB, which may be written with escapes. */
const BYTES_OF_ACTION_MAX: Readonly<Record<string, number>> = {
  ping: 1024,
  leave: 1024,
  cancel: 1024,
  join: 8 * 1024,
  presence: 8 * 1024,
};
const BYTES_OF_ANY_ACTION_MAX = Math.min(...Object.values(BYTES_OF_ACTION_MAX));
/** No message has more than seven, and each further one would be refused by name. */
const MEMBERS_MAX = 16;
const ACCOUNT_RATES_MAX = 10_000;
const FRAME_COUNTS_MAX = { ...COUNTS_MAX, names: FRAME_NAMES_MAX };

/** Rates come first; then frames go one by one for each socket, in turns. Waiting frames are not parsed. */
@Injectable()
export class IncomingFrames {
  private readonly turns = new FrameScheduler(
    () => new ServiceUnavailable('Too many messages wait to be read; send this one again.', 1),
  );
  /** Kept after an account's last socket: reconnecting must not give it a new one. */
  private readonly rates = new LRUCache<string, MessageRate>({ max: ACCOUNT_RATES_MAX });

  constructor(private readonly errors: SocketErrors) {}

  /** @param handle answers a message, also where it fails; it must not reject */
  take(socket: OpenSocket, count: () => void, handle: (message: SocketMessage) => Promise<void>): void {
    const accountRate = this.accountRate(socket);
    const queue = new FrameQueue(socket, (bytes) => this.read(socket, bytes, handle));
    socket.onFrame((bytes, isBinary) => {
      count();
      if (isBinary) {
        socket.close(CLOSE_CODES.unsupported, 'frames are JSON texts');
      } else if (socket.rate.take(performance.now(), bytes.length, accountRate)) {
        queue.add(bytes);
      } else {
        this.refuse(socket, bytes);
      }
    });
  }

  private accountRate({ holder: { accountId } }: OpenSocket): MessageRate {
    const rate = this.rates.get(accountId) ?? new MessageRate(performance.now(), ACCOUNT_RATE);
    this.rates.set(accountId, rate);
    return rate;
  }

  /** A large frame is not parsed for its id: that would cost what the rate limit saves. */
  private refuse(socket: OpenSocket, bytes: Buffer): void {
    const message = bytes.length <= BYTES_OF_ANY_ACTION_MAX ? parsedJson(bytes.toString()) : null;
    this.errors.send(
      socket,
      message,
      new ApiError(429, 'Too many messages', 'Messages come too fast.', { fields: { retry_after: 1 } }),
    );
    if (socket.rate.isFlooded) {
      socket.close(CLOSE_CODES.tooManyMessages, 'messages come too fast');
    }
  }

  private async read(
    socket: OpenSocket,
    bytes: Buffer,
    handle: (message: SocketMessage) => Promise<void>,
  ): Promise<void> {
    let handled = Promise.resolve();
    try {
      await this.turns.within(socket.holder.accountId, bytes.length, () => {
        handled = this.parse(socket, bytes, handle);
      });
    } catch (error) {
      this.errors.send(socket, null, error);
    }
    await handled;
  }

  private async parse(
    socket: OpenSocket,
    bytes: Buffer,
    handle: (message: SocketMessage) => Promise<void>,
  ): Promise<void> {
    if (!socket.isOpen) {
      return;
    }
    const text = bytes.toString();
    const message = messageIn(text, bytes);
    if (message instanceof ApiError) {
      this.errors.send(socket, { id: textMember(text, 'id'), room: textMember(text, 'room') }, message);
    } else {
      await handle(message);
    }
  }
}

function messageIn(text: string, bytes: Buffer): SocketMessage | ApiError {
  const tooLarge = bytes.length > BYTES_OF_ANY_ACTION_MAX ? faultOfLarge(text, bytes) : null;
  if (tooLarge) {
    return tooLarge;
  }
  const refused = (message: string) => new ValidationFailed([{ field: 'body', message }]);
  const parsed = parseJson(text);
  if ('fault' in parsed) {
    return refused(parsed.fault);
  }
  const { value } = parsed;
  if (!isObject(value)) {
    return refused('must be a JSON object');
  }
  return Object.keys(value).length > MEMBERS_MAX
    ? refused(`must have at most ${MEMBERS_MAX} members`)
    : value;
}

function faultOfLarge(text: string, bytes: Buffer): ApiError | null {
  const action = textMember(text, 'action');
  const bytesMax = Object.hasOwn(BYTES_OF_ACTION_MAX, action) ? BYTES_OF_ACTION_MAX[action] : undefined;
  if (bytesMax !== undefined && bytes.length > bytesMax) {
    return new ApiError(413, 'Payload Too Large', `The message ${action} may have ${bytesMax} bytes.`);
  }
  return new JsonCounts(FRAME_COUNTS_MAX).take(bytes)
    ? new ApiError(
        413,
        'Payload Too Large',
        `A message may have ${FRAME_NAMES_MAX} names of members, and be ${COUNTS_MAX.depth} deep.`,
      )
    : null;
}

function textMember(text: string, name: string): string {
  try {
    const span = memberSpan(text, name);
    const isShort = span !== null && span.end - span.start <= BYTES_OF_ANY_ACTION_MAX;
    const value = isShort ? parsedJson(text.slice(span.start, span.end)) : undefined;
    return typeof value === 'string' ? value : '';
  } catch {
    return '';
  }
}

class FrameQueue {
  private readonly waiting: Buffer[] = [];
  private waitingBytes = 0;
  private isWorking = false;
  private isPaused = false;

  /** @param read must not reject */
  constructor(
    private readonly socket: OpenSocket,
    private readonly read: (bytes: Buffer) => Promise<void>,
  ) {}

  add(bytes: Buffer): void {
    // Copied, because the frame would keep the whole read buffer in memory.
    this.waiting.push(Buffer.from(bytes));
    this.waitingBytes += bytes.length;
    if (!this.isPaused && this.fills(1)) {
      this.isPaused = true;
      this.socket.pause();
    }
    if (!this.isWorking) {
      this.isWorking = true;
      void this.work();
    }
  }

  private async work(): Promise<void> {
    for (let bytes = this.waiting.shift(); bytes; bytes = this.waiting.shift()) {
      this.waitingBytes -= bytes.length;
      if (this.isPaused && !this.fills(0.5)) {
        this.isPaused = false;
        this.socket.resume();
      }
      if (this.socket.isOpen) {
        const end = this.socket.begin();
        await this.read(bytes);
        end();
      }
    }
    this.isWorking = false;
  }

  private fills(share: number): boolean {
    return (
      this.waiting.length >= WAITING_MESSAGES_MAX * share || this.waitingBytes >= WAITING_BYTES_MAX * share
    );
  }
}

/** The types of ws lack `closeTimeout`: milliseconds until a client that ignores a close is cut off. */
const SERVER_OPTIONS: ServerOptions & { closeTimeout: number } = {
  noServer: true,
  maxPayload: FRAME_BYTES_MAX,
  maxFragments: FRAGMENTS_MAX,
  maxBufferedChunks: PIECES_OF_FRAME_MAX,
  closeTimeout: CLOSE_WITHIN_MS,
  perMessageDeflate: false,
  skipUTF8Validation: false,
};

export class SocketAdapter extends WsAdapter {
  private readonly received = new Map<string, () => void>();

  constructor(private readonly application: INestApplicationContext) {
    super(application);
  }

  override create(_port: number, { path }: { path: string }): WebSocketServer {
    const server = new WebSocketServer(SERVER_OPTIONS);
    const metrics = this.application.get(SocketMetrics, { strict: false });
    this.received.set(path, metrics.counter(path, 'received'));
    this.application.get(SocketRoutes, { strict: false }).serve(path, server);
    return server;
  }

  override bindClientDisconnect(client: unknown, callback: () => void): void {
    (client as OpenSocket).onClose(callback);
  }

  override bindMessageHandlers(
    client: unknown,
    handlers: WsMessageHandler[],
    transform: (data: unknown) => Observable<unknown>,
  ): void {
    const socket = client as OpenSocket;
    const byAction = new Map(handlers.map(({ message, callback }) => [message, callback]));
    const errors = this.application.get(SocketErrors, { strict: false });
    const count = this.received.get(socket.path) ?? (() => undefined);
    this.application.get(IncomingFrames, { strict: false }).take(socket, count, async (message) => {
      const callback = byAction.get(message.action as string);
      if (callback) {
        // Its filter has answered what a handler throws.
        await lastValueFrom(transform(callback(message, message.action)), { defaultValue: undefined }).catch(
          () => undefined,
        );
      } else {
        const choices = [...byAction.keys()].join(', ');
        errors.send(
          socket,
          message,
          new ValidationFailed([{ field: 'action', message: `must be one of ${choices}` }]),
        );
      }
    });
  }

  override async close(server: WebSocketServer): Promise<void> {
    const open = [...server.clients] as WebSocket[];
    const closed = Promise.all(open.map((client) => new Promise((resolve) => client.once('close', resolve))));
    open.forEach((client) => client.close(CLOSE_CODES.goingAway, 'the service shuts down'));
    const timer = setTimeout(() => open.forEach((client) => client.terminate()), CLOSE_WITHIN_MS);
    await closed;
    clearTimeout(timer);
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  override dispose(): Promise<void> {
    return Promise.resolve();
  }
}
