import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { boundedPipelining } from './pipelined-requests';
import { StalledWrites } from './stalled-writes';

/** What Fastify gives to whoever makes its server; these two it would otherwise set itself. */
interface ServerTimes {
  keepAliveTimeout?: number;
  requestTimeout?: number;
}

/**
 * Makes the servers of Fastify: Node's own, which works on a few requests of a connection at once and ends connections
 * whose client does not read.
 *
 * @param stalledWriteTimeoutMs how long a write may make no progress
 */
export function boundedServers(
  stalledWriteTimeoutMs: number,
): (handle: RequestListener, options: ServerTimes & { http?: ServerOptions | null }) => Server {
  return (handle, { http, keepAliveTimeout, requestTimeout }) => {
    const server = createServer(http ?? {}, boundedPipelining(handle));
    // Node would cut what is beyond its own number of them without a word. Who gets the request refuses it (request-head.ts),
    // and the 16 KiB of a head bound how many there can be.
    server.maxHeadersCount = 0;
    server.keepAliveTimeout = keepAliveTimeout ?? server.keepAliveTimeout;
    server.requestTimeout = requestTimeout ?? server.requestTimeout;
    new StalledWrites(server, stalledWriteTimeoutMs);
    return server;
  };
}
