import { ValidationFailed } from '../../errors/api-errors';
import { UnsupportedModelParameter } from '../errors';
import { type ResponseInputItem, toChatRequest } from './request-to-chat';

const MODEL = 'm';
const HELLO = [{ role: 'user' as const, content: 'hello' }];
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } } };

function messagesOf(input: ResponseInputItem[] | string, instructions?: string) {
  return toChatRequest({ model: MODEL, input, instructions }).messages;
}

function refusedFields(fields: Record<string, unknown>): string[] {
  try {
    toChatRequest({ model: MODEL, input: 'hello', ...fields });
  } catch (error) {
    if (error instanceof UnsupportedModelParameter) {
      return error.refused.map(({ field }) => field);
    }
    throw error;
  }
  return [];
}

describe('toChatRequest', () => {
  it.each([
    [{ type: 'custom', name: 'f', format: { syntax: { toString: 1 }, definition: 'start: "a"' } }, []],
    [{ type: { toString: 1 }, name: 'f' }, ['tools[0]']],
  ])('takes names of tools that are no text for nothing else: %j', (tool, refused) => {
    expect(refusedFields({ tools: [tool] })).toEqual(refused);
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    [
      'tools of the provider',
      { tools: [{ type: 'web_search' }, { type: 'function', name: 'f' }] },
      ['tools[0]'],
    ],
    ['a choice of a tool of the provider', { tool_choice: { type: 'file_search' } }, ['tool_choice']],
    ['a format that chats lack', { text: { format: { type: 'grammar' } } }, ['text.format']],
    ['truncation', { truncation: 'auto' }, ['truncation']],
    ['a stored prompt', { prompt: { id: 'pmpt_1' } }, ['prompt']],
    ['chat fields', { n: 2, max_tokens: 5, messages: [] }, ['messages', 'n', 'max_tokens']],
    ['a reference', { input: [{ type: 'item_reference', id: 'msg_1' }] }, ['input[0]']],
    ['calls of built-in tools', { input: [...HELLO, { type: 'computer_call', call_id: 'c' }] }, ['input[1]']],
    [
      'an uploaded image',
      { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'file-1' }] }] },
      ['input[0].content[0]'],
    ],
    [
      'a file by its address',
      { input: [{ role: 'user', content: [{ type: 'input_file', file_url: 'https://example.com/a.pdf' }] }] },
      ['input[0].content[0]'],
    ],
    [
      'an image as what a function gave',
      {
        input: [
          {
            type: 'function_call_output',
            call_id: 'c',
            output: [{ type: 'input_image', image_url: 'data:,' }],
          },
        ],
      },
      ['input[0].output[0]'],
    ],
    [
      'all at once',
      { tools: [{ type: 'mcp' }], prompt: {}, input: [{ type: 'shell_call' }] },
      ['prompt', 'tools[0]', 'input[0]'],
    ],
  ])('refuses %s by name', (_, fields, refused) => {
    expect(refusedFields(fields)).toEqual(refused);
  });

  it.each<[string, ResponseInputItem, string]>([
    ['a message of nobody', { content: 'hello' }, 'input[0].role'],
    ['a message of nothing', { role: 'user' }, 'input[0].content'],
    [
      'a text part without text',
      { role: 'user', content: [{ type: 'input_text' }] },
      'input[0].content[0].text',
    ],
    ['a call without an id', { type: 'function_call', name: 'f', arguments: '{}' }, 'input[0].call_id'],
    ['an output of no call', { type: 'function_call_output', output: 'x' }, 'input[0].call_id'],
    [
      'an output that is an object',
      { type: 'function_call_output', call_id: 'c', output: {} },
      'input[0].output',
    ],
  ])('refuses %s', (_, item, field) => {
    expect(() => messagesOf([item])).toThrow(new ValidationFailed([{ field, message: 'is required' }]));
  });

  it('takes a text for what the user says, after the instructions', () => {
    expect(messagesOf('hello')).toEqual(HELLO);
    expect(messagesOf('hello', 'Be brief.')).toEqual([{ role: 'system', content: 'Be brief.' }, ...HELLO]);
  });

  it('translates messages and their parts', () => {
    const image = { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'low' };
    const file = { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' };
    const sound = { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } };
    const text = { type: 'input_text', text: 'What is this?' };
    expect(
      messagesOf([
        { role: 'developer', content: 'Be brief.' },
        { type: 'message', role: 'user', content: [text, image, file, sound] },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'A cat.' }],
          id: 'msg_1',
        },
        { role: 'user', content: [text] },
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
      ]),
    ).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: image.image_url, detail: 'low' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: file.file_data } },
          { type: 'input_audio', input_audio: sound.input_audio },
        ],
      },
      { role: 'assistant', content: 'A cat.' },
      { role: 'user', content: 'What is this?' },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
    ]);
  });

  it('joins the calls of a turn and the text beside them, and leaves earlier reasoning out', () => {
    const call = (id: string) => ({
      type: 'function_call',
      call_id: id,
      name: 'f',
      arguments: `{"of":"${id}"}`,
    });
    const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: `result ${id}` });
    const chatCall = (id: string) => ({
      id,
      type: 'function',
      function: { name: 'f', arguments: `{"of":"${id}"}` },
    });
    const chatOutput = (id: string) => ({ role: 'tool', tool_call_id: id, content: `result ${id}` });
    expect(
      messagesOf([
        ...HELLO,
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { role: 'assistant', content: 'Let me see.' },
        call('a'),
        { type: 'reasoning', id: 'rs_2', summary: [] },
        call('b'),
        output('a'),
        output('b'),
        call('c'),
        { role: 'assistant', content: 'One more.' },
        output('c'),
      ]),
    ).toEqual([
      ...HELLO,
      { role: 'assistant', content: 'Let me see.', tool_calls: [chatCall('a'), chatCall('b')] },
      chatOutput('a'),
      chatOutput('b'),
      { role: 'assistant', content: 'One more.', tool_calls: [chatCall('c')] },
      chatOutput('c'),
    ]);
  });

  it('nests tools, their choice and the format of text as a chat does', () => {
    const tool = { type: 'function', name: 'f', description: 'finds', parameters: SCHEMA, strict: true };
    const allowed = { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] };
    const format = { type: 'json_schema', name: 'city', schema: SCHEMA, strict: true, description: null };
    const chat = (fields: Record<string, unknown>) =>
      toChatRequest({ model: MODEL, input: 'hello', tools: [tool], parallel_tool_calls: false, ...fields });
    const { type, ...described } = tool;
    expect(chat({ tool_choice: { type: 'function', name: 'f' }, text: { format } })).toEqual({
      model: MODEL,
      messages: HELLO,
      tools: [{ type, function: described }],
      tool_choice: { type: 'function', function: { name: 'f' } },
      parallel_tool_calls: false,
      response_format: { type: 'json_schema', json_schema: { name: 'city', schema: SCHEMA, strict: true } },
    });
    expect(chat({ tool_choice: allowed }).tool_choice).toEqual({
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] },
    });
    expect(chat({ tool_choice: 'required' }).tool_choice).toBe('required');
    expect(chat({ text: { format: { type: 'json_object' } } }).response_format).toEqual({
      type: 'json_object',
    });
  });

  it('renames parameters, passes on what it does not know, and drops what says nothing to a chat', () => {
    const renamed = {
      max_output_tokens: 40,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { verbosity: 'low', format: { type: 'text' } },
      include: ['message.output_text.logprobs', 'reasoning.encrypted_content'],
      top_logprobs: 2,
    };
    const same = {
      temperature: 0.5,
      top_p: 0.9,
      user: 'u',
      seed: 7,
      vendor: { deep: [1] },
      allow_degraded: true,
    };
    const dropped = {
      ...{ store: true, stream: false, metadata: { a: 'b' }, truncation: 'disabled', max_tool_calls: 3 },
      ...{
        previous_response_id: null,
        conversation: null,
        background: false,
        tools: [],
        tool_choice: 'auto',
      },
      ...{ parallel_tool_calls: true, instructions: null, prompt: null, stream_options: {} },
    };
    expect(toChatRequest({ model: MODEL, input: 'hello', ...renamed, ...same, ...dropped })).toEqual({
      ...same,
      model: MODEL,
      messages: HELLO,
      max_tokens: 40,
      reasoning_effort: 'low',
      verbosity: 'low',
      logprobs: true,
      top_logprobs: 2,
    });
  });
});
