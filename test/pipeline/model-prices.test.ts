import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { usdToNano } from '../../src/ledger/money';
import { UnchargedCalls } from '../../src/pipeline/uncharged-calls';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { callAs } from '../support/api/call-as';
import { TestService, type OperationId } from '../support/api/service';
import { World } from '../support/api/world';

const BASE_NANO_USD = 2_000_000n;
const INPUT_NANO_USD = 2_500n;
const OUTPUT_NANO_USD = 10_000n;
const ROWS = [
  {
    id: 'split',
    aliases: ['nickname'],
    input_price_per_token_usd: 0.0000025,
    output_price_per_token_usd: 0.00001,
  },
  { id: 'dear-input', input_price_per_token_usd: 0.001, output_price_per_token_usd: 0.000001 },
  { id: 'text-embedding-9', input_price_per_token_usd: 0.000000013, output_price_per_token_usd: 0 },
  {
    id: 'own-base',
    input_price_per_token_usd: 0.000001,
    output_price_per_token_usd: 0.000001,
    base_price_usd: 0.00001,
  },
  { id: 'unpriced' },
  {
    id: 'keeping',
    input_price_per_token_usd: 0.000002,
    output_price_per_token_usd: 0.00001,
    cached_input_price_per_token_usd: 0.0000005,
    cache_write_price_per_token_usd: 0.000004,
  },
];
const MESSAGES = [{ role: 'user', content: 'When does the library open?' }];

describe('prices of models', () => {
  const usage = { prompt_tokens: 9, completion_tokens: 7, total_tokens: 16 };
  let failing = false;
  let upstream: Server;
  let fallback: Server;
  let service: TestService;
  let world: World;

  beforeAll(async () => {
    upstream = await listening(() => (failing ? null : usage));
    fallback = await listening(() => usage);
    const dearer = { id: 'split', input_price_per_token_usd: 1, output_price_per_token_usd: 1 };
    service = await TestService.start({
      STRICT_MODELS: 'true',
      UPSTREAMS: JSON.stringify([
        { name: 'first', base_url: urlOf(upstream), models: ROWS },
        { name: 'second', base_url: urlOf(fallback), models: [dearer, { ...dearer, id: 'unpriced' }] },
      ]),
    });
  });
  beforeEach(async () => {
    failing = false;
    Object.assign(usage, { prompt_tokens: 9, completion_tokens: 7, total_tokens: 16 });
    world = await World.create(service);
  });
  afterEach(async () => expect(await ledgerFaults(service.database)).toEqual([]));
  afterAll(async () => {
    await service.stop();
    upstream.closeAllConnections();
    fallback.closeAllConnections();
    upstream.close();
    fallback.close();
  });

  it('refuse a model that nobody has before anything is reserved', async () => {
    const answer = await callAs('createChatCompletion', world, {
      body: { model: 'none', messages: MESSAGES },
    });
    expect([answer.status, await world.balanceNanoUsd()]).toEqual([404, 10_000_000_000n]);
    const params = { request_id: answer.headers['x-request-id'] ?? '' };
    await service.app.get(UnchargedCalls).write();
    const { body } = await callAs('getRequestReceipt', world, { params });
    expect(body).toMatchObject({ outcome: 'refused', status: 404, price: null, reserved: 0 });
  });

  it.each(['split', 'nickname'])('are what a chat with %s costs, to the nano-dollar', async (model) => {
    const { cost, receipt } = await pay('createChatCompletion', {
      model,
      messages: MESSAGES,
      max_tokens: 50,
    });
    expect(cost).toBe(BASE_NANO_USD + 9n * INPUT_NANO_USD + 7n * OUTPUT_NANO_USD);
    expect(receipt).toMatchObject({ price: 'chat_completion:split', input_tokens: 9, output_tokens: 7 });
    service.clock.advance(1);
    const { by_price } = (await callAs('getCosts', world, {})).body;
    expect(by_price.map(({ price, cost: sum }) => [price, usdToNano(sum)])).toEqual([[receipt.price, cost]]);
    const { prices, version } = (await callAs('getPricing', world, {})).body;
    const shown = prices.find(({ name }) => name === receipt.price);
    expect(shown).toMatchObject({ model: 'split', base: 0.002, per_token: 2.5e-6, per_output_token: 1e-5 });
    expect(shown?.operations).toEqual(expect.arrayContaining(['createChatCompletion', 'createCompletion']));
    expect(receipt.price_version).toBe(version);
  });

  it('reserve both halves, output times the choices', async () => {
    const one = await pay('createChatCompletion', { model: 'split', messages: MESSAGES, max_tokens: 50 });
    const four = await pay('createChatCompletion', {
      model: 'split',
      messages: MESSAGES,
      max_tokens: 50,
      n: 4,
    });
    expect(four.reserved - one.reserved).toBe(150n * OUTPUT_NANO_USD);
    const inputNanoUsd = one.reserved - BASE_NANO_USD - 50n * OUTPUT_NANO_USD;
    expect([inputNanoUsd % INPUT_NANO_USD, inputNanoUsd >= 9n * INPUT_NANO_USD]).toEqual([0n, true]);
  });

  it('reserve completions for every prompt, the best of several, and echoes', async () => {
    const reserve = async (fields: object) =>
      (await pay('createCompletion', { model: 'split', prompt: 'a b c', max_tokens: 10, ...fields }))
        .reserved;
    const one = await reserve({});
    expect((await reserve({ n: 2, best_of: 3 })) - one).toBe(20n * OUTPUT_NANO_USD);
    expect((await reserve({ prompt: ['a b c', ''] })) - one).toBe(10n * OUTPUT_NANO_USD);
    const inputTokens = (one - BASE_NANO_USD - 10n * OUTPUT_NANO_USD) / INPUT_NANO_USD;
    expect((await reserve({ echo: true })) - one).toBe(inputTokens * OUTPUT_NANO_USD);
  });

  it("have a base of their own, also for who has less than the operation's", async () => {
    await world.setBalanceUsd(world.owner, '0.0019');
    const { cost, receipt } = await pay('createChatCompletion', {
      model: 'own-base',
      messages: MESSAGES,
      max_tokens: 50,
      user: 'u'.repeat(300),
      metadata: {
        why: 'w'.repeat(500),
        whom: 'w'.repeat(500),
        when: 'w'.repeat(500),
        where: 'w'.repeat(500),
      },
    });
    expect([cost, receipt.price]).toEqual([10_000n + 16n * 1_000n, 'chat_completion:own-base']);
  });

  it('charge embeddings for their total, which is all input', async () => {
    // Longer than what the upstream says, which would be held to the reservation otherwise.
    const input = 'a b c d e f g h i j k l m n o p';
    const { cost, receipt } = await pay('createEmbedding', { model: 'text-embedding-9', input });
    expect([cost, receipt.price]).toEqual([100_000n + 16n * 13n, 'embeddings:text-embedding-9']);
  });

  it("leave the operation's price to a model that its first upstream does not price", async () => {
    const { cost, receipt } = await pay('createChatCompletion', { model: 'unpriced', messages: MESSAGES });
    expect([cost, receipt.price]).toEqual([BASE_NANO_USD + 16n * 10_000n, 'chat_completion']);
  });

  it.each<[string, object, bigint]>([
    ['as OpenAI tells it', { prompt_tokens_details: { cached_tokens: 900 } }, 900n],
    ['as DeepSeek tells it', { prompt_cache_hit_tokens: 400 }, 400n],
    ['never for more than the input', { prompt_tokens_details: { cached_tokens: 5_000 } }, 1_000n],
    ['where nothing is told', {}, 0n],
  ])('are lower for input that the upstream had kept, %s', async (_, told, cached) => {
    Object.assign(usage, { prompt_tokens: 1_000, prompt_tokens_details: undefined }, told);
    const { prices } = (await callAs('getPricing', world, {})).body;
    const shown = prices.find(({ name }) => name === 'chat_completion:keeping');
    expect([shown?.per_token, shown?.per_cached_token]).toEqual([2e-6, 5e-7]);
    const request = { model: 'keeping', messages: MESSAGES, max_tokens: 50 };
    const { cost, receipt } = await pay('createChatCompletion', request);
    expect(cost).toBe(BASE_NANO_USD + (1_000n - cached) * 2_000n + cached * 500n + 7n * 10_000n);
    expect([receipt.input_tokens, receipt.cached_tokens]).toEqual([1_000, Number(cached)]);
    delete (usage as { prompt_cache_hit_tokens?: number }).prompt_cache_hit_tokens;
    const { cost: plain } = await pay('createChatCompletion', { ...request, model: 'split' });
    expect(plain).toBe(BASE_NANO_USD + 1_000n * INPUT_NANO_USD + 7n * OUTPUT_NANO_USD);
  });

  it('are higher for input that the upstream keeps for later, as which all of it is reserved', async () => {
    const request = { model: 'keeping', messages: MESSAGES, max_tokens: 50 };
    Object.assign(usage, { prompt_tokens: 9, prompt_tokens_details: undefined });
    const { reserved, receipt: plain } = await pay('createChatCompletion', request);
    const { reserved: ofSplit } = await pay('createChatCompletion', { ...request, model: 'split' });
    const inputTokens = (ofSplit - BASE_NANO_USD - 50n * OUTPUT_NANO_USD) / INPUT_NANO_USD;
    expect(reserved).toBe(BASE_NANO_USD + inputTokens * 4_000n + 50n * 10_000n);
    expect(plain.cache_write_tokens).toBe(0);
    const told = { cached_tokens: 100, cache_write_tokens: 600 };
    Object.assign(usage, { prompt_tokens: 1_000, prompt_tokens_details: told });
    const { cost, receipt } = await pay('createChatCompletion', request);
    expect(cost).toBe(BASE_NANO_USD + 300n * 2_000n + 100n * 500n + 600n * 4_000n + 7n * 10_000n);
    expect(receipt).toMatchObject({ input_tokens: 1_000, ...told });
    const agent = await pay('generateWithAgent', {
      model: 'keeping',
      prompt: 'When does it open?',
      max_tokens: 50,
    });
    expect([agent.cost, agent.receipt]).toEqual([cost, expect.objectContaining(told)]);
    Object.assign(usage, { prompt_tokens_details: undefined });
  });

  it("leave the operation's price to what rules answer without any model", async () => {
    const body = { inputs: [{ type: 'text', content: 'The plant makes pumps.' }], model: 'dear-input' };
    for (const task of ['keywords', 'ocr']) {
      const { cost, receipt } = await pay('processInputs', { ...body, task });
      const tokens = BigInt(receipt.input_tokens + receipt.output_tokens);
      expect([receipt.price, cost]).toEqual(['omm_processing', 3_000_000n + 20_000n * tokens]);
    }
  });

  it('stay what they were where another upstream answers', async () => {
    failing = true;
    const { cost, receipt } = await pay('createChatCompletion', { model: 'split', messages: MESSAGES });
    expect(cost).toBe(BASE_NANO_USD + 9n * INPUT_NANO_USD + 7n * OUTPUT_NANO_USD);
    expect(receipt.price).toBe('chat_completion:split');
  });

  it('are charged for what the upstream counts beyond the reservation, as far as the balance reaches', async () => {
    const request = { model: 'dear-input', messages: MESSAGES, max_tokens: 1_000 };
    usage.prompt_tokens = 1_000;
    const { cost, reserved } = await pay('createChatCompletion', request);
    expect(cost).toBe(BASE_NANO_USD + 1_000n * 1_000_000n + 7n * 1_000n);
    expect(cost).toBeGreaterThan(reserved);
    usage.prompt_tokens = 1_000_000;
    expect((await pay('createChatCompletion', request)).cost).toBe(10_000_000_000n - cost);
    expect(await world.balanceNanoUsd()).toBe(0n);
  });

  it('tell the largest output that fits, of each choice', async () => {
    await world.setBalanceUsd(world.owner, '0.0025');
    const chat = (max_tokens: number) =>
      callAs('createChatCompletion', world, {
        body: { model: 'split', messages: MESSAGES, n: 3, max_tokens },
      });
    const refused = await chat(1_000);
    const largest = refused.body.affordable_max_tokens;
    expect([refused.status, largest > 1]).toEqual([402, true]);
    expect((await chat(largest + 1)).status).toBe(402);
    expect((await chat(largest)).status).toBe(200);
  });

  it('keep 200 calls at once within the balance', async () => {
    await world.setBalanceUsd(world.owner, '0.05');
    const body = { model: 'split', messages: MESSAGES, max_tokens: 100 };
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => callAs('createChatCompletion', world, { body })),
    );
    const paid = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status !== 200 && status !== 402)).toEqual([]);
    expect([paid.length > 0, paid.length < 200]).toEqual([true, true]);
    const costs = paid.map(({ headers }) => usdToNano(Number(headers['x-request-cost'])));
    const left = await world.balanceNanoUsd();
    expect(left).toBe(50_000_000n - costs.reduce((sum, cost) => sum + cost, 0n));
    expect(left).toBeGreaterThanOrEqual(0n);
  });

  async function pay(operationId: OperationId, body: object) {
    const before = await world.balanceNanoUsd();
    const answer = await callAs(operationId, world, { body });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    const params = { request_id: answer.headers['x-request-id'] ?? '' };
    const receipt = (await callAs('getRequestReceipt', world, { params })).body;
    const cost = usdToNano(Number(answer.headers['x-request-cost']));
    expect([usdToNano(receipt.charged), before - (await world.balanceNanoUsd())]).toEqual([cost, cost]);
    return { cost, receipt, reserved: usdToNano(receipt.reserved) };
  }
});

/** An upstream that answers everything with this usage; null answers 500. */
async function listening(usageOf: () => object | null): Promise<Server> {
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const usage = usageOf();
      const { model } = body as { model: string };
      response.writeHead(usage ? 200 : 500, { 'content-type': 'application/json' });
      response.end(JSON.stringify(usage ? answerOf(request.url ?? '', { model, usage }) : { error: {} }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function answerOf(path: string, answer: { model: string; usage: object }): object {
  const common = { ...answer, id: 'answer', created: 1 };
  if (path.endsWith('/embeddings')) {
    return { ...answer, object: 'list', data: [{ object: 'embedding', index: 0, embedding: [1] }] };
  }
  if (path.endsWith('/chat/completions')) {
    const message = { role: 'assistant', content: 'At nine.' };
    return { ...common, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] };
  }
  return {
    ...common,
    object: 'text_completion',
    choices: [{ index: 0, text: 'At nine.', finish_reason: 'stop' }],
  };
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
