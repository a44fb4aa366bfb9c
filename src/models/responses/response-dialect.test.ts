import { memberInEvent, ServerSentEvent } from '../sse';
import { ResponseDialect } from './response';

const RESPONSE = { id: 'resp_1', output: [], usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 } };

function eventOf(json: object) {
  const data = JSON.stringify(json);
  return new ServerSentEvent(Buffer.from(`event: x\ndata: ${data}\n\n`), '', data);
}

describe('ResponseDialect', () => {
  it.each(['[1]', 'null', '"x"', '[DONE]', '{"choices":[]}', '{"type":1}'])(
    'takes %s for no event of a response',
    (data) => {
      const event = new ServerSentEvent(Buffer.from(''), '', data);
      expect(() => new ResponseDialect().read(event)).toThrow(SyntaxError);
    },
  );

  it.each<[string, object, string[]]>([
    ['text', { type: 'response.output_text.delta', delta: 'a' }, ['a']],
    ['a refusal', { type: 'response.refusal.delta', delta: 'no' }, ['no']],
    ['arguments', { type: 'response.function_call_arguments.delta', delta: '{}' }, ['{}']],
    ['thoughts', { type: 'response.reasoning_text.delta', delta: 'hm' }, ['hm']],
    ['a summary of thoughts', { type: 'response.reasoning_summary_text.delta', delta: 's' }, ['s']],
    ['the name of a function', { type: 'response.output_item.added', item: { name: 'f' } }, ['f']],
    ['no text twice', { type: 'response.output_text.done', text: 'a' }, []],
    ['no sound as text', { type: 'response.audio.delta', delta: 'AAAA' }, []],
    ['the text of a sound', { type: 'response.audio.transcript.delta', delta: 'a' }, ['a']],
    ['no delta that is no text', { type: 'response.output_text.delta', delta: { a: 1 } }, []],
  ])('reads %s', (_, json, texts) => {
    const reading = new ResponseDialect().read(eventOf(json));
    expect(reading.texts.map(({ text }) => text)).toEqual(texts);
    expect([reading.isEnd, reading.usage]).toEqual([false, undefined]);
  });

  it('measures sounds and images', () => {
    const sound = eventOf({ type: 'response.audio.delta', delta: 'AAAA' });
    const image = eventOf({ type: 'response.image_generation_call.partial_image', partial_image_b64: 'AA' });
    expect(new ResponseDialect().read(sound).media).toEqual([{ soundLength: 4, images: 0 }]);
    expect(new ResponseDialect().read(image).media).toEqual([{ soundLength: 0, images: 1 }]);
  });

  it.each([
    ['completed', true],
    ['incomplete', true],
    ['failed', false],
  ])('reads the usage of response.%s, and whether it is the end: %s', (status, isEnd) => {
    const reading = new ResponseDialect().read(eventOf({ type: `response.${status}`, response: RESPONSE }));
    expect([reading.isEnd, reading.usage]).toEqual([isEnd, RESPONSE.usage]);
  });

  it('says nothing more where the upstream ended the response as failed itself', () => {
    const dialect = new ResponseDialect();
    dialect.read(eventOf({ type: 'response.failed', response: RESPONSE }));
    const body = '{"error":{"message":"It broke."}}';
    expect(dialect.failureEvent({ body, byUpstream: true }, null)).toBeNull();
    expect(dialect.failureEvent({ body, byUpstream: false }, null)).toContain('response.failed');
  });

  it('has the place of the usage, where the cost goes', () => {
    const event = eventOf({ type: 'response.completed', response: RESPONSE });
    const changed = memberInEvent(event, new ResponseDialect().usagePath, 'cost', '0.5');
    expect(Buffer.from(changed ?? []).toString()).toBe(
      event.bytes.toString().replace('"total_tokens":5', '"total_tokens":5,"cost":0.5'),
    );
  });

  it('ends what broke off as a failed response, with its items, its error and its use', () => {
    const dialect = new ResponseDialect();
    const item = { id: 'msg_1', type: 'message', content: [] };
    dialect.read(eventOf({ type: 'response.created', response: { ...RESPONSE, usage: null } }));
    dialect.read(eventOf({ type: 'response.output_item.done', item, sequence_number: 6 }));
    const body = JSON.stringify({ error: { message: 'It broke.', code: 502, type: 'upstream_error' } });
    const spent = { use: { inputTokens: 7, outputTokens: 1 }, costUsd: '0.00000001' };
    const event = dialect.failureEvent({ body, byUpstream: false }, spent);
    expect(event).toMatch(/^event: response\.failed\ndata: .*"cost":0\.00000001\}.*\n\n$/);
    expect(JSON.parse((event ?? '').split('\ndata: ')[1] ?? '')).toMatchObject({
      type: 'response.failed',
      sequence_number: 7,
      response: {
        id: RESPONSE.id,
        status: 'failed',
        error: { code: 'server_error', message: 'It broke.' },
        output: [item],
        usage: { input_tokens: 7, output_tokens: 1 },
      },
    });
  });

  it("says in it what the upstream's own error said", () => {
    const dialect = new ResponseDialect();
    dialect.read(eventOf({ type: 'error', code: 'rate_limit_exceeded', message: 'Too many.' }));
    const event = dialect.failureEvent({ body: '{"error":{"message":"It broke."}}', byUpstream: true }, null);
    expect(JSON.parse((event ?? '').split('\ndata: ')[1] ?? '')).toMatchObject({
      response: { error: { code: 'rate_limit_exceeded', message: 'Too many.' }, usage: null },
    });
  });

  it('keeps the response that the stream ends with, and counts where that does not', () => {
    const unstreamed = (response: object) => {
      const answer = new ResponseDialect().unstreamed();
      answer.add({ type: 'response.created', response: { id: 'resp_1', status: 'in_progress' } });
      answer.add({ type: 'response.completed', response });
      return JSON.parse(answer.json({ inputTokens: 7, outputTokens: 8 })) as unknown;
    };
    expect(unstreamed(RESPONSE)).toEqual(RESPONSE);
    expect(unstreamed({ ...RESPONSE, usage: null })).toMatchObject({
      ...RESPONSE,
      usage: { input_tokens: 7, output_tokens: 8, total_tokens: 15 },
    });
  });
});
