import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';

/** A hash that no password fits. Verifying against it takes as long as against the hash of a real password. */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** Password hashing with argon2id at the library's defaults (19 MiB, 2 passes), as OWASP recommends first. */
@Injectable()
export class Passwords {
  /** The argon2id hash to store, which contains its salt and its parameters. */
  async hash(password: string): Promise<string> {
    return hash(password);
  }

  /**
   * Whether the password fits the hash. For an unknown account the hash is null: the answer is false, and takes as
   * long as for a known one, so that the time does not tell which accounts exist.
   */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    const fits = await verify(passwordHash ?? NOBODY, password);
    return fits && passwordHash !== null;
  }
}
