import { UnsupportedModelParameter } from '../errors';
import { type MessageRequest, toChatRequest } from './request-to-chat';

const REQUEST: MessageRequest = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] };
const CACHED = { cache_control: { type: 'ephemeral' } };
const PNG = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' }, ...CACHED };

function chatOf(fields: object): Record<string, unknown> {
  return toChatRequest({ ...REQUEST, ...fields });
}

describe('the chat that asks for the same as a message', () => {
  it('has the texts and the settings, and nothing that only the provider of a message reads', () => {
    const chat = chatOf({
      system: [
        { type: 'text', text: 'You code.', ...CACHED },
        { type: 'text', text: 'Be brief.' },
      ],
      ...{ temperature: 1, top_p: 0.5, top_k: 5, stop_sequences: ['END'], stream: true },
      ...{
        metadata: { user_id: 'u' },
        service_tier: 'auto',
        thinking: { type: 'enabled', budget_tokens: 1024 },
      },
      ...{ context_management: { edits: [] }, new_beta: 1, tools: [], tool_choice: { type: 'any' } },
    });
    expect(chat).toEqual({
      ...{ model: 'm', max_tokens: 9, temperature: 1, top_p: 0.5, stop: ['END'] },
      messages: [
        { role: 'system', content: 'You code.\n\nBe brief.' },
        { role: 'user', content: 'Hello' },
      ],
    });
  });

  it('has calls of tools, their results and the images in these, in the order that chats want', () => {
    const messages = [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 's' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'a.png' }, ...CACHED },
          { type: 'tool_use', id: 'toolu_2', name: 'now', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'Here.' }, PNG] },
          { type: 'tool_result', tool_use_id: 'toolu_2', content: 'noon', is_error: false },
          { type: 'text', text: 'And?' },
        ],
      },
    ];
    expect(chatOf({ messages }).messages).toEqual([
      {
        ...{ role: 'assistant', content: 'I look.' },
        tool_calls: [
          { id: 'toolu_1', type: 'function', function: { name: 'look', arguments: '{"at":"a.png"}' } },
          { id: 'toolu_2', type: 'function', function: { name: 'now', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'toolu_1', content: 'Here.' },
      { role: 'tool', tool_call_id: 'toolu_2', content: 'noon' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } },
          { type: 'text', text: 'And?' },
        ],
      },
    ]);
  });

  it('has images by address and documents', () => {
    const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBE' };
    const content = [
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      { type: 'document', title: 'a.pdf', source: pdf },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Plain.' } },
    ];
    expect(chatOf({ messages: [{ role: 'user', content }] }).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
          { type: 'text', text: 'Plain.' },
        ],
      },
    ]);
  });

  it.each([
    [{ type: 'auto' }, 'auto'],
    [{ type: 'any' }, 'required'],
    [{ type: 'none' }, 'none'],
    [
      { type: 'tool', name: 'look' },
      { type: 'function', function: { name: 'look' } },
    ],
  ])('has the tools and the choice %j of them', (choice, chosen) => {
    const tools = [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' }, ...CACHED }];
    const chat = chatOf({ tools, tool_choice: { ...choice, disable_parallel_tool_use: true } });
    expect(chat).toMatchObject({
      tools: [
        {
          type: 'function',
          function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } },
        },
      ],
      tool_choice: chosen,
      parallel_tool_calls: false,
    });
  });

  it('asks for the schema of an output format', () => {
    const schema = { type: 'object' };
    expect(chatOf({ output_config: { format: { type: 'json_schema', schema } } }).response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema, strict: true },
    });
  });

  it('is refused with the names of all that has no counterpart', () => {
    const refused = () =>
      chatOf({
        tools: [{ type: 'web_search_20250305', name: 'web_search' }],
        mcp_servers: [{ type: 'url' }],
        messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'f' }] }],
      });
    expect(refused).toThrow(UnsupportedModelParameter);
    expect(refused).toThrow('Unsupported by this model: mcp_servers, tools[0], messages[0].content[0].');
  });
});
