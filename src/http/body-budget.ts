import { getHeapStatistics } from 'node:v8';

/** The rest of the heap is for the program, and for what calls make of their bodies. */
const HEAP_SHARE = 3;
/** Of the process's bytes, for one account. */
const ACCOUNT_SHARE = 1 / 4;
/** For all strangers together, and for one address of theirs. */
const STRANGERS_SHARE = 1 / 8;
const ADDRESS_SHARE = 1 / 64;
/** For owners with little: a few accounts that fill the rest, and send slowly, keep nobody's small bodies out. */
const COMMON_SHARE = 3 / 4;
const LITTLE_SHARE = 1 / 256;

/** A stranger is known only by an address or a block of addresses. */
export type BodyOwner = { readonly accountId: string } | { readonly address: string };

/** In bytes of the heap. */
export interface BodyRoom {
  /** @returns false, and changes nothing, where there is not so much in all; less is always given */
  hold(heapBytes: number): boolean;
  /** For good: what is held later counts as nothing. */
  leave(): void;
}

interface Holding {
  held: number;
  readonly share: number;
}

/**
 * The heap of requests' bodies in this process, from before one is read until its call has ended. Beyond the bounds a
 * body is refused, so that no account, no address and not all strangers take the memory of everybody's calls.
 */
export class BodyBudget {
  private readonly owners = new Map<string, Holding>();
  private strangers = 0;
  private total = 0;

  /** @param bytesMax for all bodies of this process, in bytes of the heap */
  constructor(readonly bytesMax = Math.floor(getHeapStatistics().heap_size_limit / HEAP_SHARE)) {}

  get bytes(): number {
    return this.total;
  }

  /**
   * An owner who holds nothing gets a body of any size while the process has room: on a small heap an owner's share may
   * be less than a single operation takes.
   * @returns null where there is no room
   */
  take(owner: BodyOwner, heapBytes: number): BodyRoom | null {
    const room = new TakenRoom(this, owner);
    return room.hold(heapBytes) ? room : null;
  }

  /** @returns false, and changes nothing, where the owner's `held` bytes can't become `wanted` */
  change(owner: BodyOwner, held: number, wanted: number): boolean {
    const isStranger = 'address' in owner;
    const key = isStranger ? `address:${owner.address}` : `account:${owner.accountId}`;
    const own = this.owners.get(key) ?? { held: 0, share: isStranger ? ADDRESS_SHARE : ACCOUNT_SHARE };
    const more = wanted - held;
    if (more > 0) {
      const ofAll = own.held + more <= this.bytesMax * LITTLE_SHARE ? 1 : COMMON_SHARE;
      if (
        this.isTooMuch(own.held - held, wanted, own.share) ||
        (isStranger && this.isTooMuch(this.strangers - held, wanted, STRANGERS_SHARE)) ||
        this.isTooMuch(this.total - held, wanted, ofAll)
      ) {
        return false;
      }
    }
    own.held += more;
    this.total += more;
    this.strangers += isStranger ? more : 0;
    if (own.held === 0) {
      this.owners.delete(key);
    } else {
      this.owners.set(key, own);
    }
    return true;
  }

  /** A body that is the only one always fits. */
  private isTooMuch(others: number, wanted: number, share: number): boolean {
    return others > 0 && others + wanted > this.bytesMax * share;
  }
}

class TakenRoom implements BodyRoom {
  private held = 0;
  private isLeft = false;

  constructor(
    private readonly budget: BodyBudget,
    private readonly owner: BodyOwner,
  ) {}

  hold(heapBytes: number): boolean {
    // What is read after the end of its call is thrown away.
    const wanted = this.isLeft ? 0 : Math.ceil(heapBytes);
    if (!this.budget.change(this.owner, this.held, wanted)) {
      return false;
    }
    this.held = wanted;
    return true;
  }

  leave(): void {
    this.hold(0);
    this.isLeft = true;
  }
}
