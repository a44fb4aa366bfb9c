import { createServer } from 'node:http';
import { pipeline } from 'node:stream';
import { Agent, request as callUpstream } from 'undici';
import { reportReady } from '../report-ready';

/**
 * The floor under the pass-through: the same HTTP server and client with nothing in between. It knows no accounts, reads
 * no usage and looks at no byte.
 */
function main(): void {
  const dispatcher = new Agent();
  const server = createServer((request, response) => {
    void callUpstream(`${process.env.UPSTREAM_URL}${request.url}`, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: request,
    }).then(
      (answer) => {
        response.writeHead(answer.statusCode, { 'content-type': String(answer.headers['content-type']) });
        pipeline(answer.body, response, () => undefined);
      },
      () => response.writeHead(502).end(),
    );
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    reportReady(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
  });
}

main();
