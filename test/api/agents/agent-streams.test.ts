import { UpstreamFailed } from '../../../src/models/errors';
import { Models } from '../../../src/models/models';
import { ownEvent } from '../../../src/models/sse';
import { callAs } from '../../support/api/call-as';
import { ledgerFaults } from '../../support/ledger/ledger-faults';
import { TestService } from '../../support/api/service';
import { storeAgent } from '../../support/api/store-agent';
import { World } from '../../support/api/world';

const MESSAGES = [{ role: 'user', content: 'The library opens at nine. When does the library open?' }];
const CALL = [
  { content: 'Let me ' },
  { content: 'see.' },
  {
    tool_calls: [
      { index: 0, id: 'c1', type: 'function', function: { name: 'calculator', arguments: '{"expr' } },
    ],
  },
  { tool_calls: [{ index: 0, function: { arguments: 'ession":"6*7"}' } }] },
];
const ANSWER = [{ content: 'It is ' }, { content: '42.' }];

describe('chatWithAgent as a stream', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(async () => service.stop());

  it('answers with JSON and free of charge what is refused before the first event', async () => {
    script([new UpstreamFailed('scripted', 'is down')]);
    const before = await world.balanceNanoUsd();
    const answer = await stream({});
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([502, { error: 'Upstream error' }]);
    const missing = await stream({ agent_id: 'x' });
    expect([missing.status, JSON.parse(missing.text)]).toMatchObject([404, { message: 'No such agent.' }]);
    expect(await world.balanceNanoUsd()).toBe(before);
  });

  it('streams the embedded answer, with its cost, and replays it as JSON in the envelope', async () => {
    const before = await world.balanceNanoUsd();
    const headers = { 'idempotency-key': 'a stream' };
    const { status, chunks, text } = await stream({}, headers);
    expect([status, contentOf(chunks)]).toEqual([200, 'The library opens at nine.']);
    expect(new Set(chunks.map(({ id, object }) => `${id} ${object}`)).size).toBe(1);
    const usage = chunks.at(-1)?.usage;
    const spent = before - (await world.balanceNanoUsd());
    expect(spent).toBe(2_000_000n + 10_000n * BigInt(usage?.total_tokens ?? 0));
    expect(Math.round((usage?.cost ?? 0) * 1e9)).toBe(Number(spent));
    expect(text).toMatch(/\n\n: cost=0\.\d+ tokens=\d+ balance=9\.\d+\n\ndata: \[DONE\]\n\n$/);
    const body = { messages: MESSAGES, max_tokens: 50, stream: true };
    const replay = await callAs('chatWithAgent', world, { body, headers });
    expect(replay.headers['idempotent-replayed']).toBe('true');
    expect(replay.body.data).toMatchObject({
      message: { content: 'The library opens at nine.' },
      usage: { total_tokens: usage?.total_tokens },
    });
    expect(replay.body.metadata).toMatchObject({ cost: usage?.cost, engine: { provider: 'embedded' } });
    expect(before - (await world.balanceNanoUsd())).toBe(spent);
  });

  it('runs tools between the steps, shows none of that, and charges for all steps', async () => {
    const { id } = await storeAgent(world, { tools: ['calculator'], max_tokens: 50 });
    const requests = script([
      [CALL, { prompt_tokens: 300, completion_tokens: 20 }],
      [ANSWER, { prompt_tokens: 400, completion_tokens: 5 }],
    ]);
    const before = await world.balanceNanoUsd();
    const { chunks, text } = await stream({ agent_id: id, max_tokens: null });
    expect(contentOf(chunks)).toBe('Let me see.\n\nIt is 42.');
    expect(text).not.toContain('calculator');
    expect(chunks.at(-1)?.usage).toMatchObject({
      prompt_tokens: 700,
      completion_tokens: 25,
      total_tokens: 725,
    });
    expect(requests[1]?.messages?.slice(-2)).toMatchObject([
      { content: 'Let me see.', tool_calls: [{ function: { arguments: '{"expression":"6*7"}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: '42' },
    ]);
    expect(before - (await world.balanceNanoUsd())).toBe(2_000_000n + 7_250_000n);
  });

  it.each([
    ['as the first', [0, 0, 0, 0]],
    ['as none', [undefined, undefined, undefined, undefined]],
    ['apart', [0, 0, 1, 1]],
  ])('runs each of several calls where the provider counts them %s', async (_, indexes) => {
    const { id } = await storeAgent(world, { tools: ['calculator'], max_tokens: 50 });
    const requests = script([
      [callsAt(indexes), null],
      [ANSWER, null],
    ]);
    await stream({ agent_id: id, max_tokens: null });
    expect(requests[1]?.messages?.slice(-3)).toMatchObject([
      { tool_calls: [{ id: 'c1' }, { id: 'c2' }] },
      { role: 'tool', tool_call_id: 'c1', content: '42' },
      { role: 'tool', tool_call_id: 'c2', content: '3' },
    ]);
  });

  it('charges what was delivered when a later step breaks off, and says so in place of an end', async () => {
    const { id } = await storeAgent(world, { tools: ['calculator'], max_tokens: 50 });
    script([
      [CALL, { prompt_tokens: 300, completion_tokens: 20 }],
      new UpstreamFailed('scripted', 'is down'),
    ]);
    const before = await world.balanceNanoUsd();
    const { text } = await stream({ agent_id: id, max_tokens: null });
    expect(text).toContain('"code":502');
    expect(text).toContain('What was delivered is charged.');
    expect(text).not.toContain('Nothing was charged');
    expect(text).not.toContain('[DONE]');
    expect(before - (await world.balanceNanoUsd())).toBe(2_000_000n + 3_200_000n);
    expect(await ledgerFaults(service.database)).toEqual([]);
  });

  it.each([
    ['ends without an end', [ANSWER, null, 'no end'] as const],
    ['sends what is no JSON', [ANSWER, null, 'garbage'] as const],
  ])('counts what was produced where the model %s', async (_, step) => {
    script([step]);
    const before = await world.balanceNanoUsd();
    const { text } = await stream({});
    expect(text).toContain('"code":502');
    const charged = before - (await world.balanceNanoUsd());
    expect(charged).toBeGreaterThan(2_000_000n + 10_000n * 10n);
    expect(charged).toBeLessThan(2_000_000n + 10_000n * 60n);
  });

  it('counts where a complete answer tells no usage', async () => {
    script([[ANSWER, null]]);
    const { chunks } = await stream({});
    expect(chunks.at(-1)?.usage?.completion_tokens).toBeGreaterThan(2);
    expect(chunks.at(-1)?.usage?.prompt_tokens).toBeGreaterThan(10);
  });

  async function stream(fields: object, headers: Record<string, string> = {}) {
    const response = await service.app.inject({
      method: 'POST',
      url: '/api/hub/agents/chat',
      headers: { 'x-api-key': world.owner.key, ...headers },
      payload: { messages: MESSAGES, max_tokens: 50, stream: true, ...fields },
    });
    const lines = response.body.split('\n').filter((line) => line.startsWith('data: {"id"'));
    const chunks = lines.map((line) => JSON.parse(line.slice(6)) as Chunk);
    return { status: response.statusCode, text: response.body, chunks };
  }

  /** Has the models of the service stream these steps; returns what they are asked. */
  function script(steps: readonly (Step | Error)[]): { messages?: unknown[] }[] {
    const requests: { messages?: unknown[] }[] = [];
    jest.spyOn(service.app.get(Models), 'streamChat').mockImplementation((request) => {
      const step = steps[requests.length] ?? new Error('asked once too often');
      requests.push({ messages: structuredClone([...request.messages]) });
      if (step instanceof Error) {
        return Promise.reject(step);
      }
      const engine = { provider: 'scripted', method: 'script', quality: 'model' };
      return Promise.resolve({ model: 'scripted-1', engine, events: eventsOf(step) });
    });
    return requests;
  }
});

type Step = readonly [deltas: readonly object[], usage: object | null, fault?: 'no end' | 'garbage'];

interface Chunk {
  id: string;
  object: string;
  choices: { delta: { content?: string } }[];
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number; cost: number };
}

/** Two calls of two pieces each. Only the first piece of a call brings its id. */
function callsAt(indexes: readonly (number | undefined)[]): object[] {
  const pieces = [
    { id: 'c1', type: 'function', function: { name: 'calculator', arguments: '{"expression"' } },
    { function: { arguments: ':"6*7"}' } },
    { id: 'c2', type: 'function', function: { name: 'calculator', arguments: '{"expression"' } },
    { function: { arguments: ':"1+2"}' } },
  ];
  return pieces.map((piece, place) => ({ tool_calls: [{ index: indexes[place], ...piece }] }));
}

async function* eventsOf([deltas, usage, fault]: Step) {
  for (const delta of deltas) {
    yield ownEvent(JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] }));
    await Promise.resolve();
  }
  if (fault === 'garbage') {
    yield ownEvent('{"choices":');
  }
  if (fault) {
    return;
  }
  yield ownEvent(JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
  if (usage) {
    yield ownEvent(JSON.stringify({ choices: [], usage }));
  }
  yield ownEvent('[DONE]');
}

function contentOf(chunks: readonly Chunk[]): string {
  return chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
}
