import { ServiceUnavailable } from '../../errors/service-errors';

/** How many calls may wait for room. */
const WAITING_MAX = 64;
const RETRY_AFTER_SECONDS = 5;

/** The bytes that may be held at the same time, by whomever. Who finds too few left waits in line. */
export class ByteRoom {
  private readonly line: { bytes: number; enter: () => void }[] = [];

  /** How many works are within or wait. */
  private works = 0;

  /** @param left how many bytes there are in all */
  constructor(private left: number) {}

  get isEmpty(): boolean {
    return this.works === 0;
  }

  /**
   * Runs the work as soon as there is room for its bytes. It may tell once how many of them it holds after all.
   * @param bytes no more than there are in all
   * @throws ServiceUnavailable where too many wait already, and the signal's reason when it aborts before there is room
   */
  async within<Result>(
    bytes: number,
    signal: AbortSignal,
    work: (holdOnly: (bytes: number) => void) => Promise<Result>,
  ): Promise<Result> {
    let held = bytes;
    this.works += 1;
    try {
      await this.enter(bytes, signal);
      try {
        return await work((less) => {
          this.leave(Math.max(0, held - less));
          held = Math.min(held, less);
        });
      } finally {
        this.leave(held);
      }
    } finally {
      this.works -= 1;
    }
  }

  private async enter(bytes: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.line.length === 0 && bytes <= this.left) {
      this.left -= bytes;
      return;
    }
    if (this.line.length >= WAITING_MAX) {
      throw new ServiceUnavailable('Too many files are being worked on; call again.', RETRY_AFTER_SECONDS);
    }
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        this.line.splice(this.line.indexOf(place), 1);
        reject(signal.reason as Error);
        this.admit();
      };
      const place = {
        bytes,
        enter: () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.line.push(place);
    });
  }

  private leave(bytes: number): void {
    this.left += bytes;
    this.admit();
  }

  /** In the order in which they came, so that one that needs much is not passed over for ever. */
  private admit(): void {
    for (let next = this.line[0]; next !== undefined && next.bytes <= this.left; next = this.line[0]) {
      this.line.shift();
      this.left -= next.bytes;
      next.enter();
    }
  }
}
