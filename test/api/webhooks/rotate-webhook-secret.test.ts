import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { anyWebhook, storeWebhook } from '../../support/api/store-webhook';
import type { World } from '../../support/api/world';

const FIRST = 'the first secret of all';

describeOperation(
  'rotateWebhookSecret',
  async (world, variant) => ({
    params: { webhook_id: await anyWebhook(world) },
    body: { overlap_seconds: 60 + variant },
  }),
  (status) => {
    status(409, 'refuses a second overlap while one runs, also when ten race', async (world) => {
      const id = await storeWebhook(world, { secret: FIRST });
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => rotate(world, id, { overlap_seconds: 60 })),
      );
      const given = answers.filter((answer) => answer.status === 200);
      expect([given.length, answers.filter((answer) => answer.status === 409).length]).toEqual([1, 9]);
      expect(await secretsOf(world, id)).toEqual([given[0]?.body.secret, FIRST]);
      world.service.clock.advance(60_000);
      expect((await rotate(world, id, { overlap_seconds: 60 })).status).toBe(200);
    });

    status(422, 'refuses a secret that no library could read, and keeps the old one', async (world) => {
      const id = await storeWebhook(world, { secret: FIRST });
      expect((await rotate(world, id, { secret: 'whsec_not-base64-at-all' })).status).toBe(422);
      expect(await secretsOf(world, id)).toEqual([FIRST, null]);
    });

    status(
      200,
      'ends the old secret at once without an overlap, and one in its overlap too',
      async (world) => {
        const id = await storeWebhook(world, { secret: FIRST });
        expect((await rotate(world, id, { overlap_seconds: 3600 })).status).toBe(200);
        const { body } = await rotate(world, id);
        expect(body.secret).toMatch(/^whsec_/);
        expect(body.previous_secret_until).toBeNull();
        expect(await secretsOf(world, id)).toEqual([body.secret, null]);
      },
    );
    status(200, 'shows the secret of a try whose answer was lost, and makes no other', async (world) => {
      const id = await storeWebhook(world, { secret: FIRST });
      const request = {
        params: { webhook_id: id },
        body: { overlap_seconds: 3600 },
        headers: { 'idempotency-key': 'the key of a try' },
      };
      const { body } = await callAs('rotateWebhookSecret', world, request);
      // As where the process died before the answer was kept.
      await world.service.database.query('DELETE FROM idempotency_claims WHERE account_id = $1', [
        world.owner.id,
      ]);
      const other = { ...request, body: { ...request.body, secret: 'another secret of all' } };
      expect((await callAs('rotateWebhookSecret', world, other)).status).toBe(422);
      expect((await callAs('rotateWebhookSecret', world, request)).body).toEqual(body);
      expect(await secretsOf(world, id)).toEqual([body.secret, FIRST]);
    });
    status(200, 'keeps the old secret for the overlap, and takes a new one as it is', async (world) => {
      const id = await storeWebhook(world, { secret: FIRST });
      const secret = 'the second secret of all';
      const { body } = await rotate(world, id, { overlap_seconds: 60, secret });
      const until = new Date(world.service.clock.now().getTime() + 60_000);
      expect([body.secret, body.previous_secret_until]).toEqual([secret, until.toISOString()]);
      expect(await secretsOf(world, id)).toEqual([secret, FIRST]);
    });
  },
);

async function rotate(world: World, id: string, body?: object) {
  return callAs('rotateWebhookSecret', world, { params: { webhook_id: id }, body });
}

/** The secrets that deliveries are signed with: the present one and the one before. */
async function secretsOf({ service }: World, id: string): Promise<unknown[]> {
  const [row]: { secret: string; previous_secret: string | null }[] = await service.database.query(
    'SELECT secret, previous_secret FROM webhooks WHERE id = $1',
    [id],
  );
  return [row?.secret, row?.previous_secret];
}
