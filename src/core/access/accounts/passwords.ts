import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';

/** A hash of nobody's password: verifying against it takes as long as against a real one. */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** Password hashing with argon2id at the library's defaults (19 MiB, 2 passes), OWASP's first recommendation. */
@Injectable()
export class Passwords {
  async hash(password: string): Promise<string> {
    return hash(password);
  }

  /** Whether the password fits; an unknown account (null) takes as long as a known one. */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    const fits = await verify(passwordHash ?? NOBODY, password);
    return fits && passwordHash !== null;
  }
}
