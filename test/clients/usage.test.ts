import {
  chatAnswer,
  chatEvents,
  errorReaction,
  jsonReaction,
  streamReaction,
} from '../support/upstream/upstream-answers';
import { Askers, CLIENTS } from './askers';

const TEXT = 'The cape.';
const PLAIN = { prompt_tokens: 10, completion_tokens: 12, total_tokens: 22 };
/** What upstreams tell of their use, by the model: OpenAI, xAI, DeepSeek, and one that tells nothing. */
const USAGES: Readonly<Record<string, object | undefined>> = {
  within: { ...PLAIN, completion_tokens_details: { reasoning_tokens: 5 } },
  beside: {
    ...{ prompt_tokens: 10, completion_tokens: 9, total_tokens: 1341 },
    completion_tokens_details: { reasoning_tokens: 1322 },
  },
  cached: { ...PLAIN, prompt_tokens: 1000, total_tokens: 1012, prompt_cache_hit_tokens: 900 },
  silent: undefined,
};
const CHARGED: Readonly<Record<string, readonly [input: number, output: number]>> = {
  within: [10, 12],
  beside: [10, 1331],
  cached: [1000, 12],
};
const PRICES = { input_price_per_token_usd: '0.00001', output_price_per_token_usd: '0.00001' };

let askers: Askers;
beforeAll(async () => {
  askers = await Askers.start(
    ({ path, body }) => {
      if (path.endsWith('/responses')) {
        return errorReaction(404, 'Not Found');
      }
      const model = String(body?.model);
      const told = { texts: [TEXT], usage: USAGES[model] };
      return body?.stream ? streamReaction(chatEvents(model, told)) : jsonReaction(chatAnswer(model, told));
    },
    [
      ...['within', 'beside', 'silent'].map((id) => ({ id })),
      { id: 'cached', ...PRICES, cached_input_price_per_token_usd: '0.000001' },
    ],
  );
});
afterAll(() => askers.stop());

const KINDS = ['chat', 'stream', 'responses', 'responses-stream'];

describe.each(CLIENTS)('use, as the package %s reads it', (client) => {
  it.each(KINDS.flatMap((what) => Object.keys(USAGES).map((model) => [what, model] as const)))(
    'is what was charged: %s, %s',
    async (what, model) => {
      const before = await askers.balanceNanoUsd();
      const { value } = await askers.ask({ client, what, model });
      const { inputTokens, outputTokens, chargedNanoUsd } = await askers.running.lastReceipt(askers.account);
      const { tokens = [0, 0, 0], cached = 0, text } = value ?? {};
      const [input, output] = CHARGED[model] ?? [inputTokens, outputTokens];
      expect([text, inputTokens, outputTokens]).toEqual([TEXT, input, output]);
      const cachedTokens = model === 'cached' ? 900 : 0;
      const cost =
        2_000_000n + 10_000n * BigInt(input - cachedTokens + output) + 1_000n * BigInt(cachedTokens);
      expect([chargedNanoUsd, before - (await askers.balanceNanoUsd())]).toEqual([cost, cost]);
      // Chats pass through with the upstream's own numbers; the total tells all that was charged, where a client shows it.
      const isPassedOn = model === 'beside' && !what.startsWith('responses');
      expect(isPassedOn ? tokens[0] : tokens).toEqual(isPassedOn ? input : [input, output, input + output]);
      expect([0, cachedTokens]).toContain(cached);
      expect(what.startsWith('responses') ? cached : cachedTokens).toBe(cachedTokens);
    },
  );
});
