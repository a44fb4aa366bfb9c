import { createHmac, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { startBackgroundWork } from '../../../src/application';
import { AccountDatabases } from '../../../src/database/account-databases';
import { Outbox } from '../../../src/events/outbox';
import { DeliveryDispatcher } from '../../../src/modules/webhooks/delivery-dispatcher';
import { TestService } from '../api/service';
import type { TestDatabase } from '../api/test-database';
import { HttpsReceiver, type ReceivedRequest } from '../receiver/https-receiver';
import type { ReceiverReaction } from '../receiver/receiver-reaction';
import { until } from '../until';

const SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const OK: ReceiverReaction = { kind: 'answer', status: 200, body: 'thank you' };

interface Delivery {
  status: string;
  stage: string;
  attempt_count: number;
  response_body: string | null;
  error_message: string | null;
}

/** What deliveries promise from the fact to the receiver, on whatever the queue is. */
export function describeDeliveries(
  where: string,
  environmentOf: () => Promise<Record<string, string>>,
  database?: () => Promise<TestDatabase>,
): void {
  describe(`deliveries through a queue ${where}`, () => {
    let receiver: HttpsReceiver;
    let service: TestService;
    let accountId: string;

    beforeAll(async () => {
      receiver = await HttpsReceiver.start();
      service = await TestService.start(
        { ...receiver.environment, ...(await environmentOf()) },
        await database?.(),
      );
      // The standardwebhooks library looks at the machine's clock.
      service.clock.set(new Date().toISOString());
      startBackgroundWork(service.app, 'all');
    });
    beforeEach(async () => {
      receiver.reaction = OK;
      receiver.requests.splice(0);
      accountId = service.app.get(AccountDatabases).newAccountId();
      await addWebhook();
    });
    afterAll(async () => {
      await service.stop();
      await receiver.close();
    });

    async function addWebhook(): Promise<void> {
      const database = service.app.get(AccountDatabases).of(accountId);
      await database.query(
        `INSERT INTO webhooks (id, account_id, url, receiver, events, secret, is_active, created_at)
         VALUES ($1, $2, $3, $4, '{*}', $5, true, $6)`,
        [randomUUID(), accountId, receiver.url(), `localhost:${receiver.port}`, SECRET, service.clock.now()],
      );
      await database.query('SELECT webhook_subscriptions($1)', [accountId]);
    }

    /** Writes an event in a transaction, which may then fail. */
    async function write(fields: { number?: number; isRolledBack?: boolean } = {}): Promise<void> {
      const { number = 0, isRolledBack = false } = fields;
      const event = { accountId, type: 'key.revoked' as const, data: { number }, operation: null };
      await service.app
        .get(AccountDatabases)
        .of(accountId)
        .transaction(async (manager) => {
          await service.app.get(Outbox).write(manager, { ...event, occurredAt: service.clock.now() });
          if (isRolledBack) {
            throw new Error('rolled back');
          }
        })
        .catch((error: Error) => expect(error.message).toBe('rolled back'));
    }

    const deliveries = () =>
      service.database.query<Delivery[]>('SELECT * FROM deliveries WHERE account_id = $1', [accountId]);
    const settled = (status: string, attempts: number) =>
      until(`attempt ${attempts} is recorded as ${status}`, async () => {
        const [delivery] = await deliveries();
        return delivery?.status === status && delivery.attempt_count === attempts;
      });
    const bodyOf = ({ body }: ReceivedRequest) =>
      JSON.parse(body.toString()) as { event_id: string; data: { number: number } };

    it('bring a committed event to its receiver, signed, and none that was rolled back', async () => {
      await write({ number: 1, isRolledBack: true });
      await write({ number: 2 });
      await settled('success', 1);
      expect(receiver.requests.map((request) => bodyOf(request).data.number)).toEqual([2]);
      const [{ headers, body } = {} as ReceivedRequest] = receiver.requests;
      const hmac = createHmac('sha256', SECRET).update(body).digest('hex');
      expect(headers['x-service-signature']).toBe(`sha256=${hmac}`);
      const verified = new Webhook(SECRET).verify(body, headers as Record<string, string>);
      expect(verified).toMatchObject({ event_id: headers['webhook-id'], event_type: 'key.revoked' });
      expect(await deliveries()).toMatchObject([{ stage: 'over', response_body: 'thank you' }]);
    });

    it('are tried again when their time comes, and a redirect is not followed', async () => {
      receiver.reaction = { kind: 'redirect', to: receiver.url('/elsewhere') };
      await write();
      await settled('failed', 1);
      expect((await deliveries())[0]?.error_message).toContain('redirect');
      receiver.reaction = OK;
      service.clock.advance(5_000);
      service.app.get(DeliveryDispatcher).wake();
      await settled('success', 2);
      expect(receiver.requests.map(({ path }) => path)).toEqual(['/hook', '/hook']);
      const ids = new Set(receiver.requests.map((request) => bodyOf(request).event_id));
      expect(ids.size).toBe(1);
    });

    it('go through the slow lane after a fault, until the receiver answers', async () => {
      receiver.reaction = { kind: 'reset' };
      await write();
      await settled('failed', 1);
      const slow = () => service.database.query<unknown[]>('SELECT FROM slow_receivers');
      expect(await slow()).toHaveLength(1);
      receiver.reaction = OK;
      service.clock.advance(5_000);
      service.app.get(DeliveryDispatcher).wake();
      await settled('success', 2);
      expect(await slow()).toHaveLength(0);
    });

    it('are made once each by two replicas that both relay and work', async () => {
      const replica = await service.startReplica();
      startBackgroundWork(replica.app, 'all');
      const numbers = Array.from({ length: 100 }, (_, number) => number);
      await Promise.all(numbers.map((number) => write({ number })));
      await until('all are recorded', async () => {
        const rows = await deliveries();
        return rows.length === numbers.length && rows.every(({ status }) => status === 'success');
      });
      await replica.stop();
      const received = receiver.requests.map((request) => bodyOf(request).data.number);
      expect(received.sort((one, other) => one - other)).toEqual(numbers);
    });
  });
}
