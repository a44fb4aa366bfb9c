import { UpstreamBrokeOff } from '../errors';
import type { ChatResponse } from '../model-provider';
import { toMessage } from './message';
import { MessageEvents } from './message';

type Json = Record<string, unknown>;

const REQUEST = {
  ...{ model: 'any', max_tokens: 9, stop_sequences: ['END'] },
  messages: [{ role: 'user' as const, content: 'Hello' }],
};
const USAGE = { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 5 } };
const TOLD = {
  input_tokens: 4,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 5,
  output_tokens: 4,
};

function countedIds(): () => string {
  let last = 0;
  return () => String(++last);
}

function chunk(delta: Json, fields: Json = {}): Json {
  return { model: 'm-1', choices: [{ index: 0, delta, finish_reason: null, ...fields }] };
}

function eventsOf(chunks: Json[]): Json[] {
  const events = new MessageEvents(REQUEST, { model: 'm-1', provider: 'somewhere' }, countedIds());
  return [...chunks.flatMap((each) => events.take(each)), ...events.end()].map(({ type, data, bytes }) => {
    expect(Buffer.from(bytes).toString()).toBe(`event: ${type}\ndata: ${data}\n\n`);
    const event = JSON.parse(data) as Json;
    expect(event.type).toBe(type);
    return event;
  });
}

function call(fields: Json): Json {
  return chunk({ tool_calls: [fields] });
}

function answerOf(message: Json, fields: Json = {}): unknown {
  const choice = { index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', ...fields };
  const chat = {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm-1',
    choices: [choice],
    usage: USAGE,
  };
  return toMessage(chat as unknown as ChatResponse, REQUEST, countedIds());
}

describe('the events of a message', () => {
  it('tell thoughts, a text and calls block by block, and at last the reason and the use', () => {
    const [start, ...events] = eventsOf([
      chunk({ role: 'assistant', content: '' }),
      chunk({ reasoning_content: 'Hm.' }),
      chunk({ content: 'I ' }),
      chunk({ content: 'look.' }),
      call({ index: 0, id: 'call_1', function: { name: 'look', arguments: '{"at"' } }),
      call({ index: 0, function: { arguments: ':1}' } }),
      call({ index: 0, id: 'call_2', function: { name: 'now', arguments: '' } }),
      chunk({}, { finish_reason: 'tool_calls' }),
      { model: 'm-1', choices: [], usage: USAGE },
    ]);
    expect(start).toMatchObject({
      type: 'message_start',
      message: { id: 'msg_1', model: 'm-1', content: [] },
    });
    const delta = (index: number, fields: Json) => ({ type: 'content_block_delta', index, delta: fields });
    const begin = (index: number, block: Json) => ({
      type: 'content_block_start',
      index,
      content_block: block,
    });
    expect(events).toEqual([
      begin(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'Hm.' }),
      delta(0, { type: 'signature_delta', signature: '' }),
      { type: 'content_block_stop', index: 0 },
      begin(1, { type: 'text', text: '' }),
      delta(1, { type: 'text_delta', text: 'I ' }),
      delta(1, { type: 'text_delta', text: 'look.' }),
      { type: 'content_block_stop', index: 1 },
      begin(2, { type: 'tool_use', id: 'call_1', name: 'look', input: {} }),
      delta(2, { type: 'input_json_delta', partial_json: '{"at"' }),
      delta(2, { type: 'input_json_delta', partial_json: ':1}' }),
      { type: 'content_block_stop', index: 2 },
      begin(3, { type: 'tool_use', id: 'call_2', name: 'now', input: {} }),
      { type: 'content_block_stop', index: 3 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: TOLD },
      { type: 'message_stop' },
    ]);
  });

  it('refuse to go back to a call that has ended', () => {
    const back = [
      call({ index: 0, id: 'a', function: { name: 'f' } }),
      call({ index: 1, id: 'b', function: { name: 'f' } }),
      call({ index: 0, function: { arguments: '{}' } }),
    ];
    expect(() => eventsOf(back)).toThrow(UpstreamBrokeOff);
    const text = [
      call({ index: 0, id: 'a', function: { name: 'f' } }),
      chunk({ content: 'x' }),
      back[2] ?? {},
    ];
    expect(() => eventsOf(text)).toThrow(UpstreamBrokeOff);
  });

  it('say that a message without usage tells none', () => {
    expect(eventsOf([chunk({ content: 'x' }, { finish_reason: 'stop' })]).at(-2)).toMatchObject({
      usage: null,
    });
  });
});

describe('a whole message', () => {
  it('has what the chat has', () => {
    const calls = [
      { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } },
      { type: 'function', function: { name: 'now', arguments: '{"cut": "of' } },
    ];
    expect(answerOf({ content: 'I look.', reasoning_content: 'Hm.', tool_calls: calls })).toEqual({
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm-1' },
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: '' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'call_1', name: 'look', input: { at: 1 } },
        { type: 'tool_use', id: 'toolu_2', name: 'now', input: { cut: 'of' } },
      ],
      ...{ stop_reason: 'tool_use', stop_sequence: null, usage: TOLD },
    });
  });

  it.each([
    ['end_turn', {}],
    ['max_tokens', { finish_reason: 'length' }],
    ['refusal', { finish_reason: 'content_filter' }],
    ['stop_sequence', { stop_reason: 'END' }],
    ['end_turn', { stop_reason: 'OTHER' }],
    ['end_turn', { finish_reason: 'constructor' }],
  ])('ends by %s', (reason, fields) => {
    const stopSequence = reason === 'stop_sequence' ? 'END' : null;
    expect(answerOf({ content: 'x' }, fields)).toMatchObject({
      stop_reason: reason,
      stop_sequence: stopSequence,
    });
  });
});
