import { randomBytes } from 'node:crypto';
import { Webhooks } from '../../src/modules/webhooks/webhooks.repository';
import { TestService } from '../support/api/service';
import { createAccount, type TestAccount } from '../support/api/world';
import { CompiledService } from '../support/processes/compiled-service';
import { EventReceiver } from '../support/receiver/event-receiver';
import { Collector, type CollectedSpan } from '../support/traces/collector';
import { until } from '../support/until';
import { RawUpstream } from '../support/upstream/raw-upstream';

const PROMPT = 'a prompt that nobody else may read';
const UPSTREAM_KEY = 'sk-a-key-that-nobody-may-see';
/** In a minute, of an address. */
const ANONYMOUS_CALLS_MAX = 20;
const ANSWER = {
  id: 'one',
  object: 'chat.completion',
  created: 1,
  model: 'large',
  choices: [{ index: 0, message: { role: 'assistant', content: 'an answer' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
};

describe('traces, with a collector', () => {
  let collector: Collector;
  let upstream: RawUpstream;
  let receiver: EventReceiver;
  let service: TestService;
  let account: TestAccount;
  let webhookSecret: string;
  let api: CompiledService;
  let worker: CompiledService;

  beforeAll(async () => {
    collector = await Collector.start();
    upstream = await RawUpstream.start(() => ({ chunks: [JSON.stringify(ANSWER)] }));
    receiver = await EventReceiver.start();
    service = await TestService.start({ ROLE: 'api', ALLOW_INSECURE_WEBHOOKS: 'true' });
    account = await createAccount(service, { creditUsd: '10', tier: 'enterprise' });
    webhookSecret = await webhookTo(receiver.url);
    const environment = {
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
      LOG_LEVEL: 'fatal',
      ALLOW_INSECURE_WEBHOOKS: 'true',
      UPSTREAMS: JSON.stringify([
        { name: 'main', base_url: upstream.baseUrl, api_key: UPSTREAM_KEY, models: [{ id: 'large' }] },
      ]),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=a-test',
    };
    [api, worker] = await Promise.all([
      CompiledService.start({ ...environment, ROLE: 'api' }),
      CompiledService.startWorker(environment),
    ]);
  });
  afterAll(async () => {
    await Promise.all([api.stop(), worker.stop()]);
    await service.stop();
    await Promise.all([upstream.stop(), receiver.stop()]);
  });

  async function webhookTo(url: string): Promise<string> {
    const webhook = await service.app.get(Webhooks).create({
      accountId: account.id,
      url,
      events: ['balance.updated'],
      secret: null,
      description: null,
    });
    return webhook.secret;
  }

  /** Submits a task that asks the upstream. Returns the id of the request. */
  async function submit(headers: Record<string, string> = {}): Promise<string> {
    const parameters = { model: 'large', messages: [{ role: 'user', content: PROMPT }], max_tokens: 10 };
    const body = { task_type: 'createChatCompletion', parameters };
    const answer = await api.post('/api/hub/tasks', body, { 'x-api-key': account.key, ...headers });
    expect(answer.status).toBe(201);
    return answer.headers.get('x-request-id') ?? '';
  }

  /** Of the whole way, once all has been told. */
  async function wholeTrace(requestId: string): Promise<CollectedSpan[]> {
    await until('the way is told', () => {
      const trace = collector.traceOf(requestId);
      const names = trace.map(({ name }) => name);
      const deliveries = names.filter((name) => name === 'webhook delivery');
      // Of the submission's own charge, and of the run's.
      return deliveries.length === 2 && names.includes('task') && names.includes('submitTask');
    });
    return collector.traceOf(requestId);
  }

  const only = (trace: CollectedSpan[], name: string): CollectedSpan => {
    const [found, ...others] = trace.filter((span) => span.name === name);
    expect([name, found !== undefined, others.length]).toEqual([name, true, 0]);
    return found as CollectedSpan;
  };

  /** What every way has, from the call to the delivery. */
  function expectWhole(trace: CollectedSpan[]): void {
    const call = only(trace, 'submitTask');
    expect(call.facts).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/hub/tasks',
      'http.response.status_code': 201,
      'app.operation_id': 'submitTask',
    });
    expect(call.resource).toMatchObject({
      'service.name': 'credit-metered-ai-api',
      'service.role': 'api',
      'deployment.environment': 'a-test',
    });
    const steps = trace.filter(({ parentSpanId }) => parentSpanId === call.spanId).map(({ name }) => name);
    expect(steps).toEqual(
      expect.arrayContaining([
        'rate_limit',
        'authentication',
        'validation',
        'reservation',
        'work',
        'settlement',
      ]),
    );
    const task = only(trace, 'task');
    expect([task.parentSpanId, task.kind, task.resource['service.role']]).toEqual([call.spanId, 5, 'worker']);
    const run = only(trace, 'createChatCompletion');
    expect(run.parentSpanId).toBe(task.spanId);
    const asked = only(trace, 'POST /chat/completions');
    expect([asked.parentSpanId, asked.kind]).toEqual([run.spanId, 3]);
    const deliveries = trace.filter(({ name }) => name === 'webhook delivery');
    expect(deliveries.map(({ parentSpanId }) => parentSpanId).sort()).toEqual(
      [call.spanId, run.spanId].sort(),
    );
    expect(deliveries.map(({ facts }) => facts['http.response.status_code'])).toEqual([204, 204]);
    expect(upstream.lastCall.headers.traceparent).toBe(`00-${asked.traceId}-${asked.spanId}-01`);
  }

  it('tell one story from a call over queue and worker to the upstream and the webhook', async () => {
    const requestId = await submit();
    const trace = await wholeTrace(requestId);
    expectWhole(trace);
    expect(only(trace, 'submitTask')).toMatchObject({
      traceId: requestId.replaceAll('-', ''),
      parentSpanId: null,
    });
  });

  it("go on with a caller's trace, and pass nothing else of the caller on", async () => {
    const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    const requestId = await submit({
      traceparent: `00-${traceId}-${spanId}-01`,
      tracestate: 'vendor=a-state',
      baggage: 'user=a-person',
    });
    const trace = await wholeTrace(requestId);
    expectWhole(trace);
    expect(only(trace, 'submitTask')).toMatchObject({ traceId, parentSpanId: spanId });
    expect(upstream.lastCall.headers).not.toHaveProperty('baggage');
    expect(upstream.lastCall.headers).not.toHaveProperty('tracestate');
    expect(collector.texts.join()).not.toMatch(/a-state|a-person/);
  });

  it('leave out what a caller does not sample, in every process', async () => {
    const traceId = randomBytes(16).toString('hex');
    const before = upstream.calls.length;
    const unsampled = await submit({ traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-00` });
    await until('the task has run', () => upstream.calls.length > before);
    await wholeTrace(await submit());
    const ids = collector.spans.map((span) => span.traceId);
    expect(ids.filter((id) => [traceId, unsampled.replaceAll('-', '')].includes(id))).toEqual([]);
  });

  it('store nothing for a call that is refused, or that nobody has an account for', async () => {
    const traceparent = () => `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
    const refused = async (path: string, body: object, headers = {}): Promise<[number, string]> => {
      const answer = await api.post(path, body, { traceparent: traceparent(), ...headers });
      return [answer.status, answer.headers.get('x-request-id') ?? ''];
    };
    const poor = await createAccount(service, { creditUsd: '0' });
    const memory = { key: 'k', value: 'v' };
    const answers = [
      await refused('/api/hub/memory', memory),
      await refused('/api/hub/memory', memory, { 'x-api-key': poor.key }),
      await refused('/api/hub/memory', {}, { 'x-api-key': account.key }),
      await refused('/api/auth/register', { email: 'ada@example.com', username: 'ada', password: PROMPT }),
    ];
    for (let call = 0; call < ANONYMOUS_CALLS_MAX; call += 1) {
      answers.push(await refused('/api/hub/memory', memory));
    }
    expect(answers.map(([status]) => status)).toEqual(expect.arrayContaining([401, 402, 400, 201, 429]));
    const served = await submit({ traceparent: traceparent() });
    await until('the call that was served is noted', async () => (await noted([served])) === 1);
    expect(await noted(answers.map(([, requestId]) => requestId))).toBe(0);
  });

  /** How many of the requests have a row of their trace. */
  async function noted(requestIds: string[]): Promise<number> {
    const [row]: { count: number }[] = await service.database.query(
      'SELECT count(*)::integer AS count FROM call_traces WHERE request_id = ANY($1)',
      [requestIds],
    );
    return row?.count ?? 0;
  }

  it('take what is no traceparent for none', async () => {
    const requestId = await submit({ traceparent: '00-none-of-these-01' });
    const trace = await wholeTrace(requestId);
    expect(only(trace, 'submitTask')).toMatchObject({
      traceId: requestId.replaceAll('-', ''),
      parentSpanId: null,
    });
  });

  it('tell of a caller who left before the answer that nobody got one', async () => {
    const { script } = upstream;
    const before = upstream.calls.length;
    upstream.script = () => new Promise(() => undefined);
    const traceId = randomBytes(16).toString('hex');
    const headers = {
      'x-api-key': account.key,
      traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
    };
    const leaving = new AbortController();
    const body = { model: 'large', messages: [{ role: 'user', content: PROMPT }], max_tokens: 10 };
    const call = api.post('/v1/chat/completions', body, headers, leaving.signal);
    await until('the upstream is asked', () => upstream.calls.length > before);
    leaving.abort();
    await expect(call).rejects.toThrow();
    upstream.script = script;
    const spans = () => collector.spans.filter((span) => span.traceId === traceId);
    await until('the call is told', () => spans().some(({ name }) => name === 'createChatCompletion'));
    expect(only(spans(), 'createChatCompletion').facts['http.response.status_code']).toBe(499);
  });

  it('hold no secret, no text and nobody', async () => {
    await wholeTrace(await submit());
    const told = collector.texts.join();
    const { key, token, id, keyId, email } = account;
    const secrets = { key, token, id, keyId, email, PROMPT, UPSTREAM_KEY, webhookSecret };
    for (const [name, secret] of Object.entries(secrets)) {
      expect([name, told.includes(secret)]).toEqual([name, false]);
    }
    expect(told).not.toMatch(/an answer|svc_test_|whsec_|127\.0\.0\.1/);
  });

  it('hold up nobody when the collector is away, not even the end of the process', async () => {
    await collector.stop();
    const before = upstream.calls.length;
    for (let call = 0; call < 5; call += 1) {
      await submit();
    }
    await until('the tasks have run', () => upstream.calls.length >= before + 5);
    await Promise.all([api.stop(), worker.stop()]);
    expect([api.process.exitCode, worker.process.exitCode]).toEqual([0, 0]);
  });
});
