import { AccountTurns } from '../../runtime/fair-concurrency-limit';

/** Of one frame that a client sends; a larger one closes the socket with 1009. */
export const FRAME_BYTES_MAX = 64 * 1024;
/**
 * Fragments of one message; one more closes the socket with 1008. Each keeps all that the system read with it in memory,
 * up to 64 KiB, however short it is itself. Clients that cut messages after 4 KiB need 16 for the largest.
 */
export const FRAGMENTS_MAX = 16;
/**
 * Pieces in which a frame may come from the system before it is complete; one more closes the socket with 1008. Each is an
 * object of its own. A frame of 64 KiB comes in about 50 packets.
 */
export const PIECES_OF_FRAME_MAX = 1024;
/** Open sockets of one account on one replica. */
export const SOCKETS_PER_ACCOUNT_MAX = 100;
/** Messages of one socket, on average over time. */
export const MESSAGES_PER_SECOND_MAX = 20;
/** Messages of one socket that may come at once, after a time of silence. */
export const MESSAGES_AT_ONCE_MAX = 40;
/** Messages of all sockets of one account on one replica, on average over time. */
export const ACCOUNT_MESSAGES_PER_SECOND_MAX = 200;
/** Messages of all sockets of one account on one replica that may come at once, after a time of silence. */
export const ACCOUNT_MESSAGES_AT_ONCE_MAX = 400;
/** Bytes of the messages of one socket, on average over time: four of the largest a second. */
export const BYTES_PER_SECOND_MAX = 256 * 1024;
/** The same at once, after a time of silence: twice the largest for each call that a socket may have under way. */
export const BYTES_AT_ONCE_MAX = 1024 * 1024;
/** Bytes of the messages of all sockets of one account on one replica, on average over time. */
const ACCOUNT_BYTES_PER_SECOND_MAX = 2 * 1024 * 1024;
/** The same at once, after a time of silence. */
export const ACCOUNT_BYTES_AT_ONCE_MAX = 8 * 1024 * 1024;
/** Messages of one socket that may be refused for a rate before it is closed; who keeps the rates makes it forgotten. */
export const REFUSED_MESSAGES_MAX = 100;
/** Bytes of such messages: each has to be received, however soon it is refused. */
export const REFUSED_BYTES_MAX = 1024 * 1024;
/** Pings and pongs of one socket, on average over time. Nobody needs more than one of each in some seconds. */
const CONTROL_FRAMES_PER_SECOND_MAX = 20;
/** Pings and pongs of one socket that may come at once, after a time of silence; one more closes it with 4429. */
const CONTROL_FRAMES_AT_ONCE_MAX = 40;
/** Frames that may still come once a socket is closed, because they were on their way; beyond it it is not read. */
export const LATE_FRAMES_MAX = 100;
/** Messages of one socket that wait for the one before; beyond it the socket is not read. */
export const WAITING_MESSAGES_MAX = 16;
/** Bytes of such messages: two of the largest, so that one can be read while the other is worked on. */
export const WAITING_BYTES_MAX = 128 * 1024;
/** A frame up to this size is parsed in a fraction of a millisecond, whatever it says, and so waits for no larger one. */
const SMALL_FRAME_BYTES_MAX = 4 * 1024;
/** Bytes of frames after which the event loop turns before more of them are parsed. */
export const TURN_BYTES_MAX = 32 * 1024;
/** What a frame counts at least: to handle it costs something, however short it is. */
const TURN_BYTES_OF_FRAME_MIN = 1024;
/** How long a frame waits to be parsed before it is refused with 503. */
export const FRAME_WAIT_MS_MAX = 5_000;
/** Names of members in one frame. Each new one costs the parser a microsecond; a frame could have 13,000. */
export const FRAME_NAMES_MAX = 4_000;
/** Bytes that a client has not read beyond which nothing more is said to it: the socket is closed with 1013. */
export const UNSENT_BYTES_MAX = 2 * 1024 * 1024;
/** The same while all that the client's account, or everybody, has not read exceeds its bound (unsent-bytes.ts). */
export const UNSENT_BYTES_WHEN_FULL_MAX = 64 * 1024;
/** Bytes that a client has not read beyond which streamed answers wait for it, and messages whose answers may be large. */
export const STREAM_WAITS_FROM_BYTES = 64 * 1024;
/** Who has not answered a ping before the next is dead. */
export const PING_EVERY_MS = 30_000;
/** How long a client has to answer a close before its connection is ended. */
export const CLOSE_WITHIN_MS = 2_000;

/** Why the service closes sockets (RFC 6455, section 7.4; from 4000 on our own). */
export const CLOSE_CODES = {
  /** The service shuts down. */
  goingAway: 1001,
  /** A frame that is no text. */
  unsupported: 1003,
  /** This replica was taken for dead, or lags so far behind that it cannot tell all; the client has to join again. */
  restart: 1012,
  /** Too much was sent that the client did not read. */
  slowReader: 1013,
  /** The credential is revoked, ended or expired. */
  credentialEnded: 4401,
  /** Too many messages, or pings and pongs. */
  tooManyMessages: 4429,
} as const;

export type CloseCode = (typeof CLOSE_CODES)[keyof typeof CLOSE_CODES];

interface BucketBounds {
  readonly perSecondMax: number;
  readonly atOnceMax: number;
}

interface RateBounds {
  readonly messages: BucketBounds;
  readonly bytes: BucketBounds;
}

/** Of one socket. */
const SOCKET_RATE: RateBounds = {
  messages: { perSecondMax: MESSAGES_PER_SECOND_MAX, atOnceMax: MESSAGES_AT_ONCE_MAX },
  bytes: { perSecondMax: BYTES_PER_SECOND_MAX, atOnceMax: BYTES_AT_ONCE_MAX },
};
/** Of all sockets of one account. */
export const ACCOUNT_RATE: RateBounds = {
  messages: { perSecondMax: ACCOUNT_MESSAGES_PER_SECOND_MAX, atOnceMax: ACCOUNT_MESSAGES_AT_ONCE_MAX },
  bytes: { perSecondMax: ACCOUNT_BYTES_PER_SECOND_MAX, atOnceMax: ACCOUNT_BYTES_AT_ONCE_MAX },
};
/** Of the pings and pongs of one socket, none of which has more than 125 bytes. */
export const CONTROL_RATE: RateBounds = {
  messages: { perSecondMax: CONTROL_FRAMES_PER_SECOND_MAX, atOnceMax: CONTROL_FRAMES_AT_ONCE_MAX },
  bytes: { perSecondMax: Infinity, atOnceMax: Infinity },
};

/** A bucket that fills at its rate and holds what may come at once. */
class Bucket {
  room: number;

  constructor(private readonly bounds: BucketBounds) {
    this.room = bounds.atOnceMax;
  }

  fill(seconds: number): void {
    const { perSecondMax, atOnceMax } = this.bounds;
    // No time brings nothing, also where there is no bound.
    this.room = seconds > 0 ? Math.min(this.room + seconds * perSecondMax, atOnceMax) : this.room;
  }

  get isHalfFull(): boolean {
    return this.room >= this.bounds.atOnceMax / 2;
  }
}

/** How many messages may come, and how many bytes they may have. It is asked before a message is looked at. */
export class MessageRate {
  private readonly messages: Bucket;
  private readonly bytes: Bucket;
  private refused = 0;
  private refusedBytes = 0;

  constructor(
    private lastMs: number,
    bounds = SOCKET_RATE,
  ) {
    this.messages = new Bucket(bounds.messages);
    this.bytes = new Bucket(bounds.bytes);
  }

  /**
   * Whether a message is taken. Time only moves forward.
   * @param bytes its size
   * @param shared a rate that has to take the message too; what it refuses counts as refused here
   */
  take(nowMs: number, bytes: number, shared: MessageRate | null = null): boolean {
    const seconds = (nowMs - this.lastMs) / 1000;
    this.lastMs = nowMs;
    this.messages.fill(seconds);
    this.bytes.fill(seconds);
    if (this.messages.room < 1 || this.bytes.room < bytes || shared?.take(nowMs, bytes) === false) {
      this.refused += 1;
      this.refusedBytes += bytes;
      return false;
    }
    this.messages.room -= 1;
    this.bytes.room -= bytes;
    if (this.isKept && (shared?.isKept ?? true)) {
      this.refused = 0;
      this.refusedBytes = 0;
    }
    return true;
  }

  /** Whether so much was refused that the client does not listen to refusals. */
  get isFlooded(): boolean {
    return this.refused > REFUSED_MESSAGES_MAX || this.refusedBytes > REFUSED_BYTES_MAX;
  }

  private get isKept(): boolean {
    return this.messages.isHalfFull && this.bytes.isHalfFull;
  }
}

/**
 * When the frames of a process are parsed and begun to be handled: those of all accounts in turns, and of what has come
 * together only so much before the event loop turns. Small frames do not wait for large ones.
 */
export class FrameTurns {
  private readonly small: Lane;
  private readonly large: Lane;

  /** @param busy makes the error for a frame that has waited for FRAME_WAIT_MS_MAX */
  constructor(busy: () => Error) {
    this.small = new Lane(busy);
    this.large = new Lane(busy);
  }

  /**
   * Reads a frame when it is its turn, which may be at once, and resolves when the turn is over.
   * @param read begins to handle the frame; it must neither wait nor throw
   * @throws what `busy` makes, where the frame was not read
   */
  async within(accountId: string, bytes: number, read: () => void): Promise<void> {
    await (bytes > SMALL_FRAME_BYTES_MAX ? this.large : this.small).within(accountId, bytes, read);
  }
}

/** Frames that are read one after the other. How many may wait is bounded by how many each socket lets wait. */
class Lane {
  private readonly turns: AccountTurns;
  /** What was read in this turn of the event loop, and since when. */
  private turnBytes = 0;
  private turnBeganMs = 0;

  constructor(busy: () => Error) {
    const bounds = {
      atOnceMax: 1,
      accountAtOnceMax: 1,
      waitingMax: Infinity,
      accountWaitingMax: Infinity,
      waitingBytesMax: Infinity,
      accountWaitingBytesMax: Infinity,
      waitMsMax: FRAME_WAIT_MS_MAX,
    };
    this.turns = new AccountTurns(bounds, busy);
  }

  async within(accountId: string, bytes: number, read: () => void): Promise<void> {
    await this.turns.within(accountId, async () => {
      this.beginTurn();
      read();
      await this.endFullTurn(bytes);
    });
  }

  private beginTurn(): void {
    if (this.turnBytes === 0) {
      this.turnBeganMs = performance.now();
      setImmediate(() => (this.turnBytes = 0));
    }
  }

  /**
   * Waits once enough was read: for the loop to turn, and for as long again as the reading took. So frames take no more
   * than half of the time of the loop, however many come.
   */
  private async endFullTurn(bytes: number): Promise<void> {
    this.turnBytes += Math.max(bytes, TURN_BYTES_OF_FRAME_MIN);
    if (this.turnBytes < TURN_BYTES_MAX) {
      return;
    }
    const tookMs = performance.now() - this.turnBeganMs;
    await new Promise<void>((resolve) => {
      if (tookMs < 1) {
        setImmediate(resolve);
      } else {
        setTimeout(resolve, tookMs);
      }
    });
  }
}
