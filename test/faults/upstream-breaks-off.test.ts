import { countTokens } from '../../src/text/count-tokens';
import { callOutcome, OUTPUT_TOKENS_MAX, priceNanoUsd } from '../support/ledger/call-outcome';
import {
  completionEvents,
  FaultyUpstreams,
  sharedModel,
  UPSTREAM_KEY,
} from '../support/upstream/faulty-upstreams';
import { LockStep } from '../support/ledger/lock-step';
import { StreamedCall } from '../support/upstream/streamed-call';
import { chatEvents, dataEvent, streamReaction, usageOf } from '../support/upstream/upstream-answers';
import type { Reaction } from '../support/upstream/upstream-reaction';

const ANSWER = 'The notice period is three months, unless both sides agree on another.';
const QUESTION = 'How long is the notice period?';
const WORDS = ANSWER.match(/\s*\S+/g) ?? [];
const FAILED = { message: 'no credit left', type: 'server_error', code: 'no_credit' };
const TELLING = { ...FAILED, message: `the key ${UPSTREAM_KEY} has no credit left` };

interface Break {
  readonly name: string;
  /** What comes after the words that are delivered. */
  readonly then?: readonly string[];
  readonly end?: Reaction['end'];
  readonly code: unknown;
}

const BREAKS: readonly Break[] = [
  { name: 'reset', end: 'reset', code: 502 },
  { name: 'cut', end: 'cut', code: 502 },
  { name: 'end-without-done', end: 'complete', code: 502 },
  { name: 'broken-json', then: ['data: {"choices":[{"index":0,"delta"\n\n'], end: 'silence', code: 502 },
  { name: 'no-object', then: [dataEvent('17')], end: 'silence', code: 502 },
  { name: 'half-an-event', then: ['data: {"choices":[{"index"'], end: 'cut', code: 502 },
  { name: 'error-event', then: [dataEvent({ error: FAILED })], end: 'silence', code: 'no_credit' },
  { name: 'error-with-key', then: [dataEvent({ error: TELLING })], end: 'silence', code: 502 },
  { name: 'total-time-out', end: 'silence', code: 504 },
];

const WAYS = [
  {
    way: 'chat',
    path: 'chat/completions',
    events: (model: string) => chatEvents(model, { texts: [ANSWER] }),
  },
  { way: 'completion', path: 'completions', events: (model: string) => completionEvents(model, ANSWER) },
] as const;

describe.each(WAYS)('a streamed $way whose upstream breaks off', ({ path, events }) => {
  let upstreams: FaultyUpstreams;
  const log: string[] = [];
  const nameOf = (name: string, words: number) => `${name}-${words}`;
  const words = [0, 1, 5];

  beforeAll(async () => {
    for (const stream of [process.stdout, process.stderr]) {
      jest.spyOn(stream, 'write').mockImplementation((text) => log.push(String(text)) > 0);
    }
    const names = ['finished', ...BREAKS.flatMap(({ name }) => words.map((count) => nameOf(name, count)))];
    const entries = words.map((count) => [nameOf('total-time-out', count), { total_timeout_ms: 1_500 }]);
    upstreams = await FaultyUpstreams.start(names, Object.fromEntries(entries) as Record<string, object>, {
      LOG_LEVEL: 'debug',
    });
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await upstreams.stop();
  });

  describe.each(BREAKS)('by $name', ({ name, then = [], end, code }) => {
    it.each(words)(
      'names the error, and charges the input and the %d words delivered, if any',
      async (count) => {
        const [model, lockStep] = [sharedModel(nameOf(name, count)), new LockStep()];
        const upstream = upstreams.of(nameOf(name, count));
        const chunks = [...events(model).slice(0, 1 + count), ...then];
        upstream.script = () => streamReaction(chunks, { lockStep, end });
        const account = await upstreams.account();
        const requestId = `${model}-${path.length}`;
        const body = { ...inputOf(path), model, max_tokens: OUTPUT_TOKENS_MAX, stream: true };
        const url = `${upstreams.service.url}/v1/${path}`;
        const call = new StreamedCall({ url, key: account.key, requestId, body });
        // Without a word the first event alone, which has none, opens the stream.
        for (let event = 1; event <= 1 + count; event += 1) {
          lockStep.release();
          await call.receives(event);
        }
        lockStep.releaseAll();
        await call.ends();

        const delivered = WORDS.slice(0, count).join('');
        expect(call).toMatchObject({ status: 200, end: 'complete', isDone: false, delivered });
        expect(call.error).toMatchObject({ code });
        const outcome = await callOutcome(upstreams.service.service, account, requestId);
        const outputTokens = countTokens(delivered);
        const inputTokens = outcome.countedInputTokens;
        expect(inputTokens).toBeGreaterThanOrEqual(countTokens(QUESTION));
        expect(inputTokens).toBeLessThan(countTokens(QUESTION) + 30);
        if (count === 0) {
          expect(outcome).toMatchObject({ outcome: 'released', chargedNanoUsd: 0n });
          expect(call.text).not.toContain('tokens=');
        } else {
          expect(outcome).toMatchObject({
            outcome: 'settled',
            status: 200,
            inputTokens,
            outputTokens,
            chargedNanoUsd: priceNanoUsd(inputTokens + outputTokens),
          });
          expect(call.text).toContain(`tokens=${inputTokens + outputTokens} `);
        }
        expect(upstream.calls).toHaveLength(1);
        expect(upstreams.second.calls).toHaveLength(0);
        expect(call.text + log.join('\n')).not.toContain(UPSTREAM_KEY);
      },
    );
  });

  it('is complete, and ends with a [DONE] of ours, where every choice had finished without one', async () => {
    const name = 'finished';
    upstreams.of(name).script = ({ body }) => streamReaction(events(String(body?.model)).slice(0, -1));
    const account = await upstreams.account();
    const body = { ...inputOf(path), model: name, max_tokens: OUTPUT_TOKENS_MAX, stream: true };
    const requestId = `finished-${path.length}`;
    const url = `${upstreams.service.url}/v1/${path}`;
    const call = new StreamedCall({ url, key: account.key, requestId, body });
    await call.ends();
    expect(call).toMatchObject({
      status: 200,
      end: 'complete',
      isDone: true,
      error: null,
      delivered: ANSWER,
    });
    const { prompt_tokens, total_tokens } = usageOf([ANSWER]);
    const outcome = await callOutcome(upstreams.service.service, account, requestId);
    const chargedNanoUsd = priceNanoUsd(total_tokens ?? NaN);
    expect(outcome).toMatchObject({ outcome: 'settled', inputTokens: prompt_tokens, chargedNanoUsd });
  });
});

function inputOf(path: string): Record<string, unknown> {
  return path === 'completions' ? { prompt: QUESTION } : { messages: [{ role: 'user', content: QUESTION }] };
}
