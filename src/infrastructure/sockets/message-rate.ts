import {
  ACCOUNT_BYTES_AT_ONCE_MAX,
  ACCOUNT_BYTES_PER_SECOND_MAX,
  ACCOUNT_MESSAGES_AT_ONCE_MAX,
  ACCOUNT_MESSAGES_PER_SECOND_MAX,
  BYTES_AT_ONCE_MAX,
  BYTES_PER_SECOND_MAX,
  CONTROL_FRAMES_AT_ONCE_MAX,
  CONTROL_FRAMES_PER_SECOND_MAX,
  MESSAGES_AT_ONCE_MAX,
  MESSAGES_PER_SECOND_MAX,
  REFUSED_BYTES_MAX,
  REFUSED_MESSAGES_MAX,
} from './socket-bounds';

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
