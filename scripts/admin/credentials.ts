import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSecretFiles } from '../../src/config/environment';
import { CommandFailure, EXIT } from './failures';

export type Credentials = { token: string } | Login;

interface Login {
  email: string;
  password: string;
}

export interface FoundCredentials {
  credentials: Credentials;
  /** The option, the variables or the file that they were taken from. */
  from: string;
}

export interface CredentialOptions {
  token?: string;
  credentials?: string;
}

/**
 * How the operator is to be known: what the command line names, then ADMIN_TOKEN, then ADMIN_EMAIL with ADMIN_PASSWORD or
 * ADMIN_PASSWORD_FILE, as a container of the service has them, then the file that an embedded service made in its data folder.
 * @throws CommandFailure where there is nothing of all that
 */
export function readCredentials(
  options: CredentialOptions,
  environment: NodeJS.ProcessEnv,
): FoundCredentials {
  const { ADMIN_TOKEN: token, ADMIN_EMAIL: email, DATA_DIR: folder } = environment;
  if (options.token) {
    return tokenFrom(options.token, '--token');
  }
  if (options.credentials) {
    return readFile(options.credentials);
  }
  if (token) {
    return tokenFrom(token, 'ADMIN_TOKEN');
  }
  const password = email && passwordIn(environment);
  if (email && password) {
    const file = environment.ADMIN_PASSWORD_FILE;
    const from = `ADMIN_EMAIL and ${file ? `ADMIN_PASSWORD_FILE (${file})` : 'ADMIN_PASSWORD'}`;
    return { credentials: { email, password }, from };
  }
  return readFile(join(folder || '.data', 'admin.json'));
}

/** What no header may hold is refused here, because the error of the one who sends headers would show it. */
function tokenFrom(text: string, from: string): FoundCredentials {
  const token = text.trim();
  if (!/^[\x20-\x7e]+$/.test(token)) {
    throw new CommandFailure(
      `${from} is no account token: it has characters that no header may hold.`,
      EXIT.usage,
    );
  }
  return { credentials: { token }, from };
}

/** Only this secret is read, by the service's own rule: those beside it are not this command's. */
function passwordIn({ ADMIN_PASSWORD, ADMIN_PASSWORD_FILE }: NodeJS.ProcessEnv): string | undefined {
  const { environment, faults } = readSecretFiles({ ADMIN_PASSWORD, ADMIN_PASSWORD_FILE });
  if (faults.length > 0) {
    throw new CommandFailure(faults.join('\n'), EXIT.usage);
  }
  return environment.ADMIN_PASSWORD;
}

function readFile(file: string): FoundCredentials {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new CommandFailure(
      `No credentials: ${file} can't be read. Name another file by --credentials, or set ADMIN_EMAIL and ADMIN_PASSWORD (or ADMIN_PASSWORD_FILE), or ADMIN_TOKEN.`,
      EXIT.usage,
    );
  }
  return { credentials: credentialsIn(text) ?? refuse(file), from: resolve(file) };
}

function credentialsIn(text: string): Login | null {
  try {
    const { email, password } = JSON.parse(text) as { email?: unknown; password?: unknown };
    return typeof email === 'string' && typeof password === 'string' ? { email, password } : null;
  } catch {
    return null;
  }
}

/** Says nothing of what stands in the file: it may be a password in another form. */
function refuse(file: string): never {
  throw new CommandFailure(`${file} is no JSON object with "email" and "password".`, EXIT.usage);
}
