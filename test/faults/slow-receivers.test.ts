import { startBackgroundWork } from '../../src/application';
import { newId } from '../../src/runtime/ids';
import { TestService } from '../support/api/service';
import { subscribe } from '../support/events/subscribe';
import { HttpsReceiver } from '../support/receiver/https-receiver';
import type { ReceiverReaction } from '../support/receiver/receiver-reaction';
import { until } from '../support/until';

const GIBIBYTE = 1024 ** 3;

/** What the receiver does at each path, and what becomes of the delivery. */
const CASES: Record<string, { reaction: ReceiverReaction; becomes: object }> = {
  'answers after 4.5 s': {
    reaction: { kind: 'answer', status: 200, body: 'just in time', delayMs: 4_500 },
    becomes: { status: 'success', response_status: 200, response_body: 'just in time', error_message: null },
  },
  'answers after 5.1 s': {
    reaction: { kind: 'answer', status: 200, body: 'too late', delayMs: 5_100 },
    becomes: { status: 'failed', response_status: null, response_body: null },
  },
  'gives one byte of its body after the other': {
    reaction: { kind: 'drip', status: 200, everyMs: 100 },
    becomes: { status: 'failed', response_body: null },
  },
  'takes the delivery and says nothing': {
    reaction: { kind: 'hang' },
    becomes: { status: 'failed', response_status: null },
  },
  'sends a gibibyte': {
    reaction: { kind: 'huge', status: 200, bytes: GIBIBYTE },
    becomes: { status: 'success', response_status: 200, response_body: 'x'.repeat(2_048) },
  },
  'redirects to an address that would take it': {
    reaction: { kind: 'redirect', to: '/elsewhere', status: 307 },
    becomes: { status: 'failed', response_status: 307 },
  },
};

describe('a delivery to a receiver that', () => {
  const names = Object.keys(CASES);
  let service: TestService;
  let receiver: HttpsReceiver;
  let deliveries: Map<string, object>;
  let tookMs: number;

  beforeAll(async () => {
    receiver = await HttpsReceiver.start();
    receiver.reaction = ({ path }) =>
      CASES[names[Number(path.slice(1))] ?? '']?.reaction ?? { kind: 'answer', status: 204 };
    service = await TestService.start(receiver.environment);
    const accounts = names.map(() => newId());
    for (const [index, account] of accounts.entries()) {
      await subscribe(service.database, account, { events: ['*'], url: receiver.url(`/${index}`) });
    }
    await service.database.query(
      `INSERT INTO events (id, account_id, event_type, data, occurred_at)
       SELECT gen_random_uuid(), account_id, 'key.revoked', '{}', $2 FROM unnest($1::uuid[]) AS account_id`,
      [accounts, service.clock.now()],
    );
    const startedAtMs = performance.now();
    startBackgroundWork(service.app, 'all');
    const ended = () =>
      service.database.query<{ account_id: string }[]>('SELECT * FROM deliveries WHERE attempt_count = 1');
    await until('all have been attempted', async () => (await ended()).length === names.length);
    tookMs = performance.now() - startedAtMs;
    deliveries = new Map((await ended()).map((row) => [names[accounts.indexOf(row.account_id)] ?? '', row]));
  });
  afterAll(async () => {
    await service.stop();
    await receiver.close();
  });

  it.each(names)('%s', (name) => {
    expect(deliveries.get(name)).toMatchObject(CASES[name]?.becomes ?? {});
  });

  it('takes longer than 5 s is cut then: all together were over soon after', () => {
    expect(tookMs).toBeGreaterThan(4_500);
    expect(tookMs).toBeLessThan(15_000);
  });

  it('redirects is asked once, and nobody is asked in its place', () => {
    expect(receiver.requests.map(({ path }) => path).sort()).toEqual(names.map((_, index) => `/${index}`));
  });
});
