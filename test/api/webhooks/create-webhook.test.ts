import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { isSubscribed } from '../../support/api/store-webhook';
import type { World } from '../../support/api/world';

const WEBHOOKS_MAX = 20;
const BODY = { url: 'https://hooks.example.com/credits', events: ['balance.low'] };

describeOperation(
  'createWebhook',
  (_, variant) => ({ body: { ...BODY, description: `warns ${variant}` } }),
  (status) => {
    status(409, 'refuses the 21st webhook, also when thirty race on two replicas', async (world) => {
      const replica = await world.service.startReplica();
      try {
        const request = { body: BODY, credential: world.owner.token, ip: world.ip };
        const answers = await Promise.all(
          Array.from({ length: 30 }, (_, index) =>
            (index % 2 === 0 ? world.service : replica).call('createWebhook', request),
          ),
        );
        const statuses = answers.map(({ status: of, body }) =>
          of === 201 ? '201' : `${of} ${body.message}`,
        );
        expect(statuses.sort()).toEqual([
          ...Array.from({ length: WEBHOOKS_MAX }, () => '201'),
          ...Array.from({ length: 10 }, () => '409 An account has at most 20 webhooks; delete one first.'),
        ]);
        expect(await totalOf(world)).toBe(WEBHOOKS_MAX);
        expect((await callAs('createWebhook', world, { body: BODY }, world.stranger)).status).toBe(201);
      } finally {
        await replica.stop();
      }
    });

    status(422, 'refuses a URL that is not HTTPS or not public, and stores nothing', async (world) => {
      for (const url of [
        'http://hooks.example.com/',
        'ftp://hooks.example.com/',
        'nowhere',
        'https://user:word@hooks.example.com/',
        'https://hooks.example.com:80/',
        'https://localhost/',
        'https://hooks/',
        'https://printer.local/',
        'https://metadata.google.internal/',
        'https://127.0.0.1/',
        'https://2130706433/',
        'https://10.1.2.3/',
        'https://169.254.169.254/latest',
        'https://[::1]/',
        'https://[::ffff:10.0.0.1]/',
      ]) {
        const answer = await callAs('createWebhook', world, { body: { ...BODY, url } });
        expect([url, answer.status, answer.body.error]).toEqual([url, 422, 'Unprocessable']);
      }
      expect(await totalOf(world)).toBe(0);
    });
    status(422, 'refuses a secret that no library for Standard Webhooks could read', async (world) => {
      const secret = 'whsec_not-base64-at-all';
      const answer = await callAs('createWebhook', world, { body: { ...BODY, secret } });
      expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining('base64')]);
    });

    status(201, 'shows a generated secret this once only', async (world) => {
      const { body } = await callAs('createWebhook', world, {
        body: { ...BODY, description: 'warns the team' },
      });
      expect(body).toEqual({
        id: expect.any(String) as string,
        ...BODY,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string,
        previous_secret_until: null,
        is_active: true,
        disabled_reason: null,
        description: 'warns the team',
        failing_since: null,
        last_delivered_at: null,
        created_at: world.service.clock.now().toISOString(),
      });
      const params = { webhook_id: body.id };
      expect((await callAs('getWebhook', world, { params })).text).not.toContain('secret');
      expect((await callAs('listWebhooks', world, {})).text).not.toContain('secret');
    });
    status(201, "takes the customer's secret as it is", async (world) => {
      const secret = 'a secret of 20 signs';
      const { body } = await callAs('createWebhook', world, { body: { ...BODY, secret } });
      expect(body.secret).toBe(secret);
    });
    status(
      201,
      'finds the webhook of a try whose answer was lost, and keeps no secret readable',
      async (world) => {
        const { database } = world.service;
        const request = { body: BODY, headers: { 'idempotency-key': 'the key of a try' } };
        const { body } = await callAs('createWebhook', world, request);
        const kept: object[] = await database.query(
          'SELECT answer FROM idempotency_claims WHERE account_id = $1',
          [world.owner.id],
        );
        expect(kept).toHaveLength(1);
        expect(JSON.stringify(kept)).not.toContain(body.secret);
        await forgetAnswers(world);
        const other = { ...request, body: { ...BODY, url: 'https://other.example.com/' } };
        expect((await callAs('createWebhook', world, other)).status).toBe(422);
        expect((await callAs('createWebhook', world, request)).body).toEqual(body);
        expect(await totalOf(world)).toBe(1);
      },
    );
    status(201, 'subscribes the account to the types, or to all of them', async (world) => {
      await callAs('createWebhook', world, { body: BODY });
      expect(await isSubscribed(world, 'balance.low')).toBe(true);
      expect(await isSubscribed(world, 'key.revoked')).toBe(false);
      await callAs('createWebhook', world, { body: { ...BODY, events: ['*'] } });
      expect(await isSubscribed(world, 'key.revoked')).toBe(true);
    });
  },
);

/** As where the database was away when an answer was to be kept. */
async function forgetAnswers({ service, owner }: World): Promise<void> {
  await service.database.query('DELETE FROM idempotency_claims WHERE account_id = $1', [owner.id]);
}

async function totalOf(world: World): Promise<number> {
  return (await callAs('listWebhooks', world, {})).body.total;
}
