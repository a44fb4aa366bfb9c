/** A node's refusal, with the code that its protocol gives to it. */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

interface RpcReply {
  result?: unknown;
  error?: { code: number; message: string } | null;
}

/**
 * Asks a node once. A connection of its own for each question, because a node that was started again has closed the
 * old ones, and a node that stands still would keep them.
 *
 * @param url may have the user and the password in it, which fetch does not take
 * @throws RpcError for what the node refuses, TypeError when there is no node
 */
export async function askNode(url: string, method: string, params: unknown): Promise<unknown> {
  const { href, authorization } = splitCredentials(url);
  const response = await fetch(href, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close', ...authorization },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  const reply = readReply(text);
  if (!reply) {
    throw new Error(`${method}: ${response.status} ${text}`);
  }
  if (reply.error) {
    throw new RpcError(reply.error.code, `${method}: ${reply.error.message}`);
  }
  return reply.result;
}

function readReply(text: string): RpcReply | null {
  try {
    return JSON.parse(text) as RpcReply;
  } catch {
    return null;
  }
}

function splitCredentials(url: string): { href: string; authorization: Record<string, string> } {
  const address = new URL(url);
  const { username, password } = address;
  address.username = '';
  address.password = '';
  const basic = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString(
    'base64',
  );
  return { href: address.href, authorization: username === '' ? {} : { authorization: `Basic ${basic}` } };
}
