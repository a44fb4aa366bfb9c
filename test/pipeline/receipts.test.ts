import { Logger } from '@nestjs/common';
import { AccountDatabases } from '../../src/database/account-databases';
import { ProcessRegister } from '../../src/database/process-register';
import { usdToNano } from '../../src/ledger/money';
import { newId } from '../../src/runtime/ids';
import { MemoriesRepository } from '../../src/retrieval/memories.repository';
import { UnchargedCalls } from '../../src/pipeline/uncharged-calls';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { callAs } from '../support/api/call-as';
import { holdNextMemory } from '../support/api/held-call';
import { TestService, type ApiAnswer } from '../support/api/service';
import { World, type TestAccount } from '../support/api/world';

const MEMORY = { body: { key: 'k', value: 'v' } };
const CHAT = {
  body: {
    model: 'any',
    max_tokens: 50,
    messages: [{ role: 'user', content: 'The sky is blue. Why is the sky blue?' }],
  },
};
const NOTHING_CHARGED = { charged: 0, transaction_id: null, input_tokens: 0, output_tokens: 0 };

describe('every metered call leaves one receipt', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(async () => {
    expect(await ledgerFaults(service.database)).toEqual([]);
  });
  afterAll(async () => service.stop());

  it('settled at a fixed price: what was reserved was charged', async () => {
    const answer = await callAs('createMemory', world, MEMORY);
    const receipt = await receiptOf(answer);
    expect(receipt).toEqual({
      request_id: answer.headers['x-request-id'],
      client_request_id: null,
      operation: 'createMemory',
      key_id: world.owner.keyId,
      status: 201,
      outcome: 'settled',
      model: null,
      price: 'memory_operation',
      price_version: (await callAs('getPricing', world, {})).body.version,
      input_tokens: 0,
      cached_tokens: 0,
      cache_write_tokens: 0,
      output_tokens: 0,
      reserved: 0.0001,
      charged: 0.0001,
      released: 0,
      latency_ms: 0,
      transaction_id: expect.any(String),
      created_at: service.clock.now().toISOString(),
      completed_at: service.clock.now().toISOString(),
    });
    const transaction = await callAs('getTransaction', world, {
      params: { id: receipt.transaction_id ?? '' },
    });
    expect(transaction.body).toMatchObject({ amount: -0.0001, request_id: receipt.request_id });
  });

  it('settled by tokens: headers, receipt, transaction and balance tell the same numbers', async () => {
    const answer = await callAs('createChatCompletion', world, CHAT);
    const receipt = await receiptOf(answer);
    const { prompt_tokens: input, completion_tokens: output } = answer.body.usage;
    const chargedNanoUsd = 2_000_000n + 10_000n * BigInt(input + output);
    const reservedNanoUsd = usdToNano(receipt.reserved);
    expect(receipt).toMatchObject({ outcome: 'settled', input_tokens: input, output_tokens: output });
    expect(usdToNano(receipt.charged)).toBe(chargedNanoUsd);
    expect(usdToNano(receipt.released)).toBe(reservedNanoUsd - chargedNanoUsd);
    expect(reservedNanoUsd).toBeGreaterThanOrEqual(2_000_000n + 10_000n * BigInt(input + 50));
    expect(output).toBeLessThan(50);
    expect(answer.headers).toMatchObject({
      'x-request-cost': String(receipt.charged),
      'x-tokens-used': String(input + output),
      'x-balance-remaining': String((await callAs('getBalance', world, {})).body.balance),
    });
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n - chargedNanoUsd);
  });

  it('released when the handler fails', async () => {
    const failure = new Error('the handler failed');
    jest.spyOn(service.app.get(MemoriesRepository), 'upsert').mockRejectedValueOnce(failure);
    const answer = await callAs('createMemory', world, MEMORY);
    expect(answer.status).toBe(500);
    expect(await receiptOf(answer)).toMatchObject({
      ...NOTHING_CHARGED,
      outcome: 'released',
      status: 500,
      price: 'memory_operation',
      reserved: 0.0001,
      released: 0.0001,
    });
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
  });

  it('released when what was asked for does not exist', async () => {
    const answer = await callAs('getMemory', world, { params: { memory_id: newId() } });
    expect(answer.status).toBe(404);
    expect(await receiptOf(answer)).toMatchObject({
      ...NOTHING_CHARGED,
      outcome: 'released',
      status: 404,
      released: 0.0001,
    });
  });

  it('refused when the request is not valid: it never had a price', async () => {
    const answer = await callAs('createMemory', world, { body: { key: 'k' } });
    expect(answer.status).toBe(400);
    expect(await receiptOf(answer)).toMatchObject({
      ...NOTHING_CHARGED,
      outcome: 'refused',
      status: 400,
      operation: 'createMemory',
      key_id: world.owner.keyId,
      price: null,
      price_version: null,
      reserved: 0,
      released: 0,
      completed_at: service.clock.now().toISOString(),
    });
  });

  it.each([
    ['the balance', () => world.setBalanceUsd(world.owner, '0')],
    ['a spending limit', () => world.setLimits(world.owner, { dailyLimitNano: 1n })],
  ])('refused when %s does not cover it: nothing was ever reserved', async (_, provoke) => {
    await provoke();
    const answer = await callAs('createMemory', world, MEMORY);
    expect(answer.status).toBe(402);
    expect(await receiptOf(answer)).toMatchObject({
      ...NOTHING_CHARGED,
      outcome: 'refused',
      status: 402,
      price: 'memory_operation',
      reserved: 0,
      released: 0,
    });
  });

  it('settled without a price for a free call of a key', async () => {
    for (const operationId of ['listModels', 'getPricing'] as const) {
      const answer = await callAs(operationId, world, {});
      expect(await receiptOf(answer)).toMatchObject({
        ...NOTHING_CHARGED,
        operation: operationId,
        outcome: 'settled',
        status: 200,
        key_id: world.owner.keyId,
        price: null,
        reserved: 0,
      });
    }
  });

  it('in flight while the work goes on, and final once it has ended', async () => {
    const held = holdNextMemory(service);
    const headers = { 'x-request-id': `held-${world.owner.keyId}` };
    const startedAt = service.clock.now().toISOString();
    const call = callAs('createMemory', world, { ...MEMORY, headers });
    await held.entered;
    const during = await readReceipt(headers['x-request-id']);
    expect(during.body).toMatchObject({
      ...NOTHING_CHARGED,
      outcome: 'in_flight',
      status: null,
      reserved: 0.0001,
      released: 0,
      latency_ms: null,
      created_at: startedAt,
      completed_at: null,
    });
    service.clock.advance(250);
    held.letGo();
    await call;
    const after = await readReceipt(headers['x-request-id']);
    expect(after.body).toMatchObject({
      outcome: 'settled',
      charged: 0.0001,
      latency_ms: 250,
      created_at: startedAt,
    });
  });

  it('released where others ended the process while it worked, before anybody knew of the call', async () => {
    const held = holdNextMemory(service);
    const call = callAs('createMemory', world, MEMORY);
    await held.entered;
    const database = service.app.get(AccountDatabases).of(world.owner.id);
    await database.query("SELECT ledger_fence($1, interval '-1 hour')", [
      service.app.get(ProcessRegister).id,
    ]);
    held.letGo();
    const answer = await call;
    expect(answer.status).toBe(504);
    expect(await receiptOf(answer)).toMatchObject({ ...NOTHING_CHARGED, outcome: 'released' });
  });

  it('under both of its ids in the log, where its failure is told', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    jest
      .spyOn(service.app.get(MemoriesRepository), 'upsert')
      .mockRejectedValueOnce(new Error('the handler failed'));
    const headers = { 'x-request-id': `logged-${world.owner.keyId}` };
    const answer = await callAs('createMemory', world, { ...MEMORY, headers });
    expect(logged.mock.calls).toContainEqual([
      expect.objectContaining({
        request_id: answer.headers['x-request-id'],
        client_request_id: headers['x-request-id'],
      }),
    ]);
    logged.mockRestore();
  });

  it('of its own for a replayed answer, which costs nothing', async () => {
    const headers = { 'idempotency-key': newId() };
    const first = await callAs('createMemory', world, { ...MEMORY, headers });
    const replayed = await callAs('createMemory', world, { ...MEMORY, headers });
    expect(replayed.headers).toMatchObject({ 'idempotent-replayed': 'true', 'x-request-cost': '0' });
    expect(await receiptOf(first)).toMatchObject({ charged: 0.0001, outcome: 'settled' });
    expect(await receiptOf(replayed)).toMatchObject({ ...NOTHING_CHARGED, outcome: 'settled', status: 201 });
  });

  it('exactly one, however often it is written and read', async () => {
    const answer = await callAs('createMemory', world, MEMORY);
    const first = await receiptOf(answer);
    expect(await receiptOf(answer)).toEqual(first);
    const rows: unknown[] = await service.database.query('SELECT FROM calls WHERE account_id = $1', [
      world.owner.id,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('that another account cannot read, in flight or ended', async () => {
    const held = holdNextMemory(service);
    const headers = { 'x-request-id': `secret-${world.owner.keyId}` };
    const call = callAs('createMemory', world, { ...MEMORY, headers });
    await held.entered;
    expect((await readReceipt(headers['x-request-id'], world.stranger)).status).toBe(404);
    held.letGo();
    await call;
    expect((await readReceipt(headers['x-request-id'], world.stranger)).status).toBe(404);
    expect((await readReceipt(headers['x-request-id'])).status).toBe(200);
  });

  it('but none for a call that nobody is known to have made', async () => {
    const answer = await callAs('createMemory', world, { ...MEMORY, credential: 'svc_test_unknown' });
    expect(answer.status).toBe(401);
    await service.app.get(UnchargedCalls).write();
    expect((await readReceipt(answer.headers['x-request-id'] ?? '')).status).toBe(404);
  });

  it.each([' ', '\0', '%', "'; --"])('and none for the id %j', async (requestId) => {
    const answer = await readReceipt(requestId);
    expect([answer.status, answer.body.error]).toEqual([404, 'Not Found']);
  });

  async function receiptOf(answer: Pick<ApiAnswer, 'headers'>) {
    await service.app.get(UnchargedCalls).write();
    const receipt = await readReceipt(answer.headers['x-request-id'] ?? '');
    expect(receipt.status).toBe(200);
    return receipt.body;
  }

  function readReceipt(requestId: string, account: TestAccount = world.owner) {
    return callAs('getRequestReceipt', world, { params: { request_id: requestId } }, account);
  }
});
