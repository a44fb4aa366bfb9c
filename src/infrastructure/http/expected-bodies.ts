import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** The answers of requests whose client sends the body only once it is asked to. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Lets requests with `Expect: 100-continue` (RFC 9110, section 10.1.1) be judged by their heads: without this Node asks
 * every client for its body at once. Other expectations are ignored, as that section allows.
 */
export function leaveExpectations(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, answer: ServerResponse) => {
    waiting.set(request, answer);
    server.emit('request', request, answer);
  });
  server.on('checkExpectation', (request: IncomingMessage, answer: ServerResponse) => {
    server.emit('request', request, answer);
  });
}

/** Tells the client to send its body, where it waits to be told. */
export function askForBody(request: IncomingMessage): void {
  if (request.headers.expect !== undefined) {
    waiting.get(request)?.writeContinue();
  }
}
