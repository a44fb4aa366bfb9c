import { FairConcurrencyLimit } from '../../runtime/concurrency-limit';

/** A larger frame closes the socket with 1009. */
export const FRAME_BYTES_MAX = 64 * 1024;
/** Per message; one more closes with 1008. Each keeps a read of up to 64 KiB in memory. */
export const FRAGMENTS_MAX = 16;
/** Reads per frame; one more closes with 1008. 64 KiB come in about 50 packets. */
export const PIECES_OF_FRAME_MAX = 1024;
export const SOCKETS_PER_ACCOUNT_MAX = 100;
/** Refused messages until a socket is closed; keeping the rates resets the count. */
export const REFUSED_MESSAGES_MAX = 100;
export const REFUSED_BYTES_MAX = 1024 * 1024;
/** Frames still under way at a close; beyond them the socket is not read. */
export const LATE_FRAMES_MAX = 100;
/** Messages behind the current one; beyond them the socket is not read. */
export const WAITING_MESSAGES_MAX = 16;
/** Lets one of the largest be read while another is worked on. */
export const WAITING_BYTES_MAX = 128 * 1024;
const SMALL_FRAME_BYTES_MAX = 4 * 1024;
/** The event loop turns after these bytes of frames. */
export const TURN_BYTES_MAX = 32 * 1024;
const TURN_BYTES_OF_FRAME_MIN = 1024;
export const FRAME_WAIT_MS_MAX = 5_000;
/** A new name costs the parser a microsecond; a frame could have 13,000. */
export const FRAME_NAMES_MAX = 4_000;
/** Unread by the client; more closes the socket with 1013. */
export const UNSENT_BYTES_MAX = 2 * 1024 * 1024;
/** While the account or process exceeds its bound (UnsentBytes). */
export const UNSENT_BYTES_WHEN_FULL_MAX = 64 * 1024;
export const STREAM_WAITS_FROM_BYTES = 64 * 1024;
/** A ping unanswered by the next one means a dead client. */
export const PING_EVERY_MS = 30_000;
export const CLOSE_WITHIN_MS = 2_000;

/** RFC 6455, section 7.4; from 4000 on our own. */
export const CLOSE_CODES = {
  goingAway: 1001,
  unsupported: 1003,
  /** This replica counted as dead or lost messages; the client has to join again. */
  restart: 1012,
  slowReader: 1013,
  credentialEnded: 4401,
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

/** Four of the largest messages a second; after silence twice the largest for each call under way. */
export const SOCKET_RATE: RateBounds = {
  messages: { perSecondMax: 20, atOnceMax: 40 },
  bytes: { perSecondMax: 256 * 1024, atOnceMax: 1024 * 1024 },
};
export const ACCOUNT_RATE: RateBounds = {
  messages: { perSecondMax: 200, atOnceMax: 400 },
  bytes: { perSecondMax: 2 * 1024 * 1024, atOnceMax: 8 * 1024 * 1024 },
};
/** Per socket; one more closes with 4429. A control frame has at most 125 bytes. */
export const CONTROL_RATE: RateBounds = {
  messages: { perSecondMax: 20, atOnceMax: 40 },
  bytes: { perSecondMax: Infinity, atOnceMax: Infinity },
};

class Bucket {
  room: number;

  constructor(private readonly bounds: BucketBounds) {
    this.room = bounds.atOnceMax;
  }

  fill(seconds: number): void {
    const { perSecondMax, atOnceMax } = this.bounds;
    // 0 × Infinity is NaN.
    this.room = seconds > 0 ? Math.min(this.room + seconds * perSecondMax, atOnceMax) : this.room;
  }

  get isHalfFull(): boolean {
    return this.room >= this.bounds.atOnceMax / 2;
  }
}

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

  /** @param shared must take the message too; its refusals count for this one */
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

  get isFlooded(): boolean {
    return this.refused > REFUSED_MESSAGES_MAX || this.refusedBytes > REFUSED_BYTES_MAX;
  }

  private get isKept(): boolean {
    return this.messages.isHalfFull && this.bytes.isHalfFull;
  }
}

/** Accounts take turns, the event loop turns between, and small frames do not wait for large ones. */
export class FrameScheduler {
  private readonly small: Lane;
  private readonly large: Lane;

  constructor(busy: () => Error) {
    this.small = new Lane(busy);
    this.large = new Lane(busy);
  }

  /** @param read must neither wait nor throw @throws what `busy` makes, where the frame was not read */
  async within(accountId: string, bytes: number, read: () => void): Promise<void> {
    await (bytes > SMALL_FRAME_BYTES_MAX ? this.large : this.small).within(accountId, bytes, read);
  }
}

class Lane {
  private readonly turns: FairConcurrencyLimit;
  private turnBytes = 0;
  private turnBeganMs = 0;

  constructor(busy: () => Error) {
    const bounds = { atOnceMax: 1, accountAtOnceMax: 1, waitMsMax: FRAME_WAIT_MS_MAX };
    this.turns = new FairConcurrencyLimit(bounds, busy);
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

  /** Waits as long as reading took, so that frames take at most half of the loop's time. */
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
