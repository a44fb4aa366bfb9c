import { getHeapStatistics } from 'node:v8';

/**
 * What part of the heap all bodies of a process may take. The rest is for the program itself, and for what calls make of
 * their bodies.
 */
const HEAP_SHARE = 3;
/** One account may hold this part of what a process may. */
const ACCOUNT_SHARE = 1 / 4;
/** All strangers together may hold this part of it, and one address of theirs that. */
const STRANGERS_SHARE = 1 / 8;
const ADDRESS_SHARE = 1 / 64;
/**
 * The last part is for those who hold little: a few accounts that fill the rest, and send slowly, keep nobody's small bodies
 * out.
 */
const COMMON_SHARE = 3 / 4;
const LITTLE_SHARE = 1 / 256;

/** Whose body it is: an account's, or a stranger's, who is known by nothing but an address or a block of addresses. */
export type BodyOwner = { readonly accountId: string } | { readonly address: string };

/** The room that a body takes, in bytes of the heap. */
export interface BodyRoom {
  /**
   * Takes so much in all from now on.
   * @returns false, and changes nothing, where there is not so much; less is always given
   */
  hold(heapBytes: number): boolean;
  /** Gives it back for good. */
  leave(): void;
}

/** What some bodies hold together, and which part of the bound they may. */
interface Holding {
  held: number;
  readonly share: number;
}

/**
 * The heap that the bodies of requests take in this process: from before one is read until its call has ended, because it
 * stays in memory as long as the call waits for its turn or for a model. Beyond the bound a body is refused, so that
 * neither one account nor one address, nor all strangers, nor everybody together take the memory of everybody's calls.
 */
export class BodyBudget {
  private readonly strangers: Holding = { held: 0, share: STRANGERS_SHARE };
  private readonly owners = new Map<string, Holding>();
  private total = 0;

  /** @param bytesMax the bound for all bodies of this process together, in bytes of the heap */
  constructor(readonly bytesMax = Math.floor(getHeapStatistics().heap_size_limit / HEAP_SHARE)) {}

  /** What all bodies hold together, in bytes of the heap. */
  get bytes(): number {
    return this.total;
  }

  /**
   * Takes room for a body. Whoever holds none has room for one of any size, unless others have filled the process: on a
   * small heap the bound may be less than a single operation takes.
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
      const holdings = [own, ...(isStranger ? [this.strangers] : []), { held: this.total, share: ofAll }];
      if (holdings.some((holding) => this.isTooMuch(holding, held, wanted))) {
        return false;
      }
    }
    own.held += more;
    this.total += more;
    this.strangers.held += isStranger ? more : 0;
    if (own.held === 0) {
      this.owners.delete(key);
    } else {
      this.owners.set(key, own);
    }
    return true;
  }

  /** A body that is the only one always fits. */
  private isTooMuch(holding: Holding, held: number, wanted: number): boolean {
    const others = holding.held - held;
    return others > 0 && others + wanted > this.bytesMax * holding.share;
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
    // What is read on after the end of its call is thrown away.
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
