import { callAs } from '../../support/api/call-as';
import { anyMemory } from '../../support/api/store-memory';
import { describeOperation } from '../../support/api/describe-operation';
import { expectCapKept } from '../../support/api/playground-cap';
import type { World } from '../../support/api/world';

const NO_ZONES = [
  'Mars/Olympus',
  '+02:00',
  'UTC+2',
  '',
  'Factory',
  'posix/UTC',
  "UTC'; --",
  'a'.repeat(65),
  0,
];
/** Postgres takes these for fixed offsets without summer time, and some for another country's. */
const ABBREVIATIONS = ['CET', 'EET', 'WET', 'MET', 'PST', 'IST', 'BST', 'AET', 'EST', 'cet'];
const UNKNOWN_TO_POSTGRES = 'US/Pacific-New';

describeOperation(
  'setKeyLimits',
  ({ owner }, variant) => ({ params: { key_id: owner.keyId }, body: { daily_limit: 1 + variant } }),
  (status) => {
    status(400, 'refuses an unknown time zone, an offset and an ambiguous abbreviation', async (world) => {
      const before = await limits(world);
      for (const timezone of [...NO_ZONES, ...ABBREVIATIONS, UNKNOWN_TO_POSTGRES]) {
        const answer = await set(world, { daily_limit: 1, timezone });
        expect([timezone, answer.status]).toEqual([timezone, 400]);
        expect(new Set(answer.body.details.map(({ field }) => field))).toEqual(new Set(['timezone']));
      }
      expect(await limits(world)).toEqual(before);
    });
    status(
      400,
      'refuses amounts that are negative, beyond a billion or no numbers, and changes nothing',
      async (world) => {
        const before = await limits(world);
        for (const field of ['daily_limit', 'monthly_limit', 'per_request_limit']) {
          for (const amount of [-0.000000001, 1_000_000_000.01, '5', true, [], {}]) {
            expect((await set(world, { [field]: amount })).status).toBe(400);
          }
        }
        expect(await limits(world)).toEqual(before);
      },
    );
    status(400, 'refuses an empty body, an unknown field and the read-only counters', async (world) => {
      for (const body of [undefined, {}, [], { hourly_limit: 1 }, { daily_limit: 1, daily_spent: 0 }]) {
        expect((await set(world, body)).status).toBe(400);
      }
      expect((await limits(world)).daily_limit).toBeNull();
    });

    status(
      422,
      'refuses an amount that is finer than the ledger counts, and changes nothing',
      async (world) => {
        const before = await limits(world);
        for (const field of ['daily_limit', 'monthly_limit', 'per_request_limit']) {
          for (const amount of [1e-11, 0.0000000015, 1.0000000001]) {
            const answer = await set(world, { [field]: amount });
            expect([answer.status, answer.body.message]).toEqual([
              422,
              `${field} is finer than 0.000000001 USD.`,
            ]);
          }
        }
        expect(await limits(world)).toEqual(before);
      },
    );
    status(
      422,
      'refuses a daily limit above the monthly one, and changes nothing of what came with it',
      async (world) => {
        await set(world, { per_request_limit: 0.5 });
        const before = await limits(world);
        const body = {
          daily_limit: 5.000000001,
          monthly_limit: 5,
          per_request_limit: null,
          timezone: 'Asia/Tokyo',
        };
        const answer = await set(world, body);
        expect([answer.status, answer.body.error]).toEqual([422, 'Unprocessable']);
        expect(await limits(world)).toEqual(before);
      },
    );
    status(409, 'leaves a key of the playground its cap', async (world) => {
      await expectCapKept(world, 'setKeyLimits', { monthly_limit: 1_000 });
    });
    status(422, 'refuses a limit that does not go with the stored other one', async (world) => {
      await set(world, { daily_limit: 5, monthly_limit: 5 });
      const before = await limits(world);
      for (const body of [{ daily_limit: 6 }, { monthly_limit: 4.999999999 }, { monthly_limit: 0 }]) {
        expect((await set(world, body)).status).toBe(422);
      }
      expect(await limits(world)).toEqual(before);
    });
    status(422, 'never stores an impossible pair when both limits are changed at once', async (world) => {
      await set(world, { daily_limit: 2, monthly_limit: 8 });
      const changes = Array.from({ length: 20 }, (_, index) =>
        set(world, index % 2 === 0 ? { daily_limit: 6 } : { monthly_limit: 4 }),
      );
      const statuses = (await Promise.all(changes)).map((answer) => answer.status);
      expect(statuses.filter((code) => code === 422)).toHaveLength(10);
      const after = await limits(world);
      expect([
        [6, 8],
        [2, 4],
      ]).toContainEqual([after.daily_limit, after.monthly_limit]);
    });

    status(200, 'takes null for the zone as its absence, and for a limit as none', async (world) => {
      await set(world, { daily_limit: 1, timezone: 'Asia/Tokyo' });
      const { body } = await set(world, { daily_limit: null, monthly_limit: 2, timezone: null });
      expect(body).toMatchObject({ daily_limit: null, monthly_limit: 2, timezone: 'Asia/Tokyo' });
    });
    status(200, 'changes what is named, removes what is null and keeps what is absent', async (world) => {
      await set(world, {
        daily_limit: 1,
        monthly_limit: 10,
        per_request_limit: 0.1,
        timezone: 'Europe/Berlin',
      });
      const expected = {
        daily_limit: 1,
        monthly_limit: 10,
        per_request_limit: 0.1,
        timezone: 'Europe/Berlin',
      };
      expect(await limits(world)).toMatchObject(expected);
      expect((await set(world, { per_request_limit: null })).body).toMatchObject({
        ...expected,
        per_request_limit: null,
      });
      expect((await set(world, { daily_limit: 2 })).body).toMatchObject({
        daily_limit: 2,
        monthly_limit: 10,
        per_request_limit: null,
        timezone: 'Europe/Berlin',
      });
      const answer = await set(world, { monthly_limit: null, daily_limit: 500 });
      expect([answer.status, answer.body.monthly_limit, answer.body.monthly_remaining]).toEqual([
        200,
        null,
        null,
      ]);
      expect(await limits(world)).toEqual(answer.body);
    });
    status(200, 'keeps amounts exact from a nano-dollar to a billion', async (world) => {
      for (const amount of [1e-9, 0.1, 0.3, 1.000000001, 999_999.999999999, 1_000_000_000, 0]) {
        const { body } = await set(world, {
          per_request_limit: amount,
          daily_limit: amount,
          monthly_limit: amount,
        });
        expect([body.per_request_limit, body.daily_limit, body.monthly_limit]).toEqual([
          amount,
          amount,
          amount,
        ]);
        expect([body.daily_remaining, body.monthly_remaining]).toEqual([amount, amount]);
      }
    });
    status(200, 'is in force for the next call, on every replica', async (world) => {
      const replica = await world.service.startReplica();
      try {
        const onReplica = () => replica.call('createMemory', { ...anyMemory(), credential: world.owner.key });
        expect((await onReplica()).status).toBe(201);
        await set(world, { daily_limit: 0.0002 });
        expect((await onReplica()).status).toBe(201);
        const refused = await onReplica();
        expect([refused.status, refused.body]).toMatchObject([
          402,
          {
            error: 'Spending limit exceeded',
            limit_type: 'daily',
            limit: 0.0002,
            spent: 0.0002,
            available: 0,
          },
        ]);
        await set(world, { daily_limit: null });
        expect((await onReplica()).status).toBe(201);
      } finally {
        await replica.stop();
      }
    });
    status(200, 'takes a limit of zero at its word', async (world) => {
      await set(world, { per_request_limit: 0 });
      const answer = await callAs('createMemory', world, anyMemory());
      expect([answer.status, answer.body]).toMatchObject([
        402,
        { limit_type: 'per_request', limit: 0, available: 0 },
      ]);
      expect((await callAs('listModels', world, {})).status).toBe(200);
    });
    status(200, 'keeps what is spent', async (world) => {
      await callAs('createMemory', world, anyMemory());
      const { body } = await set(world, { daily_limit: 1 });
      expect(body).toMatchObject({ daily_spent: 0.0001, monthly_spent: 0.0001, daily_remaining: 0.9999 });
    });
    status(200, 'takes every zone that both the document and the database know', async (world) => {
      for (const timezone of [
        'UTC',
        'GMT',
        'Asia/Kolkata',
        'Asia/Kathmandu',
        'Etc/GMT+12',
        'Pacific/Kiritimati',
        'America/Argentina/Ushuaia',
        'EST5EDT',
        'Japan',
      ]) {
        const answer = await set(world, { timezone });
        expect([answer.status, answer.body.timezone]).toEqual([200, timezone]);
      }
    });
    status(200, 'leaves the other keys of the account alone', async (world) => {
      const other = await callAs('createKey', world, { body: { name: 'other' } });
      await set(world, { daily_limit: 0 });
      const { status: code } = await callAs('createMemory', world, {
        ...anyMemory(),
        credential: other.body.key_value,
      });
      expect(code).toBe(201);
    });
  },
);

async function set(world: World, body: unknown) {
  return callAs('setKeyLimits', world, { params: { key_id: world.owner.keyId }, body });
}

async function limits(world: World) {
  return (await callAs('getKeyLimits', world, { params: { key_id: world.owner.keyId } })).body;
}
