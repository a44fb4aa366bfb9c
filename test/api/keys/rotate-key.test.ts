import { isKeySecret } from '../../../src/accounts/credentials';
import { callAs } from '../../support/api/call-as';
import { anyMemory } from '../../support/api/store-memory';
import { keyVerdict } from '../../support/api/credential-verdict';
import { describeOperation } from '../../support/api/describe-operation';
import { until } from '../../support/until';
import type { World } from '../../support/api/world';

const OVERLAPS_MAX = 5;

describeOperation(
  'rotateKey',
  ({ owner }, variant) => ({ params: { key_id: owner.keyId }, body: { overlap_seconds: 60 + variant } }),
  (status) => {
    status(409, 'refuses a revoked key, and gives it no new secret', async (world) => {
      await callAs('revokeKey', world, { params: { key_id: world.owner.keyId } });
      const preview = await previewOf(world);
      const answer = await rotate(world, { overlap_seconds: 60 });
      expect([answer.status, answer.body.error]).toEqual([409, 'Conflict']);
      expect(await previewOf(world)).toBe(preview);
    });

    status(409, 'refuses a sixth overlap and says why, and no secret ends when ten race', async (world) => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => rotate(world, { overlap_seconds: 60 })),
      );
      const refused = answers.filter((answer) => answer.status === 409);
      const given = answers.filter((answer) => answer.status === 200);
      expect([given.length, refused.length]).toEqual([OVERLAPS_MAX, 10 - OVERLAPS_MAX]);
      expect(refused[0]?.body.message).toContain(`${OVERLAPS_MAX} older secrets`);
      const all = [world.owner.key, ...given.map(({ body }) => body.key_value)];
      expect(await verdicts(world, all)).toEqual(all.map(() => 'accepted'));
      expect(await writes(world, all)).toEqual(all.map(() => 201));
    });

    status(200, 'gives a new secret that works at once and ends the old one at once', async (world) => {
      const answer = await rotate(world);
      expect([answer.status, answer.body.id, answer.body.name]).toEqual([200, world.owner.keyId, 'test']);
      expect(isKeySecret(answer.body.key_value, 'test')).toBe(true);
      expect(await keyVerdict(world, answer.body.key_value)).toBe('accepted');
      expect(await keyVerdict(world, world.owner.key)).toBe('Invalid API key');
    });
    status(200, 'lets the old secret work to the end of the overlap and no longer', async (world) => {
      expect(await keyVerdict(world, world.owner.key)).toBe('accepted');
      const { body } = await rotate(world, { overlap_seconds: 60 });
      expect(await keyVerdict(world, world.owner.key)).toBe('accepted');
      world.service.clock.advance(59_999);
      expect(await keyVerdict(world, world.owner.key)).toBe('accepted');
      expect((await callAs('createMemory', world, anyMemory())).status).toBe(201);
      world.service.clock.advance(1);
      expect(await keyVerdict(world, world.owner.key)).toBe('Invalid API key');
      expect((await callAs('createMemory', world, anyMemory())).status).toBe(401);
      expect(await keyVerdict(world, body.key_value)).toBe('accepted');
    });
    status(200, 'ends the old secret on the other replicas too', async (world) => {
      const replica = await world.service.startReplica();
      try {
        expect(await keyVerdict(world, world.owner.key, replica)).toBe('accepted');
        const { body } = await rotate(world);
        expect(await keyVerdict(world, body.key_value, replica)).toBe('accepted');
        await until('the other replica has heard of it', async () => {
          return (await keyVerdict(world, world.owner.key, replica)) === 'Invalid API key';
        });
      } finally {
        await replica.stop();
      }
    });
    status(200, 'leaves each older secret its own overlap when a key is rotated again', async (world) => {
      const first = await rotate(world, { overlap_seconds: 120 });
      const second = await rotate(world, { overlap_seconds: 60 });
      const all = [world.owner.key, first.body.key_value, second.body.key_value];
      expect(await verdicts(world, all)).toEqual(['accepted', 'accepted', 'accepted']);
      expect(await writes(world, all)).toEqual([201, 201, 201]);
      world.service.clock.advance(60_000);
      expect(await verdicts(world, all)).toEqual(['accepted', 'Invalid API key', 'accepted']);
      expect(await writes(world, all)).toEqual([201, 401, 201]);
      world.service.clock.advance(60_000);
      expect(await verdicts(world, all)).toEqual(['Invalid API key', 'Invalid API key', 'accepted']);
      expect(await writes(world, all)).toEqual([401, 401, 201]);
    });
    status(200, 'ends all older secrets together with their key', async (world) => {
      const first = await rotate(world, { overlap_seconds: 86_400 });
      const second = await rotate(world, { overlap_seconds: 86_400 });
      await callAs('revokeKey', world, { params: { key_id: world.owner.keyId } });
      const all = [world.owner.key, first.body.key_value, second.body.key_value];
      expect(await verdicts(world, all)).toEqual(Array(3).fill('Invalid API key'));
      await callAs('deleteKey', world, { params: { key_id: world.owner.keyId } });
      expect(await verdicts(world, all)).toEqual(Array(3).fill('Invalid API key'));
    });
    status(200, 'ends every older secret when it asks for no overlap', async (world) => {
      const older = [world.owner.key];
      for (let rotations = 0; rotations < OVERLAPS_MAX; rotations += 1) {
        older.push((await rotate(world, { overlap_seconds: 86_400 })).body.key_value);
      }
      const answer = await rotate(world, { overlap_seconds: 0 });
      expect(await verdicts(world, older)).toEqual(older.map(() => 'Invalid API key'));
      expect(await writes(world, older)).toEqual(older.map(() => 401));
      expect(await keyVerdict(world, answer.body.key_value)).toBe('accepted');
    });
    status(200, 'gives another overlap as soon as one has ended', async (world) => {
      await rotate(world, { overlap_seconds: 60 });
      for (let rotations = 1; rotations < OVERLAPS_MAX; rotations += 1) {
        await rotate(world, { overlap_seconds: 120 });
      }
      world.service.clock.advance(59_999);
      expect((await rotate(world, { overlap_seconds: 120 })).status).toBe(409);
      world.service.clock.advance(1);
      expect((await rotate(world, { overlap_seconds: 120 })).status).toBe(200);
    });
    status(200, 'leaves one secret in force when ten rotations race', async (world) => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => rotate(world)));
      expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
      const all = await verdicts(world, [world.owner.key, ...answers.map(({ body }) => body.key_value)]);
      expect(all.filter((verdict) => verdict === 'accepted')).toHaveLength(1);
    });
    status(
      200,
      'keeps limits, counters and expiry, and shows the new secret in the preview',
      async (world) => {
        await world.setLimits(world.owner, { dailyLimitNano: 1_000_000n, timezone: 'Europe/Berlin' });
        await callAs('createMemory', world, anyMemory());
        const params = { key_id: world.owner.keyId };
        const before = (await callAs('getKeyLimits', world, { params })).body;
        const { body } = await rotate(world);
        expect(before.daily_spent).toBe(0.0001);
        expect((await callAs('getKeyLimits', world, { params })).body).toEqual(before);
        expect(await previewOf(world)).toBe(`${body.key_value.slice(0, 13)}…${body.key_value.slice(-4)}`);
      },
    );
    status(200, 'does not bring an expired key back', async (world) => {
      const expiresAt = new Date(world.service.clock.now().getTime() + 1000).toISOString();
      const key = await callAs('createKey', world, { body: { name: 'short', expires_at: expiresAt } });
      world.service.clock.advance(1000);
      const { status: code, body } = await callAs('rotateKey', world, { params: { key_id: key.body.id } });
      expect([code, body.expires_at]).toEqual([200, expiresAt]);
      expect(await keyVerdict(world, body.key_value)).toBe('API key expired');
    });
  },
);

async function rotate(world: World, body?: unknown) {
  return callAs('rotateKey', world, { params: { key_id: world.owner.keyId }, body });
}

async function verdicts(world: World, secrets: string[]): Promise<string[]> {
  const all: string[] = [];
  for (const secret of secrets) {
    all.push(await keyVerdict(world, secret));
  }
  return all;
}

/** The statuses of one paid call with each secret. */
async function writes(world: World, secrets: string[]): Promise<number[]> {
  const all: number[] = [];
  for (const credential of secrets) {
    all.push((await world.service.call('createMemory', { ...anyMemory(), credential, ip: world.ip })).status);
  }
  return all;
}

async function previewOf(world: World): Promise<string | undefined> {
  return (await callAs('listKeys', world, {})).body[0]?.key_value_preview;
}
