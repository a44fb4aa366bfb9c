import { hashSync, verifySync } from '@node-rs/argon2';

/** No password fits it. It has the parameters of `hashPassword`, so that to verify against it takes as long. */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** At the library's defaults (19 MiB, 2 passes), which OWASP recommends first. */
export function hashPassword(password: string): string {
  return hashSync(password);
}

/** Never where the hash is null, which takes as long to find out. */
export function verifyPassword({ hash, password }: { hash: string | null; password: string }): boolean {
  const fits = verifySync(hash ?? NOBODY, password);
  return fits && hash !== null;
}
