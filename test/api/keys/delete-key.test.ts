import { callAs } from '../../support/api/call-as';
import { anyMemory } from '../../support/api/store-memory';
import { ledgerFaults } from '../../support/ledger/ledger-faults';
import { keyVerdict } from '../../support/api/credential-verdict';
import { describeOperation } from '../../support/api/describe-operation';
import { holdNextMemory } from '../../support/api/held-call';
import { until } from '../../support/until';
import type { World } from '../../support/api/world';

describeOperation(
  'deleteKey',
  async (world) => ({ params: { key_id: await newKey(world) } }),
  (status) => {
    status(404, 'refuses a second deletion, also when ten of them race', async (world) => {
      const request = { params: { key_id: world.owner.keyId } };
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => callAs('deleteKey', world, request)),
      );
      expect(answers.map((answer) => answer.status).sort()).toEqual([204, ...Array<number>(9).fill(404)]);
    });
    status(404, 'leaves no way to reach the key', async (world) => {
      const request = { params: { key_id: world.owner.keyId } };
      expect((await callAs('deleteKey', world, request)).status).toBe(204);
      for (const operation of [
        'revokeKey',
        'rotateKey',
        'getKeyLimits',
        'deleteKeyLimits',
        'resetKeyLimits',
      ] as const) {
        expect((await callAs(operation, world, request)).status).toBe(404);
      }
      expect((await callAs('setKeyLimits', world, { ...request, body: { daily_limit: 1 } })).status).toBe(
        404,
      );
    });

    status(204, 'ends the key at once: no call passes, none is charged, on no replica', async (world) => {
      const replica = await world.service.startReplica();
      try {
        const { key, keyId } = world.owner;
        expect(await keyVerdict(world, key, replica)).toBe('accepted');
        expect((await callAs('createMemory', world, anyMemory())).status).toBe(201);
        const before = await world.balanceNanoUsd();
        const answer = await callAs('deleteKey', world, { params: { key_id: keyId } });
        expect([answer.status, answer.text]).toEqual([204, '']);
        expect(await keyVerdict(world, key)).toBe('Invalid API key');
        const elsewhere = await replica.call('createMemory', {
          ...anyMemory(),
          credential: key,
          ip: world.ip,
        });
        expect([elsewhere.status, elsewhere.body.error]).toEqual([401, 'Invalid API key']);
        expect(await world.balanceNanoUsd()).toBe(before);
      } finally {
        await replica.stop();
      }
    });
    status(204, 'takes the key from the list and leaves the others', async (world) => {
      const other = await newKey(world);
      await callAs('deleteKey', world, { params: { key_id: world.owner.keyId } });
      expect((await callAs('listKeys', world, {})).body.map(({ id }) => id)).toEqual([other]);
    });
    status(
      204,
      'waits for a call that was under way, which is charged, and keeps what the key has spent',
      async (world) => {
        const before = await world.balanceNanoUsd();
        const held = holdNextMemory(world.service);
        const underWay = callAs('createMemory', world, anyMemory());
        await held.entered;
        const deleted = callAs('deleteKey', world, { params: { key_id: world.owner.keyId } });
        await until(
          'the key is deleted',
          async () => (await keyVerdict(world, world.owner.key)) === 'Invalid API key',
        );
        held.letGo();
        expect((await deleted).status).toBe(204);
        expect((await underWay).status).toBe(201);
        expect(before - (await world.balanceNanoUsd())).toBe(100_000n);
        const charges: unknown[] = await world.service.database.query(
          'SELECT FROM ledger_entries WHERE key_id = $1',
          [world.owner.keyId],
        );
        expect(charges).toHaveLength(1);
        expect(await ledgerFaults(world.service.database)).toEqual([]);
      },
    );
  },
);

async function newKey(world: World): Promise<string> {
  return (await callAs('createKey', world, { body: { name: 'other' } })).body.id;
}
