import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The admin's credentials of an embedded service. */
export interface AdminCredentials {
  email: string;
  password: string;
}

/** The secret that signs account tokens, made once and kept in the data folder. Only the file's owner can read it. */
export function embeddedJwtSecret(dataFolder: string): string {
  return madeOnce(dataFolder, 'jwt-secret', () => randomBytes(48).toString('base64url'));
}

/** The first admin's credentials, made once and kept in the file admin.json, which only its owner can read. */
export function embeddedAdmin(dataFolder: string): { credentials: AdminCredentials; file: string } {
  const text = madeOnce(dataFolder, 'admin.json', () =>
    JSON.stringify({ email: 'admin@example.com', password: randomBytes(18).toString('base64url') }, null, 2),
  );
  return { credentials: JSON.parse(text) as AdminCredentials, file: join(dataFolder, 'admin.json') };
}

/**
 * Returns the text of a file, and makes the file where there is none. The text is written to a draft that is then
 * linked to the file's name: of two processes only one makes the file, and nobody reads a file that is only half
 * written.
 */
function madeOnce(folder: string, name: string, make: () => string): string {
  const file = join(folder, name);
  const draft = `${file}.${process.pid}`;
  mkdirSync(folder, { recursive: true });
  if (!existsSync(file)) {
    writeFileSync(draft, make(), { mode: 0o600 });
    try {
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
    } finally {
      unlinkSync(draft);
    }
  }
  return readFileSync(file, 'utf8');
}
