import { getHeapStatistics } from 'node:v8';

/** Most operations take no larger body, and a body of this size is taken however many others are held. */
const SMALL_BYTES_MAX = 1024 * 1024;
/** A body is in memory two or three times while it is read and parsed, and what is made of it comes on top. */
const HEAP_PER_BODY_BYTE = 8;
/** One account may hold this part of what a process may. */
const ACCOUNT_SHARE = 4;

/** The room that a body takes. */
export interface BodyRoom {
  /** Takes no more than so many bytes from now on, because the body turned out to be no larger. */
  narrow(bytes: number): void;
  /** Gives it back; only the first call has an effect. */
  leave(): void;
}

const NO_ROOM_NEEDED: BodyRoom = { narrow: () => undefined, leave: () => undefined };

/**
 * The bytes of the large bodies that this process holds: from before one is read until its call has ended, because it stays in
 * memory as long as the call waits for its turn or for a model. Beyond the bound a body is refused unread, so that neither
 * one account nor all of them together take the memory of everybody's calls.
 */
export class LargeBodies {
  private readonly ofAccounts = new Map<string, number>();
  private total = 0;

  /** @param bytesMax the bound for all bodies of this process together; one account may have a quarter of it */
  constructor(readonly bytesMax = Math.floor(getHeapStatistics().heap_size_limit / HEAP_PER_BODY_BYTE)) {}

  /** The bytes of all large bodies together. */
  get bytes(): number {
    return this.total;
  }

  /**
   * Takes room for a body. Whoever holds none has room for one of any size, unless others have filled the process.
   * @param accountId whose body it is; null where nobody is known
   * @returns null where there is no room
   */
  take(accountId: string | null, bytes: number): BodyRoom | null {
    if (bytes <= SMALL_BYTES_MAX) {
      return NO_ROOM_NEEDED;
    }
    const owner = accountId ?? '';
    const own = this.ofAccounts.get(owner) ?? 0;
    if (exceeds(own, bytes, this.bytesMax / ACCOUNT_SHARE) || exceeds(this.total, bytes, this.bytesMax)) {
      return null;
    }
    let held = bytes;
    this.add(owner, held);
    const narrow = (left: number) => {
      const less = Math.min(held, left);
      this.add(owner, less - held);
      held = less;
    };
    return { narrow, leave: () => narrow(0) };
  }

  private add(owner: string, bytes: number): void {
    this.total += bytes;
    const sum = (this.ofAccounts.get(owner) ?? 0) + bytes;
    if (sum === 0) {
      this.ofAccounts.delete(owner);
    } else {
      this.ofAccounts.set(owner, sum);
    }
  }
}

/** A first body always fits: on a small heap the bound may be less than an operation takes. */
function exceeds(held: number, bytes: number, bytesMax: number): boolean {
  return held > 0 && held + bytes > bytesMax;
}
