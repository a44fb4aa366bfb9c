import { PASSWORD } from './accounts';
import type { RunningTarget } from './running-target';
import { median, percentile } from './statistics';

const CALLS = 50;
/** After this time no further call is made: of a query that takes seconds a few calls tell enough. */
const SECONDS_MAX = 60;

/** How long one query takes the account that has half of all rows, asked again and again on one connection. */
export interface QueryTimes {
  target: string;
  path: string;
  calls: number;
  medianMs: number;
  p99Ms: number;
  failures: number;
}

/** Asks a metered target for the usage and the transactions of its first account. @throws Error without a login */
export async function askForUsage(running: RunningTarget): Promise<QueryTimes[]> {
  const { target, server, accounts } = running;
  const account = accounts[0];
  if (!account) {
    throw new RangeError(`${target.name} has no accounts`);
  }
  const token = await logIn(server.url, account.email);
  const paths = [
    '/api/monitoring/usage',
    '/api/monitoring/usage/summary',
    '/api/monitoring/costs',
    `/api/monitoring/keys/${account.keyId}/usage`,
    '/api/payments/transactions/stats',
  ];
  const results: QueryTimes[] = [];
  for (const path of paths) {
    const asked = await ask(server.url + path, token);
    results.push({ target: target.name, path: path.replace(account.keyId, '{key_id}'), ...asked });
  }
  return results;
}

async function ask(url: string, token: string): Promise<Omit<QueryTimes, 'target' | 'path'>> {
  const times: number[] = [];
  let failures = 0;
  const deadlineMs = performance.now() + SECONDS_MAX * 1000;
  while (times.length < CALLS && performance.now() < deadlineMs) {
    const startedAtMs = performance.now();
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    times.push(performance.now() - startedAtMs);
    failures += response.ok ? 0 : 1;
  }
  return { calls: times.length, medianMs: median(times), p99Ms: percentile(times, 0.99), failures };
}

async function logIn(url: string, email: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const { token } = (await response.json()) as { token?: string };
  if (token === undefined) {
    throw new Error(`the login was answered with ${response.status}`);
  }
  return token;
}
