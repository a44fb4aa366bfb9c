import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { TestService } from '../../support/api/service';
import { World } from '../../support/api/world';

describeOperation(
  'getPricing',
  () => ({}),
  (status) => {
    status(200, 'has the prices of the reference unchanged', async (world) => {
      const { body } = await callAs('getPricing', world, {});
      const shown = body.prices.map(({ title, base, per_token }) => [title, base, per_token]);
      expect(body.currency).toBe('USD');
      expect(shown).toEqual(
        expect.arrayContaining([
          ['Memory operations', 0.0001, null],
          ['Chat completion', 0.002, 0.00001],
          ['RAG generation', 0.003, 0.00001],
          ['OMM processing', 0.003, 0.00002],
          ['Legal analysis', 0.005, 0.00003],
        ]),
      );
    });
    status(
      200,
      'names the price that a call is charged by, and the version that its receipt has',
      async (world) => {
        const { body } = await callAs('getPricing', world, {});
        const price = body.prices.find(({ operations }) => operations.includes('createMemory'));
        const call = await callAs('createMemory', world, { body: { key: 'k', value: 'v' } });
        expect(call.headers['x-request-cost']).toBe(String(price?.base));
        const params = { request_id: call.headers['x-request-id'] ?? '' };
        const receipt = await callAs('getRequestReceipt', world, { params });
        expect(receipt.body).toMatchObject({
          price: price?.name,
          price_version: body.version,
          charged: price?.base,
        });
      },
    );
    status(200, 'is free, even for an account without credit and a key without room', async (world) => {
      await world.setBalanceUsd(world.owner, '0');
      await world.setLimits(world.owner, { dailyLimitNano: 0n, perRequestLimitNano: 0n });
      const answer = await callAs('getPricing', world, {});
      expect([answer.status, answer.headers['x-request-cost']]).toEqual([200, undefined]);
    });
    status(200, 'takes the key as a bearer token too', async (world) => {
      const headers = { authorization: `Bearer ${world.owner.key}` };
      expect((await world.service.call('getPricing', { headers, ip: world.ip })).status).toBe(200);
    });
  },
);

describe("getPricing with the operator's own prices", () => {
  let folder: string;
  let service: TestService;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prices-'));
    const file = join(folder, 'prices.json');
    await writeFile(file, JSON.stringify({ memory_operation: { base: '0.000000007' } }));
    service = await TestService.start({ PRICES_FILE: file });
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  it('shows what is really charged, under another version', async () => {
    const world = await World.create(service);
    const { body } = await callAs('getPricing', world, {});
    expect(body.prices.find(({ name }) => name === 'memory_operation')?.base).toBe(7e-9);
    const call = await callAs('createMemory', world, { body: { key: 'k', value: 'v' } });
    expect(call.headers['x-request-cost']).toBe('0.000000007');
    expect(await world.balanceNanoUsd()).toBe(9_999_999_993n);
    const params = { request_id: call.headers['x-request-id'] ?? '' };
    expect((await callAs('getRequestReceipt', world, { params })).body.price_version).toBe(body.version);
  });
});
