import { hashSync, verifySync } from '@node-rs/argon2';

/** Fits no password; made with the parameters of `hashPassword`, so that verifying takes as long. */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** The library's defaults (19 MiB, 2 passes) are OWASP's first recommendation. */
export function hashPassword(password: string): string {
  return hashSync(password);
}

export function verifyPassword({ hash, password }: { hash: string | null; password: string }): boolean {
  const fits = verifySync(hash ?? NOBODY, password);
  return fits && hash !== null;
}
