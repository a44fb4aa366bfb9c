import { AnswerLacksForm } from '../../src/models/errors';
import { modelQuestion, schema } from '../../src/models/generation/output-schema';
import { PromptFile } from '../../src/models/generation/prompt';
import { StructuredAnswers } from '../../src/models/generation/structured-answers';
import { ANY_MODEL, Models } from '../../src/models/models';
import { RawUpstream } from '../support/upstream/raw-upstream';
import { TURNS_IN_100_MS, turnsDuring } from '../support/event-loop-turns';
import { TestService } from '../support/api/service';
import { ServiceWithUpstreams } from '../support/upstream/service-with-upstreams';
import { until } from '../support/until';
import { chatAnswer, errorReaction, jsonReaction } from '../support/upstream/upstream-answers';
import type { Reaction } from '../support/upstream/upstream-reaction';

const TOTAL_TIMEOUT_MS = 1_500;
const TOTAL_TIMEOUT_TURNS = 15 * TURNS_IN_100_MS;
const QUESTION = modelQuestion({
  prompt: new PromptFile('keywords').fill({
    choices: { count: 1 },
    material: { text: 'three ships and a boat' },
  }),
  name: 'count',
  schema: schema.object({ ships: schema.integer() }),
  read: ({ ships }) => ({ ships }),
});
const ROOM = { answerTokensMax: 100, outputTokensMax: 100, isOutputOpen: false };
const GOOD = chatAnswer('recorded', { texts: ['{"ships": 3}'] });

describe('structured answers of a misbehaving upstream', () => {
  let upstream: RawUpstream;
  let running: ServiceWithUpstreams;
  beforeAll(async () => {
    upstream = await RawUpstream.start(() => ({}));
    running = await ServiceWithUpstreams.start([
      {
        name: 'main',
        base_url: upstream.baseUrl,
        models: [{ id: 'recorded' }],
        total_timeout_ms: TOTAL_TIMEOUT_MS,
      },
    ]);
  });
  afterAll(async () => {
    await running.stop();
    await upstream.stop();
  });

  /** The reactions in their order; how often it was asked tells whether there was a repair. */
  const asking = async (reactions: Reaction[], room: Partial<typeof ROOM> = {}) => {
    const before = upstream.calls.length;
    upstream.script = () => reactions[upstream.calls.length - before - 1] ?? {};
    const route = await running.service.app.get(Models).route('chat', ANY_MODEL);
    const answer = running.service.app.get(StructuredAnswers).ask(QUESTION, { ...ROOM, route, ...room });
    const outcome = await answer.catch((error: unknown) => error);
    return { outcome, asked: upstream.calls.slice(before) };
  };

  it('fails with 502 and no repair when the upstream fails', async () => {
    const failing = errorReaction(500, 'out of memory');
    const { outcome, asked } = await asking([failing, failing, failing, failing]);
    expect(outcome).toMatchObject({ status: 502, error: 'Upstream error' });
    expect(outcome).not.toBeInstanceOf(AnswerLacksForm);
    expect(asked.every(({ body }) => (body?.messages as unknown[]).length === 2)).toBe(true);
  });

  it('gives up on an answer that never ends, and leaves the upstream', async () => {
    const chunks = ['{"choices": [{"message": {"content": "', 'la '];
    const told = asking([{ chunks, end: 'endless' }]);
    const turns = await turnsDuring(() => told);
    expect(turns).toBeLessThan(2 * TOTAL_TIMEOUT_TURNS);
    const { outcome, asked } = await told;
    expect([502, 504]).toContain((outcome as { status: number }).status);
    expect(asked).toHaveLength(1);
    await until('it is left', () => asked[0]?.leftByClientAt !== null);
  });

  it('fails with 502 after one repair, never asking for more output than there was left', async () => {
    const prose = jsonReaction(chatAnswer('recorded', { texts: ['There are three ships.'] }));
    const { outcome, asked } = await asking([prose, prose]);
    expect(outcome).toBeInstanceOf(AnswerLacksForm);
    expect(asked).toHaveLength(2);
    const caps = asked.map(({ body }) => Number(body?.max_completion_tokens ?? body?.max_tokens));
    expect(caps[0]).toBe(100);
    expect(caps[1]).toBeLessThan(100);
  });

  it('counts the tokens of an answer without usage', async () => {
    const bare = { ...GOOD, usage: undefined };
    const { outcome, asked } = await asking([jsonReaction(bare)]);
    expect(outcome).toMatchObject({ value: { ships: 3 }, model: 'recorded' });
    const { inputTokens, outputTokens } = (outcome as { usage: Record<string, number> }).usage;
    expect(inputTokens).toBeGreaterThan(10);
    expect(outputTokens).toBeGreaterThan(3);
    // By the schema itself or in the prompt: an earlier answer did not keep to it.
    expect(asked[0]?.text).toContain('ships');
    expect(asked[0]?.body).toHaveProperty('response_format');
  });

  it('asks for what was cut off with twice the room, and sums what both calls used', async () => {
    const cut = chatAnswer('recorded', { texts: ['{"ships":'], finishReason: 'length' });
    const room = { outputTokensMax: 300 };
    const { outcome, asked } = await asking([jsonReaction(cut), jsonReaction(GOOD)], room);
    const used = { inputTokens: 18, outputTokens: 3 };
    expect(outcome).toMatchObject({ value: { ships: 3 }, usage: used, engine: { provider: 'main' } });
    expect(asked.map(({ body }) => Number(body?.max_completion_tokens ?? body?.max_tokens))).toEqual([
      100, 200,
    ]);
  });
});

describe('structured answers without an upstream', () => {
  it('fail with 503: the embedded engine cannot fill in a form', async () => {
    const service = await TestService.start();
    const route = await service.app.get(Models).route('chat', ANY_MODEL);
    const answer = service.app.get(StructuredAnswers).ask(QUESTION, { ...ROOM, route });
    await expect(answer).rejects.toMatchObject({ status: 503, error: 'Model upstream not configured' });
    await service.stop();
  });
});
