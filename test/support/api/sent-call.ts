import { Agent, request } from 'undici';
import type { OperationPolicy } from '../../../src/contract/operation';

export interface SentCall {
  policy: Pick<OperationPolicy, 'method'>;
  url: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: unknown;
  /** The caller's address as the test names it. */
  ip: string | undefined;
}

export interface Answer {
  statusCode: number;
  headers: Record<string, unknown>;
  body: string;
}

/** One for each address that calls come from. */
const agents = new Map<string, Agent>();

/**
 * Makes a call over HTTP. It comes from the address in 127.0.0.0/8 that stands for the caller's: on Linux all of them are
 * this machine's.
 */
export async function sendCall({ policy, url, query, headers, body, ip }: SentCall): Promise<Answer> {
  const isJson = body !== undefined && !Buffer.isBuffer(body);
  const answer = await request(`${url}?${new URLSearchParams(query).toString()}`.replace(/\?$/, ''), {
    method: policy.method,
    headers: { ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers },
    body: isJson ? JSON.stringify(body) : body,
    dispatcher: agentOf(ip?.replace(/^\d+/, '127') ?? '127.0.0.1'),
  });
  return { statusCode: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
}

function agentOf(localAddress: string): Agent {
  let agent = agents.get(localAddress);
  if (!agent) {
    agent = new Agent({ localAddress, headersTimeout: 0, bodyTimeout: 0 });
    agents.set(localAddress, agent);
  }
  return agent;
}

/** Closes the connections of all callers, which would keep the test's process alive. */
export async function hangUp(): Promise<void> {
  await Promise.all([...agents.values()].map((agent) => agent.destroy()));
  agents.clear();
}
