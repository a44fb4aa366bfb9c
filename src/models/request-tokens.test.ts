import fc from 'fast-check';
import { TextThreads } from '../text/text-threads';
import { TokenCounter } from '../text/token-counter';
import { EmbeddedProvider } from './embedded-provider';
import { estimateRequestTokens } from './request-tokens';

describe('estimateRequestTokens', () => {
  const threads = new TextThreads({ deadlineMs: 50_000 });
  const counter = new TokenCounter(threads);
  const provider = new EmbeddedProvider({ now: () => new Date(0) }, threads, 64);
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.lorem({ mode: 'sentences' }));

  afterAll(() => threads.close());

  it('covers what a chat is billed for', async () => {
    const part = fc.record({ type: fc.constant('text'), text });
    const message = fc.record(
      {
        role: fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool'),
        content: fc.oneof(text, fc.array(part, { maxLength: 4 }), fc.constant(null)),
        name: fc.oneof(text, fc.constant(null)),
      },
      { requiredKeys: ['role'] },
    );
    const request = fc.record({ model: text, messages: fc.array(message, { minLength: 1, maxLength: 8 }) });
    await fc.assert(
      fc.asyncProperty(request, async (body) => {
        const { response } = await provider.chat(body, {});
        expect(await estimateRequestTokens(body, counter)).toBeGreaterThanOrEqual(
          response.usage.prompt_tokens,
        );
      }),
    );
  });

  it('covers what completions and embeddings are billed for', async () => {
    const input = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.array(fc.string({ minLength: 1 }), { minLength: 1 }),
    );
    await fc.assert(
      fc.asyncProperty(text, input, async (prompt, texts) => {
        const completion = await provider.complete({ model: '', prompt }, {});
        const embedding = await provider.embed({ model: '', input: texts }, {});
        expect(await estimateRequestTokens({ prompt }, counter)).toBeGreaterThanOrEqual(
          completion.response.usage.prompt_tokens,
        );
        expect(await estimateRequestTokens({ input: texts }, counter)).toBeGreaterThanOrEqual(
          embedding.response.usage.prompt_tokens,
        );
      }),
    );
  });

  it('counts tools with their keys, and prompts that are given as tokens', async () => {
    const tools = [
      { type: 'function', function: { name: 'find', parameters: { properties: { city: {} } } } },
    ];
    const bare = await estimateRequestTokens({ messages: [] }, counter);
    expect(await estimateRequestTokens({ messages: [], tools }, counter)).toBe(
      bare + (await counter.count(JSON.stringify(tools))),
    );
    expect(await estimateRequestTokens({ input: [[1, 2, 3], [4]] }, counter)).toBe(bare + 4);
  });

  it.each(['tools', 'functions', 'response_format', 'text', 'documents', 'prediction', 'tool_choice'])(
    'covers %s as the JSON that a model reads, numbers and signs included',
    async (field) => {
      const json = {
        parameters: { enum: [1_234_567_890_123, 9.87654321e-7], min: 123_456_789, x: [[[true]]] },
      };
      expect(await estimateRequestTokens({ messages: [], [field]: [json] }, counter)).toBeGreaterThanOrEqual(
        await counter.count(JSON.stringify([json])),
      );
    },
  );

  it.each([
    ['members that nobody knows', 'documents', { title: 'x', pages: [9.87654321e-7, 123_456_789] }],
    ['the name of a member', 'a_long_name_that_a_template_may_show_to_its_model', true],
    ['a number', 'seconds', 1_234_567_890_123],
    ['numbers in a list', 'output', [1_234_567_890_123, [9_876_543_210_987]]],
    ['the arguments of a call that are no text', 'arguments', { n: 1_234_567_890_123, all: [1, 2, 3] }],
  ])('covers %s in a message', async (_, name, value) => {
    const tokens = async (fields: object) =>
      estimateRequestTokens({ messages: [{ role: 'user', content: 'x', ...fields }] }, counter);
    const shown = name === 'output' ? JSON.stringify(value) : `${name}${JSON.stringify(value)}`;
    expect((await tokens({ [name]: value })) - (await tokens({}))).toBeGreaterThanOrEqual(
      await counter.count(shown),
    );
  });

  it('counts tools that are nested deeper than JSON can be written', async () => {
    const tools: unknown = JSON.parse(`${'['.repeat(150_000)}"nine"${']'.repeat(150_000)}`);
    const bare = await estimateRequestTokens({ messages: [] }, counter);
    expect(await estimateRequestTokens({ messages: [], tools }, counter)).toBeGreaterThan(bare);
  });

  it('is within a few tokens of the bill for an ordinary chat', async () => {
    // Of a question that is refused, nothing is billed.
    const content = 'The notice period is thirty days. How long is the notice period?';
    const body = { model: 'm', messages: [{ role: 'user', content }] };
    const { response } = await provider.chat(body, {});
    expect((await estimateRequestTokens(body, counter)) - response.usage.prompt_tokens).toBeLessThan(5);
  });

  it.each([
    ['deep nesting', `${'{"a":['.repeat(150_000)}"x"${']}'.repeat(150_000)}`],
    ['many small texts', `["${Array.from({ length: 250_000 }, () => 'a').join('","')}"]`],
    ['lone surrogates', `["${'\\ud800'.repeat(170_000)}"]`],
    ['null', 'null'],
    ['a bare text', '"text"'],
  ])('accepts %s', async (_, json) => {
    const body: unknown = JSON.parse(json);
    await expect(estimateRequestTokens({ messages: body }, counter)).resolves.toBeGreaterThan(0);
    await expect(estimateRequestTokens(body, counter)).resolves.toBeGreaterThan(0);
  });
});
