import { createServer, type ServerResponse } from 'node:http';
import { reportReady } from '../report-ready';
import { ANSWER, CHUNK, CHUNKS, LAST, LONG_ANSWER, MODELS, SLOW_MS } from './chat-answers';

/** An upstream that costs nothing itself, so that only what lies between it and the caller is measured. */
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
    const whole = asks(body, MODELS.long) ? LONG_ANSWER : ANSWER;
    setTimeoutOrNow(asks(body, MODELS.slow) ? SLOW_MS : 0, () => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length });
      response.end(whole);
    });
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  if (asks(body, MODELS.idle)) {
    response.write(CHUNK);
    return;
  }
  writeFrom(response, 0);
}

function asks(body: string, model: string): boolean {
  return body.includes(`"model":"${model}"`);
}

function setTimeoutOrNow(ms: number, work: () => void): void {
  if (ms === 0) {
    work();
  } else {
    setTimeout(work, ms);
  }
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
