import { Injectable } from '@nestjs/common';
import { ApiError } from '../../core/errors/api-error';
import { ValidationFailed } from '../../core/errors/request-errors';
import { ServiceUnavailable } from '../../core/errors/service-errors';
import { COUNTS_MAX, JsonCounts } from '../../infrastructure/http/json-counts';
import { isObject, parsedJson } from '../../infrastructure/json/json-object';
import { memberSpan } from '../../infrastructure/json/member-span';
import { FrameTurns } from '../../infrastructure/sockets/frame-turns';
import {
  CLOSE_CODES,
  FRAME_NAMES_MAX,
  WAITING_BYTES_MAX,
  WAITING_MESSAGES_MAX,
} from '../../infrastructure/sockets/socket-bounds';
import { AccountRates } from './account-rates';
import { SocketErrors } from './socket-errors';
import type { OpenSocket } from './socket-holder';

/** What a client has sent: a JSON object. */
export type SocketMessage = Record<string, unknown>;

/** Messages of these actions are small. A join tells a presence of 4 KiB, which may be written with escapes. */
const BYTES_OF_ACTION_MAX: Readonly<Record<string, number>> = {
  ping: 1024,
  leave: 1024,
  cancel: 1024,
  join: 8 * 1024,
  presence: 8 * 1024,
};
const BYTES_OF_ANY_ACTION_MAX = Math.min(...Object.values(BYTES_OF_ACTION_MAX));
/** No message has more than seven. Each one beyond them would be refused by name. */
const MEMBERS_MAX = 16;
const FRAME_COUNTS_MAX = { ...COUNTS_MAX, names: FRAME_NAMES_MAX };

/**
 * What of the frames that sockets send is taken, and when it is parsed: the rates are asked first, then those of one socket are
 * read one after the other, each once the one before is handled, and those of all sockets in turns. What waits is not parsed.
 */
@Injectable()
export class IncomingFrames {
  private readonly turns = new FrameTurns(
    () => new ServiceUnavailable('Too many messages wait to be read; send this one again.', 1),
  );

  constructor(
    private readonly accountRates: AccountRates,
    private readonly errors: SocketErrors,
  ) {}

  /**
   * Takes the frames of a socket from now on.
   * @param count is called for each frame that has come
   * @param handle answers a message, also where it fails; it must not reject
   */
  take(socket: OpenSocket, count: () => void, handle: (message: SocketMessage) => Promise<void>): void {
    const accountRate = this.accountRates.of(socket);
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

  /** A large frame is not parsed for the sake of its id: that would cost what the rate spares. */
  private refuse(socket: OpenSocket, bytes: Buffer): void {
    const message = bytes.length <= BYTES_OF_ANY_ACTION_MAX ? parsedJson(bytes.toString()) : null;
    this.errors.tell(
      socket,
      message,
      new ApiError(429, 'Too many messages', 'Messages come too fast.', { fields: { retry_after: 1 } }),
    );
    if (socket.rate.isFlooded) {
      socket.close(CLOSE_CODES.tooManyMessages, 'messages come too fast');
    }
  }

  /** Resolves when the frame is handled, and its turn over. */
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
      this.errors.tell(socket, null, error);
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
    const tooLarge = bytes.length > BYTES_OF_ANY_ACTION_MAX ? faultOfLarge(text, bytes) : null;
    if (tooLarge) {
      this.errors.tell(socket, { id: textMember(text, 'id'), room: textMember(text, 'room') }, tooLarge);
      return;
    }
    const message: unknown = parsedJson(text);
    const fault = faultOfShape(message);
    if (fault) {
      this.errors.tell(socket, message, new ValidationFailed([{ field: 'body', message: fault }]));
    } else {
      await handle(message as SocketMessage);
    }
  }
}

/** Why a frame is refused whose parsing would cost more than its kind of message is worth. */
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

function faultOfShape(message: unknown): string | null {
  if (!isObject(message)) {
    return 'must be a JSON object';
  }
  return Object.keys(message).length > MEMBERS_MAX ? `must have at most ${MEMBERS_MAX} members` : null;
}

/** A member of a text that may not be JSON; empty where it is no short string. */
function textMember(text: string, name: string): string {
  try {
    const span = memberSpan(text, name);
    const isShort = span !== null && span.end - span.start <= BYTES_OF_ANY_ACTION_MAX;
    const value = isShort ? parsedJson(text.slice(span.start, span.end)) : undefined;
    return typeof value === 'string' ? value : '';
  } catch {
    // A name with an escape that is none.
    return '';
  }
}

/** The frames of one socket, one after the other. While many wait, the socket is not read. */
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
    // The frame is a part of all that was read with it, which would stay in memory for as long as this part waits.
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

  /** Whether what waits takes that share of what may wait. */
  private fills(share: number): boolean {
    return (
      this.waiting.length >= WAITING_MESSAGES_MAX * share || this.waitingBytes >= WAITING_BYTES_MAX * share
    );
  }
}
