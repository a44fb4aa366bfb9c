import { formatUsd, usdToNano } from '../../src/ledger/money';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { callAs } from '../support/api/call-as';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';

const BASE_NANO_USD = 2_000_000n;
const TOKEN_NANO_USD = 10_000n;
const QUESTION = 'The library opens at nine. When does the library open?';
const BODIES = {
  createChatCompletion: { model: 'm', messages: [{ role: 'user', content: QUESTION }] },
  createCompletion: { model: 'm', prompt: QUESTION },
};

/** An amount for so many tokens, a nano-dollar short of one more. */
function worthOf(tokens: number): bigint {
  return BASE_NANO_USD + TOKEN_NANO_USD * BigInt(tokens + 1) - 1n;
}

const FILE = { type: 'document', content: Buffer.from('The plant makes pumps.').toString('base64') };
/** Of /api/omm. */
const FILE_BASE_NANO_USD = 3_000_000n;
const FILE_TOKEN_NANO_USD = 20_000n;

describe('affordable_max_tokens', () => {
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

  const bounds: [string, (nanoUsd: bigint) => Promise<void>][] = [
    ['the balance', (nanoUsd) => world.setBalanceUsd(world.owner, formatUsd(nanoUsd))],
    ['the per-request limit', (nanoUsd) => world.setLimits(world.owner, { perRequestLimitNano: nanoUsd })],
    ['the daily limit', (nanoUsd) => world.setLimits(world.owner, { dailyLimitNano: nanoUsd })],
    ['the monthly limit', (nanoUsd) => world.setLimits(world.owner, { monthlyLimitNano: nanoUsd })],
  ];
  const operationIds = ['createChatCompletion', 'createCompletion'] as const;
  const cases = operationIds.flatMap((operationId) =>
    bounds.map(([name, set]) => [operationId, name, set] as const),
  );

  it.each(cases)('of %s fits into %s, and one more does not', async (operationId, _, setBound) => {
    await setBound(worthOf(150));
    const largest = await affordable(operationId, { max_tokens: 1000 });
    expect(largest).toBeGreaterThan(50);
    expect(await affordable(operationId, { max_tokens: largest + 1 })).toBe(largest);
    const answer = await call(operationId, { max_tokens: largest });
    expect(answer.status).toBe(200);
    const requestId = answer.headers['x-request-id'] ?? '';
    const receipt = await callAs('getRequestReceipt', world, { params: { request_id: requestId } });
    expect(usdToNano(receipt.body.reserved)).toBe(worthOf(150) - TOKEN_NANO_USD + 1n);
  });

  it('counts what the key has spent already', async () => {
    await world.setLimits(world.owner, { dailyLimitNano: 2n * worthOf(150) });
    expect((await call('createChatCompletion', { max_tokens: 50 })).status).toBe(200);
    const largest = await affordable('createChatCompletion', { max_tokens: 1000 });
    expect(await affordable('createChatCompletion', { max_tokens: largest + 1 })).toBe(largest);
    expect((await call('createChatCompletion', { max_tokens: largest })).status).toBe(200);
  });

  it('fits into the balance and into every limit at once, whichever refused first', async () => {
    await world.setBalanceUsd(world.owner, formatUsd(worthOf(150)));
    await world.setLimits(world.owner, {
      perRequestLimitNano: worthOf(140),
      dailyLimitNano: worthOf(120),
      monthlyLimitNano: worthOf(130),
    });
    const first = await call('createChatCompletion', { max_tokens: 1000 });
    expect([first.status, first.body.error]).toEqual([402, 'Insufficient credits']);
    const largest = first.body.affordable_max_tokens;
    expect(await affordable('createChatCompletion', { max_tokens: largest + 1 })).toBe(largest);
    expect((await call('createChatCompletion', { max_tokens: largest })).status).toBe(200);
  });

  it('is told by the newer name of max_tokens too', async () => {
    await world.setBalanceUsd(world.owner, formatUsd(worthOf(150)));
    const largest = await affordable('createChatCompletion', { max_completion_tokens: 1000 });
    expect(await affordable('createChatCompletion', { max_completion_tokens: largest + 1 })).toBe(largest);
    expect((await call('createChatCompletion', { max_completion_tokens: largest })).status).toBe(200);
  });

  it('is what each of several choices may have', async () => {
    await world.setBalanceUsd(world.owner, formatUsd(worthOf(150)));
    const alone = await affordable('createChatCompletion', { max_tokens: 1000 });
    const each = await affordable('createChatCompletion', { max_tokens: 1000, n: 3 });
    expect(each).toBe(Math.floor(alone / 3));
    expect(await affordable('createChatCompletion', { max_tokens: each + 1, n: 3 })).toBe(each);
    // It was paid for; only then the engine, which gives one choice, refuses it.
    const answer = await call('createChatCompletion', { max_tokens: each, n: 3 });
    expect([answer.status, answer.body.details[0]?.field]).toEqual([400, 'n']);
  });

  it('is not told where no output would fit at all', async () => {
    await world.setBalanceUsd(world.owner, formatUsd(BASE_NANO_USD + TOKEN_NANO_USD));
    const answer = await call('createChatCompletion', { max_tokens: 1 });
    expect([answer.status, answer.body.affordable_max_tokens]).toEqual([402, undefined]);
    await world.setLimits(world.owner, { dailyLimitNano: 0n });
    await world.setBalanceUsd(world.owner, '1');
    const limited = await call('createChatCompletion', { max_tokens: 1 });
    expect([limited.body.limit_type, limited.body.affordable_max_tokens]).toEqual(['daily', undefined]);
  });

  describe('of calls that bring files', () => {
    const analyze = (fields: object) =>
      callAs('analyzeInputs', world, { body: { inputs: [FILE], max_tokens: 100, ...fields } });

    it.each(bounds)(
      'names the max_input_tokens that fit into %s, and one more does not',
      async (_, setBound) => {
        await setBound(FILE_BASE_NANO_USD + FILE_TOKEN_NANO_USD * 1_100n);
        const refused = await analyze({});
        expect([refused.status, refused.body.affordable_max_input_tokens]).toEqual([402, 1_000]);
        expect(refused.body.message).toMatch(/ With max_input_tokens of at most 1000 it fits\./);
        expect((await analyze({ max_input_tokens: 1_001 })).status).toBe(402);
        expect((await analyze({ max_input_tokens: 1_000 })).status).toBe(200);
      },
    );

    it('names none where a call has no file, or even one token costs too much', async () => {
      await world.setBalanceUsd(world.owner, formatUsd(FILE_BASE_NANO_USD + FILE_TOKEN_NANO_USD * 100n));
      for (const inputs of [[FILE], [{ type: 'text', content: 'The plant makes pumps.' }]]) {
        const refused = await analyze({ inputs });
        expect([refused.status, refused.body.affordable_max_input_tokens]).toEqual([402, undefined]);
        expect(refused.body.message).not.toContain('max_input_tokens');
      }
    });
  });

  function call(operationId: keyof typeof BODIES, fields: object) {
    return callAs(operationId, world, { body: { ...BODIES[operationId], ...fields } });
  }

  /** What a call that is refused for its price is told. */
  async function affordable(operationId: keyof typeof BODIES, fields: object): Promise<number> {
    const answer = await call(operationId, fields);
    expect(answer.status).toBe(402);
    return answer.body.affordable_max_tokens;
  }
});
