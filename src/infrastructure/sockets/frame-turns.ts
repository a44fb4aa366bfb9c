import { AccountTurns } from '../turns/account-turns';
import {
  FRAME_WAIT_MS_MAX,
  SMALL_FRAME_BYTES_MAX,
  TURN_BYTES_MAX,
  TURN_BYTES_OF_FRAME_MIN,
} from './socket-bounds';

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
