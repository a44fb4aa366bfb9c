import { ScriptedModel, type ScriptedAnswer } from '../../../test/support/upstream/scripted-model';
import type { Meter, TokenUse } from '../../ledger/money';
import { UpstreamFailed } from '../../models/errors';
import type { Models } from '../../models/models';
import type { ChatMessage } from '../../models/model-provider';
import { ManualClock } from '../../runtime/clock';
import { countTokens } from '../../text/count-tokens';
import { TextThreads } from '../../text/text-threads';
import { TokenCounter } from '../../text/token-counter';
import { type AgentMemories, type AgentRun, RESULT_TOKENS_MAX } from './agent-run';
import { AgentRuns } from './agents';
import { type AgentTool, AgentTools } from './agent-tools';
import { CALCULATOR } from './calculator';

const SUM = ['calculator', '{"expression":"1 + 1"}'] as const;
const RUN: AgentRun = {
  accountId: 'a',
  agent: null,
  model: 'm',
  route: ScriptedModel.routeTo('m'),
  messages: [{ role: 'user', content: 'How much is it?' }],
  tools: ['calculator', 'flood', 'wait'],
  temperature: null,
  outputTokensMax: 100,
  allowDegraded: false,
};

describe('AgentRuns', () => {
  const threads = new TextThreads({ deadlineMs: 50_000 });
  const tools = new AgentTools();
  const aborting = new AbortController();
  const flood: AgentTool = {
    name: 'flood',
    description: '',
    parameters: { type: 'object' },
    run: () => 'word and '.repeat(50_000),
  };
  const wait: AgentTool = {
    name: 'wait',
    description: '',
    parameters: { type: 'object' },
    run: ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        aborting.abort(new Error('the time is over'));
      }),
  };
  [CALCULATOR, flood, wait].forEach((tool) => tools.register(tool));
  afterAll(async () => threads.close());

  /** Runs an agent against a scripted model, with a reservation that covers `outputTokensMax` output tokens. */
  async function answer(script: ScriptedAnswer[], run: Partial<AgentRun> = {}, outputTokensMax = 500) {
    const model = new ScriptedModel(script);
    const memories = { recall: ({ messages }: AgentRun) => Promise.resolve([...messages]) };
    const counter = new TokenCounter(threads);
    const runs = new AgentRuns(
      model as unknown as Models,
      memories as unknown as AgentMemories,
      tools,
      counter,
      new ManualClock(),
    );
    const told: { use: TokenUse | null; engine: unknown; headers: string[] } = {
      use: null,
      engine: null,
      headers: [],
    };
    const steps = runs.answer(
      { ...RUN, ...run },
      {
        signal: aborting.signal.aborted ? new AbortController().signal : aborting.signal,
        setHeader: (name, value) => told.headers.push(`${name}: ${value}`),
        setEngine: (engine) => (told.engine = engine),
        meter: {
          outputTokensMax,
          report: (use: TokenUse) => (told.use = use),
          watch: () => undefined,
        } as unknown as Meter,
      },
    );
    const { requests, routes } = model;
    return { steps: await steps.catch((error: unknown) => error as Error), told, requests, routes };
  }

  it('fails with what the model fails with, also in a later step, and reports no use', async () => {
    const gone = new UpstreamFailed('scripted', 'went away');
    const { steps, told } = await answer([{ calls: [SUM] }, { fails: gone }]);
    expect([steps, told.use]).toEqual([gone, null]);
  });

  it('gives up while a tool runs when the call is aborted, and asks the model no more', async () => {
    const { steps, told, requests } = await answer([{ calls: [['wait', '{}']] }]);
    expect([steps, told.use]).toEqual([new Error('the time is over'), null]);
    expect(requests).toHaveLength(1);
  });

  it('asks once without tools where the agent has none', async () => {
    const { requests, told } = await answer([{ content: 'Two.' }], { tools: [], temperature: 0 });
    expect(requests).toEqual([
      { model: 'm', messages: RUN.messages, max_completion_tokens: 100, temperature: 0 },
    ]);
    expect(told).toEqual({
      use: { inputTokens: 100, outputTokens: 10 },
      engine: { provider: 'scripted', method: 'script', quality: 'model' },
      headers: ['X-Model-Used: scripted-1'],
    });
  });

  it.each([
    ['what it says', { content: 'nine' }, 1],
    ['what it refuses', { message: { refusal: 'nine' } }, 1],
    ['what it thinks', { message: { reasoning: 'nine' } }, 1],
    ['what it asks for', { calls: [['nine', 'nine']] as const }, 2],
  ])('counts %s where its provider says nothing of use', async (_, answered, tokens) => {
    const { told } = await answer([{ ...answered, use: null }], { tools: [] });
    expect(told.use?.outputTokens).toBe(tokens);
  });

  it('tells the model what its tools said, and sums what all steps used', async () => {
    const script = [{ calls: [SUM, SUM] }, { content: 'Two.', use: [200, 20] as const }];
    const { steps, told, requests } = await answer(script);
    expect(told.use).toEqual({ inputTokens: 300, outputTokens: 30 });
    expect(requests[1]?.messages.slice(1)).toEqual([
      { role: 'assistant', content: null, tool_calls: expect.any(Array) },
      { role: 'tool', tool_call_id: 'call_0_0', content: '2' },
      { role: 'tool', tool_call_id: 'call_0_1', content: '2' },
    ]);
    expect(steps).toMatchObject([
      { toolCalls: [{ name: 'calculator', text: '2', isError: false }, {}], finishReason: 'tool_calls' },
      { toolCalls: [], finishReason: 'stop' },
    ]);
  });

  it('asks in every step the providers that it was priced by', async () => {
    const { routes } = await answer([{ calls: [SUM] }, { calls: [SUM] }, { content: 'Two.' }]);
    expect(routes).toEqual([RUN.route, RUN.route, RUN.route]);
  });

  it('takes the tools away from the fifth step, and ends with it whatever it answers', async () => {
    const { steps, requests, told } = await answer([{ calls: [SUM] }]);
    expect(requests.map((request) => 'tools' in request)).toEqual([true, true, true, true, false]);
    expect(steps).toHaveLength(5);
    expect(told.use).toEqual({ inputTokens: 500, outputTokens: 50 });
  });

  it.each([
    ['endless calls', 500, [100, 100], [100, 100, 100, 100, 100], 500],
    ['a reservation for one step', 100, [100, 100], [100], 100],
    // What a step takes beyond its cap, as its upstream tells, is reported to be charged.
    ['a reservation for less than a step', 60, [100, 100], [60], 100],
    ['a reservation for two and a half', 250, [100, 100], [100, 100, 50], 300],
    ['output beyond its cap', 500, [100, 9_999], [100, 100, 100, 100, 100], 49_995],
    ['absurd output', 500, [100, 1e15], [100, 100, 100, 100, 100], 500],
    ['no numbers', 500, [NaN, Infinity], [100, 100, 100, 100, 100], 500],
  ] as const)('never asks for more than is reserved, given %s', async (_, reserved, use, caps, output) => {
    const { requests, told } = await answer([{ calls: [SUM], use }], {}, reserved);
    expect(requests.map((request) => request.max_completion_tokens)).toEqual(caps);
    expect('tools' in (requests.at(-1) ?? {})).toBe(false);
    expect(told.use?.outputTokens).toBe(output);
    expect(told.use?.inputTokens).toBeGreaterThanOrEqual(0);
  });

  it('cuts the results of a step to what was counted for them', async () => {
    const calls = Array.from({ length: 20 }, () => ['flood', '{}'] as const);
    const { requests } = await answer([{ calls }, { content: 'Enough.' }]);
    const [, asked, ...results] = requests[1]?.messages as [ChatMessage, ChatMessage, ...ChatMessage[]];
    expect([asked.tool_calls, results]).toEqual([expect.any(Array), expect.any(Array)]);
    expect([(asked.tool_calls as unknown[]).length, results.length]).toEqual([8, 8]);
    const tokens = results.map(({ content }) => countTokens(content as string));
    expect(tokens.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(RESULT_TOKENS_MAX);
    expect(Math.min(...tokens)).toBeGreaterThan(100);
  });

  it.each([
    ['a tool that is not there', [['shell', '{}']], 'no such tool'],
    ['a tool by the name of every object', [['__proto__', '{}']], 'no such tool'],
    ['arguments that are no JSON', [['calculator', '{"expr']], 'not JSON'],
    ['arguments of another kind', [['calculator', '{"expression":[1]}']], 'must be string'],
  ] as const)('tells the model about %s, and goes on', async (_, calls, message) => {
    const { steps, requests } = await answer([{ calls }, { content: 'Sorry.' }]);
    expect(requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining(message),
    });
    expect(steps).toMatchObject([{ toolCalls: [{ isError: true }] }, { toolCalls: [] }]);
  });

  it.each([
    ['null', null],
    ['a text', 'calculator'],
    ['lists of nothing', [null, 1, [], {}, { id: 'x' }, { id: 1, function: { name: 'calculator' } }]],
    ['a function without a name', [{ id: 'x', function: { arguments: '{}' } }]],
  ])('takes %s in place of tool calls for an answer', async (_, toolCalls) => {
    const { steps, requests } = await answer([{ content: 'Two.', toolCalls }]);
    expect(requests).toHaveLength(1);
    expect(steps).toMatchObject([{ message: { content: 'Two.' }, toolCalls: [] }]);
  });

  it('sends back what the provider sent with a call, and arguments that are an object', async () => {
    const sent = { id: 'x', function: { name: 'calculator', arguments: { expression: '2^3' } }, seal: 's' };
    const { requests } = await answer([{ toolCalls: [sent] }, { content: 'Eight.' }]);
    expect(requests[1]?.messages.slice(1)).toMatchObject([{ tool_calls: [sent] }, { content: '8' }]);
  });
});
