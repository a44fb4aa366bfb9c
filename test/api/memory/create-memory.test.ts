import fc from 'fast-check';
import { ledgerFaults } from '../../support/ledger/ledger-faults';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { expectFreeRefusals } from '../../support/api/free-refusals';
import { newId } from '../../../src/runtime/ids';
import { nestedList } from '../../support/api/nested-list';
import { processorMsOf } from '../../support/processor-time';
import { ledgerEntries } from '../../support/ledger/ledger-entries';
import { storedKeys, storeMemory } from '../../support/api/store-memory';

const HOUR_MS = 3_600_000;

describeOperation(
  'createMemory',
  (_, variant) => ({ body: { key: 'preferred-language', value: `French ${variant}` } }),
  (status) => {
    status(402, 'stores nothing when the balance does not cover it', async (world) => {
      await world.setBalanceUsd(world.owner, '0.000099999');
      const answer = await callAs('createMemory', world, { body: { key: 'k', value: 'v' } });
      expect([answer.status, answer.body.required, answer.body.available]).toEqual([
        402, 0.0001, 0.000099999,
      ]);
      expect(answer.body.affordable_max_tokens).toBeUndefined();
      expect(await storedKeys(world)).toEqual([]);
    });

    status(400, 'refuses what could not be stored or would hold up the database', async (world) => {
      const body = { key: 'k', value: 'v' };
      const lists = `{"key":"k","value":"v","metadata":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
      await expectFreeRefusals('createMemory', world, {
        'a NUL in the value': { ...body, value: 'a\0b' },
        'a NUL in a name of the metadata': { ...body, metadata: { 'a\0b': 1 } },
        'half a surrogate pair': '{"key":"k","value":"\\ud800"}',
        'metadata 1,000 deep': { ...body, metadata: { a: nestedList(1000) } },
        'metadata 100,000 deep': lists,
        'metadata of 257 values': { ...body, metadata: { a: Array.from({ length: 256 }, () => 1) } },
        'metadata of more than 16 KiB': { ...body, metadata: { a: 'ü'.repeat(8192) } },
        'a prototype': '{"key":"k","value":"v","metadata":{"__proto__":{"admin":true}}}',
        'what is no JSON': '{"key":"k",',
      });
      expect(await storedKeys(world)).toEqual([]);
    });

    status(201, 'stores the memory, charges the fixed price for it and says so', async (world) => {
      const body = { key: 'lang', value: 'French', namespace: 'support', metadata: { a: [1, { b: null }] } };
      const before = await world.balanceNanoUsd();
      const answer = await callAs('createMemory', world, { body: { ...body, ttl_seconds: 60 } });
      const now = world.service.clock.now();
      expect(answer.body.data).toEqual({
        ...body,
        id: expect.any(String),
        created_at: now.toISOString(),
        updated_at: now.toISOString(),
        expires_at: new Date(now.getTime() + 60_000).toISOString(),
      });
      expect(answer.body.metadata).toMatchObject({
        cost: 0.0001,
        request_id: answer.headers['x-request-id'],
      });
      expect(answer.headers).toMatchObject({ 'x-request-cost': '0.0001', 'x-tokens-used': '0' });
      expect(before - (await world.balanceNanoUsd())).toBe(100_000n);
      const [entry] = (await ledgerEntries(world.service, world.owner)).slice(-1);
      expect(entry).toMatchObject({ type: 'charge', amountNanoUsd: -100_000n, description: 'createMemory' });
      expect(await storedKeys(world)).toEqual(['lang']);
    });

    status(201, 'keeps a memory for ever in the default namespace unless told otherwise', async (world) => {
      const memory = await storeMemory(world, { ttl_seconds: null });
      expect(memory).toMatchObject({ namespace: 'default', metadata: {}, expires_at: null });
    });

    status(200, 'replaces all of the memory with the same name, and keeps its id', async (world) => {
      const first = await storeMemory(world, { value: 'old', metadata: { old: true }, ttl_seconds: 60 });
      world.service.clock.advance(1000);
      const key = newId();
      const headers = { 'idempotency-key': key };
      const replaced = await callAs('createMemory', world, { body: { key: 'k', value: 'new' }, headers });
      expect([replaced.status, replaced.body.data]).toEqual([
        200,
        {
          ...first,
          value: 'new',
          metadata: {},
          updated_at: world.service.clock.now().toISOString(),
          expires_at: null,
        },
      ]);
      const again = await callAs('createMemory', world, { body: { key: 'k', value: 'new' }, headers });
      expect([again.status, again.text]).toEqual([200, replaced.text]);
      const params = { request_id: replaced.headers['x-request-id'] ?? '' };
      expect((await callAs('getRequestReceipt', world, { params })).body.status).toBe(200);
      expect(await storedKeys(world)).toEqual(['k']);
    });

    status(201, 'replaces nothing of another namespace or another account', async (world) => {
      const ids = [
        await storeMemory(world, { namespace: 'a' }),
        await storeMemory(world, { namespace: 'b' }),
        await storeMemory(world, { namespace: 'a' }, world.stranger),
        await storeMemory(world, { namespace: 'a\nk', key: 'k' }),
        await storeMemory(world, { namespace: 'a', key: 'k\nk' }),
      ].map(({ id }) => id);
      expect(new Set(ids).size).toBe(5);
    });

    status(201, 'stores a new memory once the old one has expired', async (world) => {
      const first = await storeMemory(world, { ttl_seconds: 3600 });
      world.service.clock.advance(HOUR_MS);
      const second = await storeMemory(world, { ttl_seconds: 3600 });
      expect(second.id).not.toBe(first.id);
      expect(second.created_at).toBe(world.service.clock.now().toISOString());
      expect(await storedKeys(world)).toEqual(['k']);
    });

    status(
      201,
      'leaves one memory, and charges for each, when twenty writes of one name race',
      async (world) => {
        const before = await world.balanceNanoUsd();
        const writes = Array.from({ length: 20 }, (_, index) => storeMemory(world, { value: `v${index}` }));
        const ids = (await Promise.all(writes)).map(({ id }) => id);
        expect(new Set(ids).size).toBe(1);
        expect(await storedKeys(world)).toEqual(['k']);
        expect(before - (await world.balanceNanoUsd())).toBe(20n * 100_000n);
        expect(await ledgerFaults(world.service.database)).toEqual([]);
      },
    );

    status(201, 'keeps names that mean something to JavaScript, SQL or Postgres', async (world) => {
      const names = [
        'constructor',
        'toString',
        'hasOwnProperty',
        'toJSON',
        'then',
        "'; --",
        '$1',
        '{}',
        '\\',
        '"',
      ];
      const metadata = Object.fromEntries(names.map((name) => [name, name]));
      const memory = await storeMemory(world, {
        key: '\'{}\\"$1%',
        value: '\\',
        namespace: '{"a",NULL}',
        metadata,
      });
      expect(memory).toMatchObject({ key: '\'{}\\"$1%', value: '\\', namespace: '{"a",NULL}', metadata });
    });

    status(201, 'takes the largest of everything', async (world) => {
      const metadata = { a: Array.from({ length: 254 }, () => '\u{10ffff}'.repeat(14)) };
      const [key, namespace] = ['\u{10ffff}'.repeat(255), '\u{10ffff}'.repeat(100)];
      const value = 'v'.repeat(400_000);
      expect(await storeMemory(world, { key, namespace, value, metadata })).toMatchObject({
        key,
        namespace,
        value,
      });
    });

    status(201, 'takes values that are hard to search, and soon', async (world) => {
      const distinct = Array.from({ length: 20_992 }, (_, index) =>
        String.fromCodePoint(0x4e00 + index),
      ).join('');
      const values = {
        'characters that all differ': distinct.repeat(15),
        'one word': 'x'.repeat(400_000),
        'nothing but accents': '\u0315\u0300'.repeat(200_000),
        'nothing but vowel points': '\u05b0\u064b'.repeat(200_000),
        'characters that stand for eighteen': '\ufdfa'.repeat(340_000),
        'compound words': Array.from({ length: 40_000 }, (_, index) => `${index}-a/b.c@d_e`)
          .join(' ')
          .slice(0, 400_000),
      };
      const neededMs = await processorMsOf(async () => {
        for (const [key, value] of Object.entries(values)) {
          expect((await storeMemory(world, { key, value })).value).toBe(value);
        }
      });
      expect(neededMs).toBeLessThan(10_000);
    });

    status(201, 'gives back any text and any metadata as they came, or refuses them', async (world) => {
      const texts = fc.string({ unit: 'binary', minLength: 1, maxLength: 100 });
      await fc.assert(
        fc.asyncProperty(texts, texts, fc.dictionary(texts, fc.jsonValue()), async (key, value, metadata) => {
          const answer = await callAs('createMemory', world, { body: { key, value, metadata } });
          const isStorable = !JSON.stringify([key, value, metadata]).includes('\\u0000');
          if (isStorable && [200, 201].includes(answer.status)) {
            const sent = JSON.parse(JSON.stringify(metadata)) as unknown;
            expect([answer.body.data.key, answer.body.data.value]).toEqual([key, value]);
            expect(answer.body.data.metadata).toEqual(sent);
          } else {
            expect(answer.status).toBe(400);
          }
        }),
        { numRuns: 60 },
      );
    });
  },
);
