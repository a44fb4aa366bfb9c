import { chatAnswer, jsonReaction, streamReaction, dataEvent } from './upstream-answers';
import type { Reaction, RecordedRequest } from './upstream-reaction';

const USAGE = {
  prompt_tokens: 900,
  completion_tokens: 12,
  total_tokens: 912,
  prompt_tokens_details: { cached_tokens: 800 },
};
const ARGUMENTS = '{"path":"a.txt"}';

/** A chat that thinks and calls the tool `read`, and once it has the result answers with a text. */
export function readingChat({ body }: RecordedRequest): Reaction {
  const messages = body?.messages as { role: string }[];
  const isAnswered = messages.some(({ role }) => role === 'tool');
  const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: ARGUMENTS } };
  const message = isAnswered
    ? { content: 'It says: the cape.' }
    : { content: null, reasoning_content: 'A file.', tool_calls: [call] };
  const reason = isAnswered ? 'stop' : 'tool_calls';
  if (body?.stream !== true) {
    const choice = { index: 0, message: { role: 'assistant', ...message }, finish_reason: reason };
    return jsonReaction({ ...chatAnswer('m'), choices: [choice], usage: USAGE });
  }
  const chunk = (choices: unknown[], fields: object = {}) =>
    dataEvent({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...fields });
  const calls = message.tool_calls?.map((one) => ({ index: 0, ...one }));
  return streamReaction([
    chunk([{ index: 0, delta: { role: 'assistant', ...message, tool_calls: calls }, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason: reason }]),
    chunk([], { usage: USAGE }),
    dataEvent('[DONE]'),
  ]);
}

const MESSAGE_USAGE = { input_tokens: 100, cache_creation_input_tokens: 50, cache_read_input_tokens: 750 };

/** The same from a server that speaks Anthropic's API, as it writes it. */
export function readingMessages({ body }: RecordedRequest): Reaction {
  const messages = body?.messages as { content: unknown }[];
  const isAnswered = JSON.stringify(messages.at(-1)?.content).includes('tool_result');
  const content = isAnswered
    ? [{ type: 'text', text: 'It says: the cape.' }]
    : [
        { type: 'thinking', thinking: 'A file.', signature: 'c2ln' },
        { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a.txt' } },
      ];
  const end = { stop_reason: isAnswered ? 'end_turn' : 'tool_use', stop_sequence: null };
  const message = { id: 'msg_n', type: 'message', role: 'assistant', model: 'n' };
  if (body?.stream !== true) {
    return jsonReaction({ ...message, content, ...end, usage: { ...MESSAGE_USAGE, output_tokens: 12 } });
  }
  return streamReaction(messageEvents(message, content, end));
}

/** The events of a streamed message, each block in one delta. */
export function messageEvents(message: object, content: readonly object[], end: object): string[] {
  const begun = { ...message, content: [], stop_reason: null, usage: { ...MESSAGE_USAGE, output_tokens: 1 } };
  return [
    { type: 'message_start', message: begun },
    { type: 'ping' },
    ...content.flatMap((block, index) => blockEvents(block as Record<string, unknown>, index)),
    { type: 'message_delta', delta: end, usage: { output_tokens: 12 } },
    { type: 'message_stop' },
  ].map((event) => `event: ${event.type}\n${dataEvent(event)}`);
}

function blockEvents({ type, text, thinking, signature, ...call }: Record<string, unknown>, index: number) {
  const [begun, ...deltas] = {
    text: [{ text: '' }, { type: 'text_delta', text }],
    thinking: [
      { thinking: '', signature: '' },
      { type: 'thinking_delta', thinking },
      { type: 'signature_delta', signature },
    ],
    tool_use: [
      { ...call, input: {} },
      { type: 'input_json_delta', partial_json: JSON.stringify(call.input) },
    ],
  }[type as 'text' | 'thinking' | 'tool_use'];
  return [
    { type: 'content_block_start', index, content_block: { type, ...begun } },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}
