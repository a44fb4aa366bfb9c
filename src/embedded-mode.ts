import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The admin's credentials of an embedded service. */
export interface AdminCredentials {
  email: string;
  password: string;
}

/** The secret that signs account tokens, made once and kept in the data folder, readable by its owner only. */
export function embeddedJwtSecret(dataFolder: string): string {
  return madeOnce(dataFolder, 'jwt-secret', () => randomBytes(48).toString('base64url'));
}

/** The first admin's credentials, made once and kept in admin.json, readable by its owner only. */
export function embeddedAdmin(dataFolder: string): { credentials: AdminCredentials; file: string } {
  const text = madeOnce(dataFolder, 'admin.json', () =>
    JSON.stringify({ email: 'admin@example.com', password: randomBytes(18).toString('base64url') }, null, 2),
  );
  return { credentials: JSON.parse(text) as AdminCredentials, file: join(dataFolder, 'admin.json') };
}

/** Written aside and then linked: of two processes only one makes the file, and nobody ever sees it half written. */
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
