import { request, type ClientRequest } from 'node:http';

export interface HeldBody {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What came of a request: the status of its answer, or 'none' where the connection ended without one. */
export type HeldOutcome = number | 'none';

/**
 * Sends many bodies, each but for its last byte, and ends them all together: whoever keeps them until they are whole has all of
 * them in memory by then, and parses them at once.
 * @returns what came of each, in their order
 */
export async function sendTogether(url: string, bodies: readonly HeldBody[]): Promise<HeldOutcome[]> {
  const held = bodies.map((body) => holdBack(url, body));
  await Promise.all(held.map(({ isHeld }) => isHeld));
  held.forEach(({ sent, last }) => sent.destroyed || sent.end(last));
  return Promise.all(held.map(({ outcome }) => outcome));
}

interface Held {
  readonly sent: ClientRequest;
  readonly last: Buffer;
  /** Resolves once all but the last byte are on their way, or nobody wants them any more. */
  readonly isHeld: Promise<unknown>;
  readonly outcome: Promise<HeldOutcome>;
}

function holdBack(url: string, { path, headers, body }: HeldBody): Held {
  const sent = request(url + path, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', 'content-length': body.length, ...headers },
  });
  const outcome = new Promise<HeldOutcome>((resolve) => {
    sent.on('response', (answer) => {
      resolve(answer.statusCode ?? 'none');
      // One that is refused early still sends; its answer is all that it waits for.
      answer.resume().on('close', () => sent.destroy());
    });
    sent.on('error', () => resolve('none')).on('close', () => resolve('none'));
  });
  const written = new Promise((resolve) => sent.write(body.subarray(0, -1), resolve));
  return { sent, last: body.subarray(-1), isHeld: Promise.race([written, outcome]), outcome };
}
