import type { IncomingMessage } from 'node:http';

/** Lines that a head may have. Its 16 KiB have room for some 4,000, and what reads them may take time for each. */
const HEADER_LINES_MAX = 2_000;

/**
 * What is wrong with the head of a request that Node's parser lets pass, as an error with the status of its answer.
 * HTTP/1.1 requires one Host (RFC 9112, section 3.2), and of two somebody on the way may have read the other; HTTP/1.0
 * knows none.
 */
export function faultOfHead({ rawHeaders, httpVersion }: IncomingMessage): Error | undefined {
  if (rawHeaders.length > 2 * HEADER_LINES_MAX) {
    return fault(431, 'the request has too many headers');
  }
  const hosts = hostsIn(rawHeaders);
  const isComplete = hosts === 1 || (hosts === 0 && httpVersion === '1.0');
  return isComplete ? undefined : fault(400, `the request has ${hosts} Host headers`);
}

/**
 * Whether nothing that follows on the connection can be trusted to be a request of its own: whoever is on the way may not
 * know the chunks of HTTP/1.0, and have told the end of the body otherwise (RFC 9112, section 6.1).
 */
export function isFramingDoubtful({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;
}

function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    hosts += name.length === 4 && name.toLowerCase() === 'host' ? 1 : 0;
  }
  return hosts;
}

function fault(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode });
}
