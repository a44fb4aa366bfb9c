import { Module, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ServiceUnavailable, TooManyCallsWait } from '../../src/errors/api-errors';
import { Ledger } from '../../src/ledger/ledger';
import { newId } from '../../src/runtime/ids';
import { UnchargedCalls } from '../../src/pipeline/uncharged-calls';
import { callAs } from '../support/api/call-as';
import { holdNextMemory } from '../support/api/held-call';
import { TestService, type ApiRequest, type OperationId } from '../support/api/service';
import { World } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';

class ClosedGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<FastifyRequest>().headers['x-closed'] === undefined;
  }
}

@Module({ providers: [{ provide: APP_GUARD, useClass: ClosedGuard }] })
class ClosedModule {}

const MEMORY = { body: { key: 'k', value: 'v' } };
const JSON_TYPE = { 'content-type': 'application/json' };
const MESSAGES = [{ role: 'user', content: 'When?' }];

describe('a priced call that is refused after its authentication leaves a receipt', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start({ STRICT_MODELS: 'true' }, undefined, [ClosedModule]);
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await ledgerFaults(service.database)).toEqual([]);
  });
  afterAll(async () => service.stop());

  it.each<[string, OperationId, ApiRequest, number]>([
    ['2b for its body', 'createMemory', { body: { key: 'k' } }, 400],
    ['2b for what is no JSON', 'createMemory', { body: '{"key":', headers: JSON_TYPE }, 400],
    [
      '2b for what is called no JSON',
      'createMemory',
      { body: 'k', headers: { 'content-type': 'text/plain' } },
      415,
    ],
    ['2b for a header', 'createMemory', { ...MEMORY, headers: { 'idempotency-key': 'k'.repeat(256) } }, 400],
    ['3 for a missing agent', 'generateWithAgent', { body: { prompt: 'p', agent_id: newId() } }, 404],
    ['3 for a missing model', 'createChatCompletion', { body: { model: 'none', messages: MESSAGES } }, 404],
  ])('by step %s', async (_, operationId, request, status) => {
    await expectReceipt(operationId, request, status);
  });

  it('by step 2c while the call with its Idempotency-Key is running, and where that was another call', async () => {
    const headers = { 'idempotency-key': newId() };
    const held = holdNextMemory(service);
    const first = callAs('createMemory', world, { ...MEMORY, headers });
    await held.entered;
    await expectReceipt('createMemory', { ...MEMORY, headers }, 409);
    held.letGo();
    await first;
    const other = { body: { key: 'k', value: 'another' }, headers };
    const charged = await world.balanceNanoUsd();
    await expectReceipt('createMemory', other, 422);
    expect(await world.balanceNanoUsd()).toBe(charged);
  });

  it.each([
    ['the balance', () => world.setBalanceUsd(world.owner, '0')],
    ['a spending limit', () => world.setLimits(world.owner, { dailyLimitNano: 1n })],
  ])('by steps 4 to 6 for %s', async (_, provoke) => {
    await provoke();
    await expectReceipt('createMemory', MEMORY, 402);
  });

  it('by a guard of another module', async () => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/api/hub/memory',
      headers: { 'x-api-key': world.owner.key, 'x-closed': 'yes' },
      payload: MEMORY.body,
    });
    expect(answer.statusCode).toBe(403);
    await expectReceiptOf(String(answer.headers['x-request-id']), 'createMemory', 403);
  });

  it('by steps 4 to 6 with a key that was revoked a moment ago', async () => {
    jest.spyOn(service.app.get(Ledger), 'reserve').mockResolvedValueOnce({ verdict: 'key_invalid' });
    await expectReceipt('createMemory', MEMORY, 401);
  });

  it.each([
    ['the ledger did not answer in time', new ServiceUnavailable('The ledger cannot be reached.', 1), 503],
    ['too many calls wait', new TooManyCallsWait(), 503],
    ['the ledger failed', new Error('a connection broke'), 500],
  ])('by steps 4 to 6 where %s', async (_, failure, status) => {
    jest.spyOn(service.app.get(Ledger), 'reserve').mockRejectedValueOnce(failure);
    await expectReceipt('createMemory', MEMORY, status);
  });

  it('but none by steps 1 and 2, which know no account yet', async () => {
    const credential = 'svc_test_unknown';
    const answer = await callAs('createMemory', world, { ...MEMORY, credential });
    expect([answer.status, await receiptStatus(answer.headers['x-request-id'])]).toEqual([401, 404]);
  });

  async function expectReceipt(operationId: OperationId, request: ApiRequest, status: number): Promise<void> {
    const before = await world.balanceNanoUsd();
    const answer = await callAs(operationId, world, request);
    expect(answer.status).toBe(status);
    await expectReceiptOf(answer.headers['x-request-id'] ?? '', operationId, status);
    expect(await world.balanceNanoUsd()).toBe(before);
  }

  async function expectReceiptOf(requestId: string, operation: string, status: number): Promise<void> {
    await service.app.get(UnchargedCalls).write();
    const receipt = await callAs('getRequestReceipt', world, { params: { request_id: requestId } });
    const nothing = { reserved: 0, charged: 0, transaction_id: null };
    const call = { request_id: requestId, operation, key_id: world.owner.keyId };
    expect(receipt.body).toMatchObject({ ...call, ...nothing, status, outcome: 'refused' });
  }

  async function receiptStatus(requestId = ''): Promise<number> {
    await service.app.get(UnchargedCalls).write();
    return (await callAs('getRequestReceipt', world, { params: { request_id: requestId } })).status;
  }
});
