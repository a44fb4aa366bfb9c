import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Passes calls on, but has the first answer of one path get lost after the service has done what it asks for. */
export async function lossyProxy(
  target: string,
  path: string,
  lose: (response: ServerResponse) => Promise<void> | void = (response) => void response.destroy(),
): Promise<{ url: string; server: Server; lost: () => number }> {
  let lost = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = await request.toArray();
      const passed = ['authorization', 'content-type', 'idempotency-key'];
      const headers = passed.flatMap((name) => {
        const value = request.headers[name];
        return typeof value === 'string' ? [[name, value] as [string, string]] : [];
      });
      const answer = await fetch(target + request.url, {
        method: request.method,
        headers,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      });
      const text = await answer.text();
      if (request.url === path && lost === 0) {
        lost += 1;
        await lose(response);
        return;
      }
      const retryAfter = answer.headers.get('retry-after');
      response
        .writeHead(answer.status, {
          'content-type': 'application/json',
          ...(retryAfter !== null && { 'retry-after': retryAfter }),
        })
        .end(text);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, lost: () => lost };
}
