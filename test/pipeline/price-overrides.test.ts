import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prices } from '../../generated/contract';
import { PriceList, usdToNano } from '../../src/ledger/money';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { callAs } from '../support/api/call-as';
import { TestService, type OperationId } from '../support/api/service';
import { World } from '../support/api/world';

const QUESTION = 'The library opens at nine. It closes at six. When does the library open?';
const CHAT = { model: 'm', messages: [{ role: 'user', content: QUESTION }] };
const OVERRIDES = {
  memory_operation: { base: '0.25' },
  chat_completion: { base: '0', per_token: '0.000000003' },
  embeddings: { per_token: '0.001' },
};

describe('prices that an operator overrides', () => {
  let folder: string;
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'prices-'));
    const file = join(folder, 'prices.json');
    writeFileSync(file, JSON.stringify(OVERRIDES));
    service = await TestService.start({ PRICES_FILE: file });
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(async () => {
    expect(await ledgerFaults(service.database)).toEqual([]);
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  it('are the prices that are published, under a version of their own, beside those that stay', async () => {
    const { version, prices: published } = (await callAs('getPricing', world, {})).body;
    const amounts = Object.fromEntries(
      published.map(({ name, base, per_token }) => [name, [base, per_token]]),
    );
    expect(amounts).toMatchObject({
      memory_operation: [0.25, null],
      chat_completion: [0, 3e-9],
      embeddings: [0.0001, 0.001],
      legal_analysis: [0.005, 0.00003],
    });
    expect(version).not.toBe(new PriceList(prices).version);
  });

  it.each<[OperationId, object, bigint, bigint]>([
    ['createMemory', { key: 'k', value: 'v' }, 250_000_000n, 0n],
    ['searchMemories', { query: 'q' }, 250_000_000n, 0n],
    ['createChatCompletion', CHAT, 0n, 3n],
    ['createCompletion', { model: 'm', prompt: QUESTION }, 0n, 3n],
    ['createEmbedding', { model: 'm', input: QUESTION }, 100_000n, 1_000_000n],
  ])('are what %s reserves, charges and tells', async (operationId, body, base, perToken) => {
    const before = await world.balanceNanoUsd();
    const answer = await callAs(operationId, world, { body });
    const cost = base + perToken * BigInt(answer.headers['x-tokens-used'] ?? 0);
    expect(cost).toBeGreaterThan(0n);
    expect(answer.headers['x-request-cost']).not.toContain('e');
    expect(usdToNano(Number(answer.headers['x-request-cost']))).toBe(cost);
    expect(before - (await world.balanceNanoUsd())).toBe(cost);
    const requestId = answer.headers['x-request-id'] ?? '';
    const receipt = (await callAs('getRequestReceipt', world, { params: { request_id: requestId } })).body;
    const { version } = (await callAs('getPricing', world, {})).body;
    expect([usdToNano(receipt.charged), receipt.price_version]).toEqual([cost, version]);
    const tokensMax = operationId.endsWith('Completion') ? 1024 : 0;
    const reserved = base + perToken * BigInt(receipt.input_tokens + tokensMax);
    expect(usdToNano(receipt.reserved)).toBeGreaterThanOrEqual(reserved);
    expect(usdToNano(receipt.reserved)).toBeLessThanOrEqual(reserved + 10n * perToken);
    const [transaction] = (await callAs('listTransactions', world, {})).body.transactions;
    expect(usdToNano(transaction?.amount ?? 0)).toBe(-cost);
  });

  it('are what a call is refused by', async () => {
    await world.setBalanceUsd(world.owner, '0.249999999');
    const answer = await callAs('createMemory', world, { body: { key: 'k', value: 'v' } });
    expect([answer.status, answer.body.required, answer.body.available]).toEqual([402, 0.25, 0.249999999]);
    await world.setBalanceUsd(world.owner, '0.000000300');
    const chat = (max_tokens: number) =>
      callAs('createChatCompletion', world, { body: { ...CHAT, max_tokens } });
    const largest = (await chat(1000)).body.affordable_max_tokens;
    expect(largest).toBeGreaterThan(1);
    expect((await chat(largest + 1)).status).toBe(402);
    expect((await chat(largest)).status).toBe(200);
  });

  it.each([
    ['a name that no price has', '{"nothing":{"base":"1"}}'],
    ['an amount that is none', '{"embeddings":{"base":"cheap"}}'],
    ['what is no JSON', 'base: 1'],
  ])('keep the service from starting with %s', async (_, content) => {
    const file = join(folder, 'wrong.json');
    writeFileSync(file, content);
    await expect(TestService.start({ PRICES_FILE: file })).rejects.toThrow();
  });
});
