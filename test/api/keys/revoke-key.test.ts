import { AccessKeys } from '../../../src/accounts/access-keys';
import { callAs } from '../../support/api/call-as';
import { anyMemory } from '../../support/api/store-memory';
import { ledgerFaults } from '../../support/ledger/ledger-faults';
import { keyVerdict } from '../../support/api/credential-verdict';
import { describeOperation } from '../../support/api/describe-operation';
import { holdNextMemory } from '../../support/api/held-call';
import { until } from '../../support/until';
import type { World } from '../../support/api/world';

describeOperation(
  'revokeKey',
  async (world) => ({ params: { key_id: (await newKey(world)).id } }),
  (status) => {
    status(409, 'refuses a second revocation, also when ten of them race', async (world) => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => revoke(world)));
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
      expect((await revoke(world)).body.message).toContain('already revoked');
    });

    status(
      200,
      'refuses the key from the answer on, on every replica, and charges nothing more',
      async (world) => {
        const replica = await world.service.startReplica();
        try {
          const { key, keyId } = world.owner;
          expect(await keyVerdict(world, key)).toBe('accepted');
          expect(await keyVerdict(world, key, replica)).toBe('accepted');
          const before = await world.balanceNanoUsd();
          const answer = await revoke(world);
          expect([answer.status, answer.body.id, answer.body.is_active]).toEqual([200, keyId, false]);
          const elsewhere = await replica.call('createMemory', {
            ...anyMemory(),
            credential: key,
            ip: world.ip,
          });
          expect([elsewhere.status, elsewhere.body.error]).toEqual([401, 'Invalid API key']);
          expect(await keyVerdict(world, key)).toBe('Invalid API key');
          await until(
            'the other replica has heard of it',
            async () => (await keyVerdict(world, key, replica)) !== 'accepted',
          );
          expect(await world.balanceNanoUsd()).toBe(before);
        } finally {
          await replica.stop();
        }
      },
    );
    status(200, 'charges no call that began after it, while others race it', async (world) => {
      const before = await world.balanceNanoUsd();
      const racing = Array.from({ length: 30 }, () => callAs('createMemory', world, anyMemory()));
      expect((await revoke(world)).status).toBe(200);
      const late = await Promise.all(
        // From another address: those that raced may have used up what theirs may try with a key that does not hold.
        Array.from({ length: 10 }, () =>
          callAs('createMemory', world, { ...anyMemory(), ip: '198.51.100.77' }),
        ),
      );
      expect(late.map((answer) => answer.status)).toEqual(Array(10).fill(401));
      const served = (await Promise.all(racing)).filter((answer) => answer.status === 201);
      expect(before - (await world.balanceNanoUsd())).toBe(100_000n * BigInt(served.length));
      expect(await ledgerFaults(world.service.database)).toEqual([]);
    });
    status(200, 'waits for a call that was under way, which is charged', async (world) => {
      const before = await world.balanceNanoUsd();
      const held = holdNextMemory(world.service);
      const underWay = callAs('createMemory', world, anyMemory());
      await held.entered;
      const revoked = revoke(world);
      await until(
        'the key is revoked',
        async () => (await keyVerdict(world, world.owner.key)) === 'Invalid API key',
      );
      held.letGo();
      expect((await revoked).status).toBe(200);
      expect(before - (await world.balanceNanoUsd())).toBe(100_000n);
      expect((await underWay).status).toBe(201);
    });
    status(200, 'ends a call that does not end by itself, which costs nothing then', async (world) => {
      const before = await world.balanceNanoUsd();
      const held = holdNextMemory(world.service);
      const underWay = callAs('createMemory', world, anyMemory());
      await held.entered;
      expect((await revoke(world)).status).toBe(200);
      held.letGo();
      expect(await underWay).toMatchObject({ status: 401, body: { error: 'Invalid API key' } });
      expect(await world.balanceNanoUsd()).toBe(before);
      expect(await ledgerFaults(world.service.database)).toEqual([]);
    });
    status(200, 'ends the old secret of a rotated key as well', async (world) => {
      const { key, keyId } = world.owner;
      const request = { params: { key_id: keyId }, body: { overlap_seconds: 3600 } };
      const rotated = await callAs('rotateKey', world, request);
      expect((await revoke(world)).status).toBe(200);
      expect(await keyVerdict(world, key)).toBe('Invalid API key');
      expect(await keyVerdict(world, rotated.body.key_value)).toBe('Invalid API key');
    });
    status(200, 'leaves the other keys of the account alone', async (world) => {
      const other = await newKey(world);
      expect((await revoke(world)).status).toBe(200);
      expect(await keyVerdict(world, other.secret)).toBe('accepted');
    });
    status(200, 'calls a revoked key invalid even after its expiry', async (world) => {
      const expiresAt = new Date(world.service.clock.now().getTime() + 1000);
      const { key, secret } = await world.service.app
        .get(AccessKeys)
        .create({ accountId: world.owner.id, name: 'short', expiresAt, environment: 'test' });
      expect((await callAs('revokeKey', world, { params: { key_id: key.id } })).status).toBe(200);
      world.service.clock.advance(2000);
      expect(await keyVerdict(world, secret)).toBe('Invalid API key');
    });
  },
);

async function revoke(world: World) {
  return callAs('revokeKey', world, { params: { key_id: world.owner.keyId } });
}

async function newKey(world: World): Promise<{ id: string; secret: string }> {
  const { id, key_value: secret } = (await callAs('createKey', world, { body: { name: 'other' } })).body;
  return { id, secret };
}
