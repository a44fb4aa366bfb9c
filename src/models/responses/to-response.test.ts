import type { ChatResponse } from '../model-provider';
import { toResponse } from './response';

const REQUEST = { model: 'any', input: 'hello' };
const USAGE = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };

function chatOf(message: Record<string, unknown>, finishReason: string | null = 'stop'): ChatResponse {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_795_255_200,
    model: 'm-1',
    choices: [
      { index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: finishReason },
    ],
    usage: USAGE,
  };
}

function countedIds(): () => string {
  let last = 0;
  return () => String(++last);
}

describe('toResponse', () => {
  it('says what the chat says, and repeats the request with its defaults', () => {
    expect(toResponse(chatOf({ content: 'Hi.' }), REQUEST, countedIds())).toEqual({
      id: 'resp_1',
      object: 'response',
      created_at: 1_795_255_200,
      status: 'completed',
      background: false,
      error: null,
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      max_tool_calls: null,
      model: 'm-1',
      output: [
        {
          id: 'msg_2',
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', annotations: [], logprobs: [], text: 'Hi.' }],
        },
      ],
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: { effort: null, summary: null },
      service_tier: 'auto',
      store: false,
      temperature: 1,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      top_logprobs: 0,
      top_p: 1,
      truncation: 'disabled',
      usage: {
        input_tokens: 9,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: 4,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 13,
      },
      user: null,
      metadata: {},
    });
  });

  it('repeats what the request asked for, but stores nothing', () => {
    const given = {
      instructions: 'Be brief.',
      max_output_tokens: 50,
      temperature: 0,
      top_p: 0.5,
      tools: [{ type: 'function', name: 'f', parameters: null, strict: false }],
      tool_choice: 'required',
      parallel_tool_calls: false,
      metadata: { a: 'b' },
      text: { format: { type: 'json_object' }, verbosity: 'low' },
      user: 'u',
    };
    const request = { ...REQUEST, ...given, store: true, reasoning: { effort: 'high', summary: 'auto' } };
    expect(toResponse(chatOf({}), request, countedIds())).toMatchObject({
      ...given,
      store: false,
      reasoning: { effort: 'high', summary: null },
    });
  });

  it.each([
    ['length', 'incomplete', { reason: 'max_output_tokens' }, ['completed', 'incomplete']],
    ['content_filter', 'incomplete', { reason: 'content_filter' }, ['completed', 'incomplete']],
    ['tool_calls', 'completed', null, ['completed', 'completed']],
    [null, 'completed', null, ['completed', 'completed']],
  ])('takes the end %s for %s', (finishReason, status, details, itemStatuses) => {
    const chat = chatOf({ content: 'a', tool_calls: [{ id: 'c', function: { name: 'f' } }] }, finishReason);
    const response = toResponse(chat, REQUEST, countedIds());
    expect([response.status, response.incomplete_details]).toEqual([status, details]);
    expect(response.output.map((item) => item.status)).toEqual(itemStatuses);
  });

  it('gives reasoning, text, refusal and calls, in this order', () => {
    const message = {
      reasoning_content: 'Hm.',
      content: 'Well,',
      refusal: 'no.',
      tool_calls: [
        { id: 'call_a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
        { type: 'function', function: { name: 'g', arguments: { y: 2 } } },
      ],
    };
    expect(toResponse(chatOf(message), REQUEST, countedIds()).output).toMatchObject([
      { id: 'rs_2', type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] },
      {
        id: 'msg_3',
        content: [
          { type: 'output_text', text: 'Well,' },
          { type: 'refusal', refusal: 'no.' },
        ],
      },
      { id: 'fc_4', type: 'function_call', call_id: 'call_a', name: 'f', arguments: '{"x":1}' },
      { id: 'fc_5', type: 'function_call', call_id: 'call_5', name: 'g', arguments: '{"y":2}' },
    ]);
  });

  it('has no output where the chat has none', () => {
    expect(toResponse(chatOf({ content: '' }), REQUEST, countedIds()).output).toEqual([]);
    expect(toResponse({ ...chatOf({}), choices: [] }, REQUEST, countedIds())).toMatchObject({
      status: 'completed',
      output: [],
    });
  });

  it('keeps logprobs, the details of usage and what else a provider says of it', () => {
    const token = { token: 'Hi', bytes: [72, 105], logprob: -0.1, top_logprobs: [] };
    const chat = chatOf({ content: 'Hi' });
    chat.choices = chat.choices.map((choice) => ({ ...choice, logprobs: { content: [token] } }));
    chat.usage = {
      ...USAGE,
      prompt_tokens_details: { cached_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 3 },
      vendor_units: 8,
    };
    const response = toResponse(chat, REQUEST, countedIds());
    expect(response.output).toMatchObject([{ content: [{ text: 'Hi', logprobs: [token] }] }]);
    expect(response.usage).toEqual({
      input_tokens: 9,
      input_tokens_details: { cached_tokens: 5, cache_write_tokens: 0 },
      output_tokens: 4,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: 13,
      vendor_units: 8,
    });
  });
});
