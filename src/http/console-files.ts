import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { NotFound } from '../errors/api-errors';
import { POLICY_OF_CONSOLE } from './response-headers';

export const CONSOLE_FOLDER = resolve('console', 'dist');
const CONSOLE = '/console';

/** Addresses are relative, for a proxy may put the service below a path. It may be built while the service runs. */
export function publishConsole(
  server: FastifyInstance,
  folder: string,
  count: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
): void {
  server.addHook('onRoute', (route: RouteOptions) => {
    if (route.url === CONSOLE || route.url.startsWith(`${CONSOLE}/`)) {
      route.onRequest = async (request, reply) => {
        await count(request, reply);
        reply.header('content-security-policy', POLICY_OF_CONSOLE);
      };
    }
  });
  void server.register(fastifyStatic, {
    root: folder,
    prefix: `${CONSOLE}/`,
    index: false,
    dotfiles: 'deny',
    preCompressed: true,
    cacheControl: false,
    suppressWarning: true,
    setHeaders: (reply, path) => {
      const isNamedByHash = path.startsWith(join(folder, 'assets'));
      reply.header('cache-control', isNamedByHash ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  server.get(CONSOLE, (request, reply) => {
    if (!existsSync(join(folder, 'index.html'))) {
      throw new NotFound('console here yet: build it by `npm run build:console`');
    }
    return request.url.split('?', 1)[0] === CONSOLE
      ? reply.redirect('console/')
      : reply.sendFile('index.html');
  });
  // No route, which would make other methods of / another error than those of any unknown path.
  server.redirectUnrouted = ({ method, url, headers }) => {
    const isRead = method === 'GET' || method === 'HEAD';
    return isRead && /^\/(\?|$)/.test(url) && headers.accept?.includes('text/html') ? 'console/' : null;
  };
}
