import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { bareHost } from './outbound-target';
import { OutboundFault } from './outbound-fault';

/** How many addresses of one name are tried, each for its share of the time that is left. */
const ADDRESSES_TRIED_MAX = 4;

export interface JudgedHost {
  url: URL;
  /** Only such as may be called: nothing is looked up any more. */
  addresses: readonly string[];
  authorities: SecureContext;
}

/**
 * Opens a connection to one of the addresses, the next one when one fails, with the certificate checked against the host of
 * the URL. One
 * that does not answer takes no more than its share of the time; the last one has all that is left.
 * @param endsAt when the time of the call is over, by `performance.now()`
 * @throws the error of the first address, or the reason of the signal
 */
export async function connectToJudged(
  host: JudgedHost,
  endsAt: number,
  signal: AbortSignal,
): Promise<Socket> {
  const tried = host.addresses.slice(0, ADDRESSES_TRIED_MAX);
  let failure: unknown = null;
  for (const [index, address] of tried.entries()) {
    const isLast = index === tried.length - 1;
    const shareMs = isLast ? null : (endsAt - performance.now()) / (tried.length - index);
    try {
      return await connected(host, address, shareMs, signal);
    } catch (error) {
      signal.throwIfAborted();
      failure ??= error;
    }
  }
  throw failure;
}

async function connected(
  { url, authorities }: JudgedHost,
  address: string,
  shareMs: number | null,
  signal: AbortSignal,
): Promise<Socket> {
  const isTls = url.protocol === 'https:';
  const port = Number(url.port) || (isTls ? 443 : 80);
  const carrier = connect({ host: address, port, noDelay: true });
  const socket = isTls ? secured(carrier, bareHost(url), authorities) : carrier;
  // It stays for as long as the socket does: an error that comes when nobody listens any more would end the process.
  socket.on('error', () => undefined);
  const giveUp = () => socket.destroy(signal.reason as Error);
  const timer = shareMs === null ? null : setTimeout(() => socket.destroy(new ShareOver()), shareMs);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    await once(socket, isTls ? 'secureConnect' : 'connect');
    return socket;
  } catch (error) {
    socket.destroy();
    carrier.destroy();
    throw error;
  } finally {
    clearTimeout(timer ?? undefined);
    signal.removeEventListener('abort', giveUp);
  }
}

function secured(carrier: Socket, host: string, authorities: SecureContext): Socket {
  return connectTls({
    socket: carrier,
    // The name that the certificate is checked against. A name that is an address must not be sent (RFC 6066, 3).
    host,
    servername: isIP(host) > 0 ? '' : host,
    secureContext: authorities,
    ALPNProtocols: ['http/1.1'],
    // Said because an environment variable of Node could switch it off.
    rejectUnauthorized: true,
  });
}

/** An address did not answer in its share of the time. */
class ShareOver extends OutboundFault {
  constructor() {
    super('unreachable', 'The receiver did not accept a connection.');
  }
}
