import { countTokens } from '../../src/text/count-tokens';
import {
  callOutcome,
  OUTPUT_TOKENS_MAX,
  priceNanoUsd,
  type CallOutcome,
} from '../support/ledger/call-outcome';
import { FaultyUpstreams } from '../support/upstream/faulty-upstreams';
import { StreamedCall } from '../support/upstream/streamed-call';
import { chatAnswer, chatEvents, jsonReaction, streamReaction } from '../support/upstream/upstream-answers';

const ANSWER = 'The notice period is three months, unless both sides agree.';
const COUNTED = countTokens(ANSWER);

type Tokens = (counted: CallOutcome) => readonly [input: number, output: number];

const counted: Tokens = ({ countedInputTokens }) => [countedInputTokens, COUNTED];
const all: Tokens = ({ countedInputTokens }) => [countedInputTokens, OUTPUT_TOKENS_MAX];
const nothing: Tokens = () => [0, 0];

/** What an upstream says of its use, and the tokens that are charged for it. */
const USAGES: readonly [string, unknown, Tokens][] = [
  ['ordinary', usage(9, 12), () => [9, 12]],
  ['missing', undefined, counted],
  ['null', null, counted],
  ['an empty object', {}, counted],
  ['no object', 'many', counted],
  ['texts', usage('NaN', '12'), counted],
  ['nulls', usage(null, null), counted],
  ['output without input', usage(undefined, 3), ({ countedInputTokens }) => [countedInputTokens, 3]],
  ['input without output', usage(3, undefined), () => [3, COUNTED]],
  ['input and a total', { ...usage(3, undefined), total_tokens: 40 }, () => [3, 37]],
  ['output and a total', { ...usage(undefined, 9), total_tokens: 40 }, () => [31, 9]],
  [
    'a total alone',
    { total_tokens: 1341 },
    ({ countedInputTokens }) => [countedInputTokens, 1341 - countedInputTokens],
  ],
  ['zero', usage(0, 0), nothing],
  ['negative', usage(-5, -1e15), counted],
  ['negative input', usage(-5, 3), ({ countedInputTokens }) => [countedInputTokens, 3]],
  ['negative output', usage(5, -3), () => [5, COUNTED]],
  [
    'reasoning beside the output',
    { ...usage(10, 9), total_tokens: 1341, ...reasoning(1322) },
    () => [10, 1331],
  ],
  ['reasoning that only the total tells', { ...usage(10, 9), total_tokens: 1341 }, () => [10, 1331]],
  ['reasoning beside the output, and no total', { ...usage(10, 9), ...reasoning(1322) }, () => [10, 1331]],
  ['reasoning within', { ...usage(10, 1331), total_tokens: 1341, ...reasoning(1322) }, () => [10, 1331]],
  ['a negative total and reasoning', { ...usage(10, 9), total_tokens: -1, ...reasoning(-7) }, () => [10, 9]],
  [
    'an absurd total and reasoning',
    { ...usage(10, 9), total_tokens: 1e15, ...reasoning(1e15) },
    () => [10, 9],
  ],
  ['a total below its parts', { ...usage(10, 9), total_tokens: 9 }, () => [10, 9]],
  ['absurd', usage(1e15, 1e15), all],
  ['beyond all numbers', usage(1e308 * 10, 1e308 * 10), counted],
  ['above the reserved output', usage(5, OUTPUT_TOKENS_MAX + 1), () => [5, OUTPUT_TOKENS_MAX + 1]],
  // An upstream may count an input higher than we did, such as one with files.
  ['input above what was counted', usage(180_000, 3), () => [180_000, 3]],
  ['more than any model reads', usage(2_000_001, 3), ({ countedInputTokens }) => [countedInputTokens, 3]],
  ['fractional', usage(8.2, 2.5), () => [9, 3]],
];

describe('usage that an upstream tells', () => {
  let upstreams: FaultyUpstreams;
  beforeAll(async () => {
    upstreams = await FaultyUpstreams.start(['odd']);
  });
  afterAll(async () => upstreams.stop());

  const ask = async (fields: { stream: boolean; usage: unknown; include: boolean }) => {
    const { stream, usage: told, include } = fields;
    upstreams.of('odd').script = ({ body }) => {
      const options = { texts: [ANSWER], usage: told };
      return stream
        ? streamReaction(chatEvents(String(body?.model), options))
        : jsonReaction(chatAnswer(String(body?.model), options));
    };
    const account = await upstreams.account();
    const messages = [{ role: 'user', content: 'How long is it?' }];
    const options = include ? { stream_options: { include_usage: true } } : {};
    const body = { model: 'odd', messages, max_tokens: OUTPUT_TOKENS_MAX, stream, ...options };
    const url = `${upstreams.service.url}/v1/chat/completions`;
    const requestId = `usage-of-${account.id}`;
    const call = new StreamedCall({ url, key: account.key, requestId, body });
    await call.ends();
    expect(call).toMatchObject({ status: 200, end: 'complete' });
    return { call, outcome: await callOutcome(upstreams.service.service, account, requestId) };
  };

  describe.each([
    ['at the end of a stream', { stream: true, include: false }],
    ['at the end of a stream whose client asked for it', { stream: true, include: true }],
    ['in an answer', { stream: false, include: false }],
  ])('%s', (_, way) => {
    it.each(USAGES)('%s: is charged as far as it is believable', async (_name, told, tokens) => {
      const { call, outcome } = await ask({ ...way, usage: told });
      const [inputTokens, outputTokens] = tokens(outcome);
      const chargedNanoUsd = priceNanoUsd(inputTokens + outputTokens);
      expect(outcome).toMatchObject({
        outcome: 'settled',
        status: 200,
        inputTokens,
        outputTokens,
        chargedNanoUsd,
      });
      const cost = Number(chargedNanoUsd) / 1e9;
      if (way.stream) {
        expect(call).toMatchObject({ isDone: true, delivered: ANSWER });
        expect(call.text).toContain(`: cost=${cost} tokens=${inputTokens + outputTokens} balance=`);
      } else {
        expect(call.text).toContain(ANSWER);
        expect(call.headers).toMatchObject({ 'x-request-cost': String(cost) });
      }
      expect(call.text.includes(`"cost":${cost}`)).toBe(way.include);
    });
  });
});

function usage(prompt_tokens: unknown, completion_tokens: unknown): Record<string, unknown> {
  return { prompt_tokens, completion_tokens };
}

function reasoning(reasoning_tokens: number): Record<string, unknown> {
  return { completion_tokens_details: { reasoning_tokens } };
}
