import {
  ACCOUNT_MESSAGES_AT_ONCE_MAX,
  ACCOUNT_MESSAGES_PER_SECOND_MAX,
  CONTROL_FRAMES_AT_ONCE_MAX,
  CONTROL_FRAMES_PER_SECOND_MAX,
  MESSAGES_AT_ONCE_MAX,
  MESSAGES_PER_SECOND_MAX,
  REFUSED_MESSAGES_MAX,
} from './socket-bounds';

interface RateBounds {
  readonly perSecondMax: number;
  readonly atOnceMax: number;
}

/** Of one socket. */
const SOCKET_RATE: RateBounds = {
  perSecondMax: MESSAGES_PER_SECOND_MAX,
  atOnceMax: MESSAGES_AT_ONCE_MAX,
};
/** Of all sockets of one account. */
export const ACCOUNT_RATE: RateBounds = {
  perSecondMax: ACCOUNT_MESSAGES_PER_SECOND_MAX,
  atOnceMax: ACCOUNT_MESSAGES_AT_ONCE_MAX,
};
/** Of the pings and pongs of one socket. */
export const CONTROL_RATE: RateBounds = {
  perSecondMax: CONTROL_FRAMES_PER_SECOND_MAX,
  atOnceMax: CONTROL_FRAMES_AT_ONCE_MAX,
};

/** How many messages may come: a bucket that fills at the rate and holds what may come at once. */
export class MessageRate {
  private room: number;
  private refused = 0;

  constructor(
    private lastMs: number,
    private readonly bounds = SOCKET_RATE,
  ) {
    this.room = bounds.atOnceMax;
  }

  /**
   * Whether a message is taken. Time only moves forward.
   * @param shared a rate that has to take the message too; what it refuses counts as refused here
   */
  take(nowMs: number, shared: MessageRate | null = null): boolean {
    const filled = ((nowMs - this.lastMs) / 1000) * this.bounds.perSecondMax;
    this.lastMs = nowMs;
    this.room = Math.min(this.room + filled, this.bounds.atOnceMax);
    if (this.room < 1 || shared?.take(nowMs) === false) {
      this.refused += 1;
      return false;
    }
    this.room -= 1;
    this.refused = this.isKept && (shared?.isKept ?? true) ? 0 : this.refused;
    return true;
  }

  /** Whether so many were refused that the client does not listen to refusals. */
  get isFlooded(): boolean {
    return this.refused > REFUSED_MESSAGES_MAX;
  }

  private get isKept(): boolean {
    return this.room >= this.bounds.atOnceMax / 2;
  }
}
