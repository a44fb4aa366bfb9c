import { hashSync, verifySync } from '@node-rs/argon2';

/**
 * A hash that no password fits, of the parameters that `hashPassword` uses. Verifying against it takes as long as against
 * the hash of a real password.
 */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** The argon2id hash to store, at the library's defaults (19 MiB, 2 passes), which OWASP recommends first. */
export function hashPassword(password: string): string {
  return hashSync(password);
}

/** Whether the password fits; never where the hash is null, which takes as long to find out. */
export function verifyPassword({ hash, password }: { hash: string | null; password: string }): boolean {
  const fits = verifySync(hash ?? NOBODY, password);
  return fits && hash !== null;
}
