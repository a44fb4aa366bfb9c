import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from './load';

/** Prepares an account with credit and no rate limits, as an admin would, and returns its metered write. */
export async function meteredTarget(url: string, dataFolder: string): Promise<Target> {
  const admin = JSON.parse(readFileSync(join(dataFolder, 'admin.json'), 'utf8')) as Record<string, string>;
  const adminToken = (await post<{ token: string }>(`${url}/api/auth/login`, admin)).token;
  const credentials = { email: 'bench@example.com', password: 'a password for the benchmark' };
  const user = await post<{ id: string }>(`${url}/api/auth/register`, { ...credentials, username: 'bench' });
  await put(`${url}/api/admin/users/${user.id}`, { tier: 'enterprise' }, adminToken);
  await post(
    `${url}/api/payments/credits/add`,
    { user_id: user.id, amount_usd: 100_000, reason: 'benchmark' },
    adminToken,
  );
  const { token } = await post<{ token: string }>(`${url}/api/auth/login`, credentials);
  const key = await post<{ key_value: string }>(`${url}/api/keys`, { name: 'bench' }, token);
  return {
    name: 'metered: POST /api/hub/memory/search',
    url: `${url}/api/hub/memory/search`,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key.key_value },
    body: JSON.stringify({ query: 'what the benchmark wrote', limit: 1 }),
  };
}

async function post<Answer>(url: string, body: object, token?: string): Promise<Answer> {
  return send(url, 'POST', body, token);
}

async function put(url: string, body: object, token: string): Promise<void> {
  await send(url, 'PUT', body, token);
}

async function send<Answer>(url: string, method: string, body: object, token?: string): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Answer;
  if (!response.ok) {
    throw new Error(`${method} ${url}: ${response.status} ${JSON.stringify(answer)}`);
  }
  return answer;
}
