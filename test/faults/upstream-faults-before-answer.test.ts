import { callOutcome, OUTPUT_TOKENS_MAX, priceNanoUsd } from '../support/ledger/call-outcome';
import {
  FaultyUpstreams,
  SHORT_TIMEOUTS,
  SECOND_ANSWER,
  sharedModel,
  UPSTREAM_KEY,
} from '../support/upstream/faulty-upstreams';
import { StreamedCall } from '../support/upstream/streamed-call';
import { UnacceptingPort } from '../support/processes/unaccepting-port';
import { errorReaction, jsonReaction, streamReaction, usageOf } from '../support/upstream/upstream-answers';
import type { RawUpstream } from '../support/upstream/raw-upstream';
import type { Reaction } from '../support/upstream/upstream-reaction';

const QUESTION = 'How long is the notice period?';
const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT';

interface Fault {
  readonly name: string;
  readonly reaction?: Reaction;
  /** Done to the upstream before the call, where no reaction can show the fault. */
  readonly prepare?: (upstream: RawUpstream) => Promise<void> | void;
  readonly status: number;
  /** How many requests the failing upstream reads. */
  readonly requests: number;
  readonly fallsBack: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly only?: 'streamed' | 'unstreamed';
  /** It takes longer than a second, after which the headers of a stream leave: the status is told in an event. */
  readonly isAwaited?: boolean;
}

const JSON_HEADERS = { 'content-type': 'application/json' };
const GARBAGE = { requests: 1, status: 502, fallsBack: false };
const FAULTS: readonly Fault[] = [
  { name: 'refuse', prepare: (upstream) => upstream.stop(), status: 502, requests: 0, fallsBack: true },
  { name: 'reset-on-connect', prepare: reset, status: 502, requests: 0, fallsBack: true },
  { name: 'reset', reaction: { instead: 'reset' }, status: 502, requests: 2, fallsBack: true },
  { name: 'closed', reaction: { instead: 'end' }, status: 502, requests: 2, fallsBack: true },
  {
    name: 'no-http',
    reaction: { instead: { bytes: 'hello\r\n' } },
    status: 502,
    requests: 2,
    fallsBack: true,
  },
  {
    name: 'reset-after-headers',
    reaction: { delayBeforeFirstByteMs: 20, end: 'reset' },
    status: 502,
    requests: 2,
    fallsBack: true,
  },
  {
    name: 'cut-after-headers',
    reaction: { delayBeforeFirstByteMs: 20, end: 'cut' },
    status: 502,
    requests: 2,
    fallsBack: true,
  },
  { name: 'status-500', reaction: echo(500), status: 502, requests: 2, fallsBack: true },
  { name: 'status-503', reaction: echo(503), status: 502, requests: 2, fallsBack: true },
  { name: 'status-401', reaction: echo(401), status: 502, requests: 1, fallsBack: true },
  { name: 'status-403', reaction: echo(403), status: 502, requests: 1, fallsBack: true },
  { name: 'status-429', reaction: echo(429), status: 503, requests: 1, fallsBack: true },
  {
    name: 'status-429-seconds',
    reaction: errorReaction(429, 'slow down', { headers: { ...JSON_HEADERS, 'retry-after': '7' } }),
    status: 503,
    requests: 1,
    fallsBack: true,
    headers: { 'retry-after': '7' },
  },
  {
    name: 'status-429-date',
    reaction: errorReaction(429, 'slow down', { headers: { ...JSON_HEADERS, 'retry-after': DATE } }),
    status: 503,
    requests: 1,
    fallsBack: true,
    headers: { 'retry-after': DATE },
  },
  { name: 'connect-time-out', status: 504, requests: 0, fallsBack: true },
  { name: 'silence', reaction: { instead: 'silence' }, status: 504, requests: 1, fallsBack: true },
  {
    name: 'headers-alone',
    reaction: { delayBeforeFirstByteMs: 5_000 },
    status: 504,
    requests: 1,
    fallsBack: true,
  },
  {
    name: 'total-time-out',
    reaction: { chunks: [' '], end: 'endless', delayBetweenChunksMs: 20 },
    status: 504,
    requests: 1,
    fallsBack: false,
    only: 'unstreamed',
  },
  {
    name: 'comments-alone',
    reaction: { chunks: [': wait\n\n'], end: 'endless', delayBetweenChunksMs: 20 },
    status: 504,
    isAwaited: true,
    requests: 1,
    fallsBack: false,
    only: 'streamed',
  },
  { name: 'broken-json', reaction: jsonReaction('{"choices":[{"index":0'), ...GARBAGE, only: 'unstreamed' },
  { name: 'json-of-another-kind', reaction: jsonReaction('[1,2]'), ...GARBAGE, only: 'unstreamed' },
  {
    name: 'half-an-answer',
    reaction: { ...jsonReaction('{"choices":[{"index":0'), delayBeforeFirstByteMs: 0, end: 'cut' },
    ...GARBAGE,
    only: 'unstreamed',
  },
  {
    name: 'html',
    reaction: { headers: { 'content-type': 'text/html' }, chunks: ['<p>Hello</p>'] },
    ...GARBAGE,
  },
  {
    name: 'garbage-event',
    reaction: streamReaction(['data: {"choices":[{\n\n']),
    ...GARBAGE,
    only: 'streamed',
  },
];

/** How a client may ask; all of them end alike before the first byte of an answer. */
const WAYS = [
  { way: 'an unstreamed chat', path: 'chat/completions', isStreamed: false },
  { way: 'a streamed chat', path: 'chat/completions', isStreamed: true },
  { way: 'a streamed completion', path: 'completions', isStreamed: true },
] as const;

describe.each(WAYS)('an upstream that fails before it answers $way', ({ path, isStreamed }) => {
  const faults = FAULTS.filter(({ only }) => only !== (isStreamed ? 'unstreamed' : 'streamed'));
  const contentType = { 'content-type': isStreamed ? 'text/event-stream' : 'application/json' };
  const log: string[] = [];
  let upstreams: FaultyUpstreams;
  let port: UnacceptingPort;

  beforeAll(async () => {
    for (const stream of [process.stdout, process.stderr]) {
      jest.spyOn(stream, 'write').mockImplementation((text) => log.push(String(text)) > 0);
    }
    port = await UnacceptingPort.open();
    const hasty = faults.filter(({ status }) => status === 504).map(({ name }) => [name, SHORT_TIMEOUTS]);
    upstreams = await FaultyUpstreams.start(
      faults.map(({ name }) => name),
      {
        ...(Object.fromEntries(hasty) as Record<string, object>),
        'connect-time-out': { ...SHORT_TIMEOUTS, connect_timeout_ms: 250, base_url: port.baseUrl },
      },
      { LOG_LEVEL: 'debug' },
    );
    for (const { name, prepare, reaction } of faults) {
      const upstream = upstreams.of(name);
      await prepare?.(upstream);
      if (reaction) {
        upstream.script = () => ({ ...reaction, headers: { ...contentType, ...reaction.headers } });
      }
    }
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await upstreams.stop();
    await port.close();
  });

  const ask = async (model: string, fields: object = {}) => {
    const account = await upstreams.account();
    const requestId = `${model}-${path.replace('/', '-')}-${Object.keys(fields).length}`;
    const input =
      path === 'completions' ? { prompt: QUESTION } : { messages: [{ role: 'user', content: QUESTION }] };
    const body = { model, ...input, max_tokens: OUTPUT_TOKENS_MAX, stream: isStreamed, ...fields };
    const call = new StreamedCall({
      url: `${upstreams.service.url}/v1/${path}`,
      key: account.key,
      requestId,
      body,
    });
    await call.ends();
    expect(call.end).toBe('complete');
    const outcome = await callOutcome(upstreams.service.service, account, requestId);
    const seen = [call.text, JSON.stringify(call.headers), JSON.stringify(outcome.outcome), ...log].join(
      '\n',
    );
    expect(seen).not.toContain(UPSTREAM_KEY);
    return { call, outcome };
  };

  describe.each(faults)(
    'by $name',
    ({ name, status, requests, fallsBack, headers = {}, isAwaited = false }) => {
      it(`answers ${status} without charge, after ${requests} requests`, async () => {
        const before = upstreams.of(name).calls.length;
        const { call, outcome } = await ask(name);
        expect(outcome).toMatchObject({ outcome: 'released', status, chargedNanoUsd: 0n });
        expect(upstreams.of(name).calls.length - before).toBe(requests);
        if (isAwaited) {
          expect(call).toMatchObject({ status: 200, isDone: false, error: { code: status } });
          return;
        }
        expect(call.headers['content-type']).toContain('application/json');
        expect(call).toMatchObject({ status, headers });
        const titles: Record<number, string> = {
          502: 'Upstream error',
          503: 'Upstream unavailable',
          504: 'Gateway Timeout',
        };
        expect(JSON.parse(call.text)).toMatchObject({
          error: titles[status],
          request_id: expect.any(String),
        });
      });

      it(fallsBack ? 'has the next upstream answer' : 'asks nobody else', async () => {
        const before = upstreams.second.calls.length;
        const { call, outcome } = await ask(sharedModel(name));
        expect(upstreams.second.calls.length - before).toBe(fallsBack ? 1 : 0);
        if (fallsBack) {
          const { prompt_tokens, completion_tokens } = usageOf([SECOND_ANSWER]);
          expect(call.status).toBe(200);
          expect(isStreamed ? call.delivered : call.text).toContain(SECOND_ANSWER);
          expect(call.isDone).toBe(isStreamed);
          expect(outcome).toMatchObject({
            outcome: 'settled',
            status: 200,
            inputTokens: prompt_tokens,
            outputTokens: completion_tokens,
            chargedNanoUsd: priceNanoUsd(usageOf([SECOND_ANSWER]).total_tokens ?? NaN),
          });
        } else {
          expect(call.status).toBe(isAwaited ? 200 : status);
          expect(outcome).toMatchObject({ outcome: 'released', chargedNanoUsd: 0n });
        }
      });
    },
  );

  it('tells the operator what the upstream said, but for its key', () => {
    expect(log.join('')).toMatch(/status-401 answered with status 401: .*\[redacted\]/);
    expect(log.join('')).not.toContain(UPSTREAM_KEY);
  });
});

function reset(upstream: RawUpstream): void {
  upstream.welcome = 'reset';
}

/** An error that repeats the credential it was shown, as some servers do. */
function echo(status: number): Reaction {
  return errorReaction(status, `Incorrect API key provided: ${UPSTREAM_KEY}`);
}
