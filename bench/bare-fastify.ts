import fastify from 'fastify';
import { echo, enveloped, type Echo } from './echo';
import { reportReady } from './report-ready';

/** The floor under Nest: Fastify with one route that answers what it was sent, and nothing else. */
async function main(): Promise<void> {
  const server = fastify();
  server.post('/echo', (request, reply) => reply.status(201).send(enveloped(echo(request.body as Echo))));
  reportReady(await server.listen({ port: 0, host: '127.0.0.1' }));
}

void main();
