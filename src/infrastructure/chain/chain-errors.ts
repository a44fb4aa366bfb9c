/** A node could not be asked, did not answer in time, or answered what makes no sense. The next look may succeed. */
export class ChainUnavailable extends Error {
  /** @param message never contains the node's URL, which may hold a password */
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = new.target.name;
  }
}

/** A node is on another network than the keys and the environment are for. Nothing may be paid or credited there. */
export class WrongNetwork extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** A pool of single-use addresses is used up. */
export class NoPlaceLeft extends Error {
  constructor() {
    super('the pool of addresses is used up');
    this.name = new.target.name;
  }
}

/** A key or address of the configuration is of no use. The message never contains the value: it may be a private key. */
export class InvalidKey extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}
