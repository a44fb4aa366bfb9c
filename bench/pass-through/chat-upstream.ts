import { createServer, type ServerResponse } from 'node:http';
import { reportReady } from '../report-ready';
import { ANSWER, CHUNK, CHUNKS, IDLE_MODEL, LAST } from './chat-answers';

/** An upstream that answers at once, so that only what lies between it and the caller is measured. */
function main(): void {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => answer(response, Buffer.concat(pieces).toString()));
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    reportReady(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
  });
}

function answer(response: ServerResponse, body: string): void {
  if (!body.includes('"stream":true')) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': ANSWER.length });
    response.end(ANSWER);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  if (body.includes(`"model":"${IDLE_MODEL}"`)) {
    response.write(CHUNK);
    return;
  }
  writeFrom(response, 0);
}

/**
 * Writes one chunk per turn of the event loop, as a model produces them: written together they would be read together.
 */
function writeFrom(response: ServerResponse, written: number): void {
  if (written === CHUNKS) {
    response.end(LAST);
    return;
  }
  response.write(CHUNK);
  setImmediate(writeFrom, response, written + 1);
}

main();
