import fc from 'fast-check';
import { accumulateResponse } from 'openai/lib/responses/ResponseAccumulator';
import type { Response, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { UpstreamBrokeOff } from '../errors';
import type { ChatResponse } from '../model-provider';
import { ResponseEvents, toResponse } from './response';
import { eventsOfResponse } from './response-events';

type Json = Record<string, unknown>;

const REQUEST = { model: 'any', input: 'hello', temperature: 0.3 };
const STREAM = { model: 'm-1', provider: 'somewhere' };
const USAGE = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
const TEXT = { type: 'output_text', annotations: [], logprobs: [] };

function countedIds(): () => string {
  let last = 0;
  return () => String(++last);
}

function chunk(delta: Json, finishReason: string | null = null): Json {
  return { created: 7, model: 'm-1', choices: [{ index: 0, delta, finish_reason: finishReason }] };
}

function eventsOf(chunks: Json[]): ResponseStreamEvent[] {
  const events = new ResponseEvents(REQUEST, STREAM, countedIds());
  const sent = [...chunks.flatMap((each) => events.take(each)), ...events.end()];
  return sent.map(({ type, data, bytes }) => {
    expect(Buffer.from(bytes).toString()).toBe(`event: ${type}\ndata: ${data}\n\n`);
    const event = JSON.parse(data) as ResponseStreamEvent;
    expect(event.type).toBe(type);
    return event;
  });
}

/** An event's type and fields without its number; where it holds a response, only the response's status. */
function told(event: ResponseStreamEvent): unknown[] {
  const { type, response, ...fields } = event as unknown as Json & { type: string };
  delete fields.sequence_number;
  return [type.replace('response.', ''), response === undefined ? fields : (response as Json).status];
}

describe('ResponseEvents', () => {
  it('refuses to go back to a call that has ended', () => {
    const events = new ResponseEvents(REQUEST, STREAM, countedIds());
    const call = (index: number, id?: string) =>
      chunk({ tool_calls: [{ index, id, function: { name: 'f' } }] });
    events.take(call(0, 'a'));
    events.take(call(1, 'b'));
    expect(() => events.take(call(0))).toThrow(UpstreamBrokeOff);
  });

  it('tells a text step by step', () => {
    const at = { item_id: 'msg_2', output_index: 0, content_index: 0 };
    const item = { id: 'msg_2', type: 'message', role: 'assistant' };
    const events = eventsOf([
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'At ' }),
      chunk({ content: 'nine.' }, 'stop'),
    ]);
    expect(events.map(told)).toEqual([
      ['created', 'in_progress'],
      ['in_progress', 'in_progress'],
      ['output_item.added', { output_index: 0, item: { ...item, status: 'in_progress', content: [] } }],
      ['content_part.added', { ...at, part: { ...TEXT, text: '' } }],
      ['output_text.delta', { ...at, delta: 'At ', logprobs: [] }],
      ['output_text.delta', { ...at, delta: 'nine.', logprobs: [] }],
      ['output_text.done', { ...at, text: 'At nine.', logprobs: [] }],
      ['content_part.done', { ...at, part: { ...TEXT, text: 'At nine.' } }],
      [
        'output_item.done',
        { output_index: 0, item: { ...item, status: 'completed', content: [{ ...TEXT, text: 'At nine.' }] } },
      ],
      ['completed', 'completed'],
    ]);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
  });

  it('ends each call before the next one begins, also where the provider counts none of them', () => {
    const call = (index: number, id: string, text: string) => ({
      index,
      id,
      function: { name: id, arguments: text },
    });
    const more = (index: number, text: string) => ({ index, function: { arguments: text } });
    const chunks = [[call(0, 'a', '')], [more(0, '{'), more(0, '}')], [call(0, 'b', '{"x"'), more(0, ':1}')]];
    const events = eventsOf([...chunks.map((tool_calls) => chunk({ tool_calls })), chunk({}, 'tool_calls')]);
    const [a, b] = [
      { item_id: 'fc_2', output_index: 0 },
      { item_id: 'fc_3', output_index: 1 },
    ];
    const item = (id: string, call_id: string, text: string, status: string) => ({
      ...{ id, type: 'function_call', status, arguments: text, call_id, name: call_id },
    });
    expect(events.slice(2).map(told)).toEqual([
      ['output_item.added', { output_index: 0, item: item('fc_2', 'a', '', 'in_progress') }],
      ['function_call_arguments.delta', { ...a, delta: '{' }],
      ['function_call_arguments.delta', { ...a, delta: '}' }],
      ['function_call_arguments.done', { ...a, name: 'a', arguments: '{}' }],
      ['output_item.done', { output_index: 0, item: item('fc_2', 'a', '{}', 'completed') }],
      ['output_item.added', { output_index: 1, item: item('fc_3', 'b', '', 'in_progress') }],
      ['function_call_arguments.delta', { ...b, delta: '{"x"' }],
      ['function_call_arguments.delta', { ...b, delta: ':1}' }],
      ['function_call_arguments.done', { ...b, name: 'b', arguments: '{"x":1}' }],
      ['output_item.done', { output_index: 1, item: item('fc_3', 'b', '{"x":1}', 'completed') }],
      ['completed', 'completed'],
    ]);
  });

  it('tells of a refusal', () => {
    const types = eventsOf([chunk({ refusal: 'No' }), chunk({ refusal: '.' }, 'stop')]).map(told);
    const at = { item_id: 'msg_2', output_index: 0, content_index: 0 };
    expect(types.slice(3, 7)).toEqual([
      ['content_part.added', { ...at, part: { type: 'refusal', refusal: '' } }],
      ['refusal.delta', { ...at, delta: 'No' }],
      ['refusal.delta', { ...at, delta: '.' }],
      ['refusal.done', { ...at, refusal: 'No.' }],
    ]);
  });

  it('ends as incomplete what was cut off, with usage that came late', () => {
    const events = eventsOf([chunk({ content: 'At' }, 'length'), { choices: [], usage: USAGE }]);
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: {
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [{ status: 'incomplete' }],
        usage: { input_tokens: 9, output_tokens: 4, total_tokens: 13 },
      },
    });
  });

  it('tells of the first choice only, and of nothing where nothing came', () => {
    const other = { choices: [{ index: 1, delta: { content: 'b' } }, { delta: { content: 'a' } }] };
    expect(eventsOf([other]).at(-1)).toMatchObject({ response: { output: [{ content: [{ text: 'a' }] }] } });
    expect(eventsOf([]).map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.completed',
    ]);
  });

  it('adds up, for the official client too, to the response of the same chat without streaming', () => {
    const text = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }), { maxLength: 4 });
    const calls = fc.array(fc.record({ name: fc.constantFrom('f', 'g'), pieces: text }), { maxLength: 3 });
    const answer = fc.record({
      ...{ reasoning: text, content: text, refusal: text, calls },
      finishReason: fc.constantFrom('stop', 'length', 'content_filter', 'tool_calls'),
    });
    fc.assert(
      fc.property(answer, (parts) => {
        const events = eventsOf([
          ...chunksOf(parts),
          chunk({}, parts.finishReason),
          { choices: [], usage: USAGE },
        ]);
        const unstreamed = toResponse(chatOf(parts), REQUEST, countedIds());
        const last = events.at(-1) as unknown as { response: unknown };
        expect(last.response).toEqual(unstreamed);
        let seen: Response | undefined;
        for (const event of events.slice(0, -1)) {
          seen = accumulateResponse(event, seen);
        }
        expect(seen?.output).toEqual(unstreamed.output);
      }),
    );
  });
});

interface Answer {
  reasoning: string[];
  content: string[];
  refusal: string[];
  calls: { name: string; pieces: string[] }[];
  finishReason: string;
}

function chunksOf({ reasoning, content, refusal, calls }: Answer): Json[] {
  return [
    ...reasoning.map((piece) => chunk({ reasoning_content: piece })),
    ...content.map((piece) => chunk({ content: piece })),
    ...refusal.map((piece) => chunk({ refusal: piece })),
    ...calls.flatMap(({ name, pieces }, index) => [
      chunk({ tool_calls: [{ index, id: `call_${index}`, function: { name, arguments: '' } }] }),
      ...pieces.map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
  ];
}

function chatOf({ reasoning, content, refusal, calls, finishReason }: Answer): ChatResponse {
  const tool_calls = calls.map(({ name, pieces }, index) => ({
    ...{ id: `call_${index}`, type: 'function', function: { name, arguments: pieces.join('') } },
  }));
  const message = {
    role: 'assistant' as const,
    reasoning_content: reasoning.join(''),
    content: content.join(''),
  };
  return {
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 7, model: 'm-1', usage: USAGE },
    choices: [
      {
        index: 0,
        message: { ...message, refusal: refusal.join(''), tool_calls },
        finish_reason: finishReason,
      },
    ],
  };
}

describe('eventsOfResponse', () => {
  it('tells a part and an item of unknown types whole, whatever an upstream calls them', () => {
    const part = { type: 'constructor', text: 'x' };
    const item = { type: 'toString', id: 'i', content: [part] };
    const types = [...eventsOfResponse({ id: 'r', status: 'completed', output: [item] })].map(
      ({ type }) => type,
    );
    expect(types.filter((type) => /part|item|delta/.test(type))).toEqual([
      'response.output_item.added',
      'response.content_part.added',
      'response.content_part.done',
      'response.output_item.done',
    ]);
  });
});
