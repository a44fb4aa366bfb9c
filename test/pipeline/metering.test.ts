import { Ledger } from '../../src/ledger/ledger';
import { Models } from '../../src/models/models';
import { usdToNano } from '../../src/ledger/money';
import { newId } from '../../src/runtime/ids';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { callAs } from '../support/api/call-as';
import { ledgerEntries } from '../support/ledger/ledger-entries';
import { TestService, type ApiRequest, type OperationId } from '../support/api/service';
import { World } from '../support/api/world';

const QUESTION = 'The library opens at nine. It closes at six. When does the library open?';
const MESSAGES = [{ role: 'user', content: QUESTION }];
const USD = 1_000_000_000n;

interface Metered {
  operationId: OperationId;
  body: Record<string, unknown>;
  baseNanoUsd: bigint;
  perTokenNanoUsd: bigint;
  outputTokensMax: number;
}

const METERED: Metered[] = [
  {
    operationId: 'createMemory',
    body: { key: 'k', value: QUESTION },
    baseNanoUsd: 100_000n,
    perTokenNanoUsd: 0n,
    outputTokensMax: 0,
  },
  {
    operationId: 'createEmbedding',
    body: { model: 'm', input: [QUESTION, 'and another text'] },
    baseNanoUsd: 100_000n,
    perTokenNanoUsd: 1_000n,
    outputTokensMax: 0,
  },
  {
    operationId: 'createCompletion',
    body: { model: 'm', prompt: QUESTION, max_tokens: 200 },
    baseNanoUsd: 2_000_000n,
    perTokenNanoUsd: 10_000n,
    outputTokensMax: 200,
  },
  {
    operationId: 'createChatCompletion',
    body: { model: 'm', messages: MESSAGES, max_tokens: 200 },
    baseNanoUsd: 2_000_000n,
    perTokenNanoUsd: 10_000n,
    outputTokensMax: 200,
  },
];

describe('metering', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await ledgerFaults(service.database)).toEqual([]);
  });
  afterAll(async () => service.stop());

  describe.each(METERED.map((metered) => [metered.operationId, metered] as const))('%s', (_, metered) => {
    it('charges its base and the tokens it used, and reserves the worst case', async () => {
      const { cost, tokens, receipt } = await meter(metered.body);
      expect(cost).toBe(metered.baseNanoUsd + metered.perTokenNanoUsd * BigInt(tokens));
      const used = receipt.body.input_tokens + metered.outputTokensMax;
      const worst = metered.baseNanoUsd + metered.perTokenNanoUsd * BigInt(used);
      // A few tokens more than the worst case are framing that not every model counts; many would be a fault.
      const reserved = usdToNano(receipt.body.reserved);
      expect(reserved).toBeGreaterThanOrEqual(worst);
      expect(reserved).toBeLessThanOrEqual(worst + 10n * metered.perTokenNanoUsd);
      expect(usdToNano(receipt.body.released)).toBe(reserved - cost);
    });

    it('tells the same cost and tokens in headers, body, receipt, transaction and balance', async () => {
      const before = await world.balanceNanoUsd();
      const { answer, cost, tokens, receipt } = await meter(metered.body);
      const body = answer.body as unknown as {
        metadata?: { cost: number };
        usage?: { total_tokens: number };
      };
      expect(body.metadata ? usdToNano(body.metadata.cost) : body.usage?.total_tokens).toBe(
        body.metadata ? cost : tokens,
      );
      const { charged, input_tokens: input, output_tokens: output } = receipt.body;
      expect([usdToNano(charged), input + output]).toEqual([cost, tokens]);

      const [{ body: balance }, { body: list }] = await Promise.all([
        callAs('getBalance', world, {}),
        callAs('listTransactions', world, {}),
      ]);
      expect(usdToNano(Number(answer.headers['x-balance-remaining']))).toBe(before - cost);
      expect([balance.balance, balance.available, balance.reserved].map(usdToNano)).toEqual([
        before - cost,
        before - cost,
        0n,
      ]);
      const [transaction] = list.transactions;
      expect(transaction).toMatchObject({
        id: receipt.body.transaction_id,
        type: 'charge',
        description: metered.operationId,
        request_id: answer.headers['x-request-id'],
        key_id: world.owner.keyId,
      });
      expect([usdToNano(transaction?.amount ?? 0), usdToNano(transaction?.balance_after ?? 0)]).toEqual([
        -cost,
        before - cost,
      ]);
    });

    it('adds up to the same in usage, costs, transactions and the counters of the key', async () => {
      await world.setLimits(world.owner, { dailyLimitNano: USD, monthlyLimitNano: 2n * USD });
      const calls = [await meter(metered.body), await meter(metered.body)];
      const cost = calls.reduce((sum, call) => sum + call.cost, 0n);
      const tokens = calls.reduce((sum, call) => sum + call.tokens, 0);
      service.clock.advance(1);
      const params = { key_id: world.owner.keyId };
      const [usage, summary, costs, keyUsage, stats, limits] = await Promise.all([
        callAs('getUsage', world, {}),
        callAs('getUsageSummary', world, {}),
        callAs('getCosts', world, {}),
        callAs('getKeyUsage', world, { params }),
        callAs('getTransactionStats', world, {}),
        callAs('getKeyLimits', world, { params }),
      ]);
      const totals = [
        usage.body.period,
        usage.body.by_operation[0],
        usage.body.daily[0],
        { requests: usage.body.requests_today, tokens: usage.body.tokens_today, cost: usage.body.cost_today },
        summary.body.today,
        summary.body.this_month,
        summary.body.all_time,
        keyUsage.body,
        costs.body.by_operation[0],
      ].map((total) => [total?.requests, total?.tokens, usdToNano(total?.cost ?? 0)]);
      expect(totals).toEqual(totals.map(() => [2, tokens, cost]));
      const sums = [
        costs.body.total,
        costs.body.by_key[0]?.cost,
        costs.body.by_price[0]?.cost,
        stats.body.total_charged,
      ];
      expect(sums.map((sum) => usdToNano(sum ?? 0))).toEqual([cost, cost, cost, cost]);
      const { daily_spent, monthly_spent, daily_remaining, monthly_remaining } = limits.body;
      expect([daily_spent, monthly_spent].map(usdToNano)).toEqual([cost, cost]);
      expect([daily_remaining, monthly_remaining].map((left) => usdToNano(left ?? 0))).toEqual([
        USD - cost,
        2n * USD - cost,
      ]);
    });

    async function meter(body: object) {
      const answer = await callAs(metered.operationId, world, { body });
      expect([200, 201]).toContain(answer.status);
      const receipt = await receiptOf(answer.headers['x-request-id']);
      const cost = usdToNano(Number(answer.headers['x-request-cost']));
      return { answer, receipt, cost, tokens: Number(answer.headers['x-tokens-used']) };
    }
  });

  const chat = { model: 'm', messages: MESSAGES };
  const failing: [string, number, OperationId, ApiRequest][] = [
    ['a parameter that the model cannot honour', 400, 'createChatCompletion', { body: { ...chat, n: 2 } }],
    ['a stream of two choices', 400, 'createChatCompletion', { body: { ...chat, stream: true, n: 2 } }],
    ['too many prompts', 400, 'createCompletion', { body: { model: 'm', prompt: ['a', 'b'] } }],
    ['too many dimensions', 400, 'createEmbedding', { body: { model: 'm', input: 'x', dimensions: 385 } }],
    ['too much metadata', 400, 'queryMemories', { body: { metadata: { a: 'x'.repeat(20_000) } } }],
    ['an id that nothing has', 404, 'getMemory', { params: { memory_id: newId() } }],
  ];

  it.each(failing)(
    'gives all back where the work refuses %s with %i',
    async (_, status, operationId, request) => {
      const before = await state();
      const answer = await callAs(operationId, world, request);
      expect([answer.status, answer.headers['x-request-cost']]).toEqual([status, undefined]);
      const receipt = (await receiptOf(answer.headers['x-request-id'])).body;
      expect(receipt).toMatchObject({ outcome: 'released', status, charged: 0, transaction_id: null });
      expect(receipt.reserved).toBeGreaterThan(0);
      expect(receipt.released).toBe(receipt.reserved);
      expect(await state()).toEqual(before);
    },
  );

  describe('with strict names of models', () => {
    let strict: TestService;
    beforeAll(async () => {
      strict = await TestService.start({ STRICT_MODELS: 'true' });
    });
    afterAll(async () => strict.stop());

    it('charges and reserves nothing where no model has the name', async () => {
      world = await World.create(strict);
      const before = await state();
      const answer = await callAs('createChatCompletion', world, { body: { ...chat, model: 'gpt-4o' } });
      expect(answer.status).toBe(404);
      expect(await state()).toEqual(before);
    });
  });

  it.each([
    ['nothing', 0, 0, 0],
    ['more input than we counted, in room for output', 150, 10, 160],
    ['more than was reserved', 1e12, 1e12, 'all'],
  ])(
    'charges no less than the base and no more than was reserved for a model that reports %s',
    async (...row) => {
      const [, prompt_tokens, completion_tokens, expected] = row;
      const models = service.app.get(Models);
      const run = models.chat.bind(models);
      jest.spyOn(models, 'chat').mockImplementation(async (request, options) => {
        const answer = await run(request, options);
        const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
        return { ...answer, response: { ...answer.response, usage } };
      });
      const before = await world.balanceNanoUsd();
      const answer = await callAs('createChatCompletion', world, { body: { ...chat, max_tokens: 200 } });
      expect(answer.status).toBe(200);
      const receipt = (await receiptOf(answer.headers['x-request-id'])).body;
      const reserved = Number((usdToNano(receipt.reserved) - 2_000_000n) / 10_000n);
      const tokens = expected === 'all' ? reserved : expected;
      expect(receipt.input_tokens + receipt.output_tokens).toBe(tokens);
      expect(answer.headers['x-tokens-used']).toBe(String(tokens));
      expect(usdToNano(receipt.charged)).toBe(2_000_000n + 10_000n * BigInt(tokens));
      expect(before - (await world.balanceNanoUsd())).toBe(usdToNano(receipt.charged));
    },
  );

  it('refuses a call that would fit by its real cost but not beside what another has reserved', async () => {
    await world.setBalanceUsd(world.owner, '0.02');
    const models = service.app.get(Models);
    const run = models.chat.bind(models);
    let during: unknown;
    const body = { ...chat, max_tokens: 1000 };
    jest.spyOn(models, 'chat').mockImplementationOnce(async (request, options) => {
      const second = await callAs('createChatCompletion', world, { body });
      const balance = await service.app.get(Ledger).balance(world.owner.id);
      during = [
        second.status,
        usdToNano(second.body.available),
        balance.balanceNanoUsd - balance.reservedNanoUsd,
      ];
      return run(request, options);
    });
    const first = await callAs('createChatCompletion', world, { body });
    const { reserved } = (await receiptOf(first.headers['x-request-id'])).body;
    const available = 20_000_000n - usdToNano(reserved);
    expect(during).toEqual([402, available, available]);
    expect((await callAs('createChatCompletion', world, { body })).status).toBe(200);
  });

  async function receiptOf(requestId: string | undefined) {
    const receipt = await callAs('getRequestReceipt', world, { params: { request_id: requestId ?? '' } });
    expect(receipt.status).toBe(200);
    return receipt;
  }

  /** Everything that a call which costs nothing has to leave as it was. */
  async function state(): Promise<unknown> {
    const { app } = world.service;
    const limits = await callAs('getKeyLimits', world, { params: { key_id: world.owner.keyId } });
    return [
      await app.get(Ledger).balance(world.owner.id),
      await ledgerEntries(world.service, world.owner),
      limits.body,
    ];
  }
});
