import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { payloadOf, signingHeaders, type StoredEvent } from './delivery-payload';

const standard = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const plain = 'sixteen printable characters!';
const event: StoredEvent = {
  eventId: '01970000-0000-7000-8000-000000000001',
  eventType: 'balance.updated',
  data: { user_id: 'Zoë', previous_balance: 1.5, new_balance: 1.25, change: -0.25 },
  operation: 'createChatCompletion',
  occurredAt: new Date('2026-01-15T12:00:00.000Z'),
};
const routes = { createChatCompletion: { method: 'POST', route: '/v1/chat/completions' } };

describe('the payload', () => {
  it('has the fields of the reference in their order', () => {
    const payload = JSON.parse(payloadOf(event, routes, plain)) as Record<string, unknown>;
    expect(Object.keys(payload)).toEqual(['event_id', 'event_type', 'timestamp', 'data', 'signature']);
    expect(payload).toMatchObject({
      event_id: event.eventId,
      event_type: 'balance.updated',
      timestamp: '2026-01-15T12:00:00.000Z',
    });
  });

  it('is signed without its own signature, as a receiver in any language can check by cutting it off', () => {
    const body = payloadOf(event, routes, standard);
    const [, unsigned, signature] = /^(.*),"signature":"(sha256=[0-9a-f]{64})"\}$/.exec(body) ?? [];
    const expected = createHmac('sha256', standard).update(`${unsigned}}`).digest('hex');
    expect(signature).toBe(`sha256=${expected}`);
  });

  it('names route and method where the type has them, and what is told beside them', () => {
    const dataOf = (changes: Partial<StoredEvent>) =>
      (JSON.parse(payloadOf({ ...event, ...changes }, routes, plain)) as { data: Record<string, unknown> })
        .data;
    const route = '/v1/chat/completions';
    const none = { route: null, method: null, request_id: null, cause: null };
    expect(dataOf({}).metadata).toEqual({ ...none, route, method: 'POST' });
    expect(dataOf({ operation: null }).metadata).toEqual(none);
    expect(dataOf({ operation: 'gone' }).metadata).toEqual(none);
    expect(dataOf({ eventType: 'usage.limit_exceeded' }).request_route).toBe(route);
    expect(dataOf({ eventType: 'rate_limit.exceeded', operation: null }).request_route).toBeNull();
    expect(dataOf({ eventType: 'key.revoked' })).toEqual(event.data);
    const test = { route: '/', method: 'GET', request_id: 'a test', cause: 'call' };
    expect(dataOf({ data: { metadata: test } })).toEqual({ metadata: test });
  });
});

describe('the signatures of an attempt', () => {
  const body = payloadOf(event, routes, standard);
  const headersOf = (present: string, previous: string | null, at = new Date()) =>
    signingHeaders({ present, previous }, event.eventId, at, body);

  it('are the HMAC of the raw body by the secret as it is', () => {
    for (const secret of [standard, plain]) {
      const expected = createHmac('sha256', secret).update(Buffer.from(body)).digest('hex');
      expect(headersOf(secret, null)['X-Service-Signature']).toBe(`sha256=${expected}`);
    }
  });

  it('are verified by the standardwebhooks library, with a generated secret and with a plain one', () => {
    const generated = new Webhook(standard);
    expect(generated.verify(body, headersOf(standard, null))).toEqual(JSON.parse(body));
    expect(new Webhook(plain, { format: 'raw' }).verify(body, headersOf(plain, null))).toEqual(
      JSON.parse(body),
    );
    expect(() => generated.verify(`${body} `, headersOf(standard, null))).toThrow('No matching signature');
    expect(() => generated.verify(body, headersOf(plain, null))).toThrow('No matching signature');
  });

  it('are too old for the library five minutes after the attempt', () => {
    const early = headersOf(standard, null, new Date(Date.now() - 6 * 60_000));
    expect(() => new Webhook(standard).verify(body, early)).toThrow('too old');
  });

  it('are by both secrets during the overlap of a rotation, and only then', () => {
    const headers = headersOf(standard, plain);
    expect(new Webhook(standard).verify(body, headers)).toEqual(JSON.parse(body));
    expect(new Webhook(plain, { format: 'raw' }).verify(body, headers)).toEqual(JSON.parse(body));
    expect(headers['X-Service-Signature']).toBe(headersOf(standard, null)['X-Service-Signature']);
    expect(headers['X-Service-Signature-Previous']).toBe(headersOf(plain, null)['X-Service-Signature']);
    expect(headersOf(standard, null)).not.toHaveProperty('X-Service-Signature-Previous');
  });
});
