import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import fastify, { type FastifyInstance } from 'fastify';
import { BodyBudget, readText } from './request-body';
import { leaveBodies } from './json-bodies';

const BODIES = 20;

describe('the bodies of a route that has no limit of its own', () => {
  const servers: FastifyInstance[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  async function serverWith(budget: BodyBudget): Promise<FastifyInstance> {
    const server = fastify();
    servers.push(server);
    leaveBodies(server, budget);
    server.post('/', (request, reply) => reply.send({ held: budget.bytes, length: request.bodyLength }));
    await server.ready();
    return server;
  }
  const send = (server: FastifyInstance, payload: string) =>
    server.inject({ method: 'POST', url: '/', headers: { 'content-type': 'application/json' }, payload });
  const listOf = (items: number, item: string) => `[${Array.from({ length: items }, () => item).join(',')}]`;

  it('are refused where there is no room for them', async () => {
    const budget = new BodyBudget(1024);
    expect(budget.take({ accountId: 'a' }, 1024)).not.toBeNull();
    expect((await send(await serverWith(budget), '{"a":1}')).statusCode).toBe(503);
  });

  it('take room until they are answered: less once they are parsed, and more the more values they have', async () => {
    const budget = new BodyBudget();
    const server = await serverWith(budget);
    const [text, list] = [JSON.stringify('x'.repeat(8_000)), listOf(2_000, '{}')];
    const held: number[] = [];
    for (const body of [text, list]) {
      held.push((await send(server, body)).json<{ held: number }>().held);
    }
    expect(held[0]).toBeGreaterThanOrEqual(2 * text.length);
    expect(held[0]).toBeLessThan(3 * text.length);
    expect(held[1]).toBeGreaterThan(24 * list.length);
    expect(budget.bytes).toBe(0);
  });

  it('are parsed one in a turn of the event loop, however many have arrived, where they have many values', async () => {
    const server = await serverWith(new BodyBudget(1024 * 1024 * 1024));
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      return isOver || setImmediate(count);
    };
    setImmediate(count);
    const list = listOf(2_000, '{}');
    await Promise.all(Array.from({ length: BODIES }, () => send(server, list)));
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(BODIES);
  });
});

it('reads a body whole that arrived in parts before it was asked for, where each call of read() returns one part', async () => {
  const arrived = new Readable({ objectMode: true, read: () => undefined });
  const parts = ['{"a":', '"ü"}', null].map((part) => part && Buffer.from(part));
  parts.forEach((part) => arrived.push(part));
  const request = Object.assign(arrived, { complete: true, socket: {} }) as unknown as IncomingMessage;
  const read = await new Promise((done) => readText(request, () => null, done));
  expect(read).toEqual({ text: '{"a":"ü"}' });
});
