import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { PER_RECEIVER_MAX } from '../../src/modules/webhooks/delivery.limits';
import { payloadOf, signingHeaders } from '../../src/modules/webhooks/delivery-payload';
import { newWebhookSecret } from '../../src/modules/webhooks/webhooks.repository';
import { reportReady } from '../report-ready';
import { EXAMPLE_DATA, EXAMPLE_TYPE } from './example-event';
import { POSTS_AT_ONCE } from './posts-at-once';

const urls = (process.env.RECEIVERS ?? '').split(',');
const agent = new Agent({ connections: PER_RECEIVER_MAX });
const secret = newWebhookSecret();

/**
 * Posts so many events to the receivers in turn, composed and signed as the service does it, 200 at once. It stores nothing and judges no address: nothing that delivers signed events can be faster than this.
 */
async function postAll(count: number): Promise<void> {
  let next = 0;
  const postInTurn = async () => {
    while (next < count) {
      next += 1;
      await post(urls[next % urls.length] ?? '');
    }
  };
  await Promise.all(Array.from({ length: POSTS_AT_ONCE }, postInTurn));
}

async function post(url: string): Promise<void> {
  const eventId = randomUUID();
  const event = {
    eventId,
    eventType: EXAMPLE_TYPE,
    data: EXAMPLE_DATA,
    operation: null,
    occurredAt: new Date(),
  };
  const payload = payloadOf(event, {}, secret);
  const { statusCode, body } = await request(url, {
    dispatcher: agent,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...signingHeaders({ present: secret, previous: null }, eventId, new Date(), payload),
    },
    body: payload,
  });
  await body.dump();
  if (statusCode !== 204) {
    throw new Error(`a receiver answered ${statusCode}`);
  }
}

async function main(): Promise<void> {
  const server = createServer((asked, response) => {
    const { searchParams } = new URL(asked.url ?? '/', 'http://control');
    postAll(Number(searchParams.get('count'))).then(
      () => response.end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  reportReady(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${String((error as Error).stack)}\n`);
  process.exit(1);
});
