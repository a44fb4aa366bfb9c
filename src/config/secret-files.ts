import { readFileSync } from 'node:fs';

/** The variables that are secrets, or addresses that may hold a password. */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_PASSWORD',
  'REDIS_URL',
  'JWT_SECRET',
  'ADMIN_PASSWORD',
  'METRICS_TOKEN',
  'UPSTREAMS',
  'BTC_XPUB',
  'BTC_RPC_URL',
  'BTC_ESPLORA_URL',
  'ETH_XPUB',
  'ETH_RPC_URL',
  'SOL_RPC_URL',
  'PRICE_SOURCES',
] as const;

/** No secret is longer; a larger file is another one than was meant. */
const SECRET_BYTES_MAX = 1_048_576;

export interface SecretFiles {
  /** The environment with every `NAME_FILE` replaced by `NAME`. */
  environment: NodeJS.ProcessEnv;
  /** Each names a variable and what is wrong with its file, and nothing of what the file holds. */
  faults: string[];
}

/**
 * Reads the secrets that are given as files, as Docker and Kubernetes hand them over: `JWT_SECRET_FILE` is the path of
 * a file that holds what would be in `JWT_SECRET`. A line end at the end of the file is not part of the secret.
 */
export function readSecretFiles(environment: NodeJS.ProcessEnv): SecretFiles {
  const read: NodeJS.ProcessEnv = { ...environment };
  const faults: string[] = [];
  for (const name of SECRET_VARIABLES) {
    const path = environment[`${name}_FILE`];
    delete read[`${name}_FILE`];
    if (path === undefined || path === '') {
      continue;
    }
    if (environment[name] !== undefined && environment[name] !== '') {
      faults.push(`${name} and ${name}_FILE exclude each other`);
      continue;
    }
    try {
      read[name] = contentOf(path);
    } catch (error) {
      faults.push(`${name}_FILE: ${(error as Error).message}`);
    }
  }
  return { environment: read, faults };
}

/** @throws Error that names the file */
function contentOf(path: string): string {
  const bytes = readFileSync(path);
  if (bytes.length > SECRET_BYTES_MAX) {
    throw new Error(`${path} is larger than a secret`);
  }
  const secret = bytes.toString('utf8').replace(/\r?\n$/, '');
  if (secret === '') {
    throw new Error(`${path} is empty`);
  }
  return secret;
}
