import { RawUpstream } from '../support/upstream/raw-upstream';
import { MODEL, sdkScene } from '../support/upstream/sdk-scene';
import {
  chatAnswer,
  dataEvent,
  errorReaction,
  jsonReaction,
  streamReaction,
} from '../support/upstream/upstream-answers';

const PATCH = '*** Begin Patch\n"quoted"\n*** End Patch';
const TOOL = {
  ...{ type: 'custom' as const, name: 'apply_patch', description: 'Edits files.' },
  format: { type: 'grammar' as const, syntax: 'lark' as const, definition: 'start: /.+/' },
};
const REQUEST = {
  model: MODEL,
  input: 'Edit it.',
  tools: [TOOL],
  tool_choice: { type: 'custom', name: 'apply_patch' } as const,
};
const CALL = {
  id: 'call_1',
  type: 'function',
  function: { name: 'apply_patch', arguments: JSON.stringify({ input: PATCH }) },
};
const ITEM = { type: 'custom_tool_call' as const, call_id: 'call_1', name: 'apply_patch', input: PATCH };

describe('the openai package: custom tools of responses', () => {
  const scene = sdkScene(() => RawUpstream.start(() => ({})));

  it('are functions of one text where the upstream speaks chat alone, in both turns and streamed', async () => {
    scene.upstream.script = ({ path, body }) => {
      if (path.endsWith('/responses')) {
        return errorReaction(404, 'Not Found');
      }
      const text = CALL.function.arguments;
      const pieces = [
        { index: 0, ...CALL, function: { name: 'apply_patch', arguments: text.slice(0, 9) } },
        { index: 0, function: { arguments: text.slice(9) } },
      ];
      const chunk = (delta: object, reason: string | null) =>
        dataEvent({
          id: 'c',
          created: 7,
          model: MODEL,
          choices: [{ index: 0, delta, finish_reason: reason }],
        });
      const message = { role: 'assistant', content: null, tool_calls: [CALL] };
      const answer = chatAnswer(MODEL);
      const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
      return body?.stream
        ? streamReaction([
            ...pieces.map((piece) => chunk({ tool_calls: [piece] }, null)),
            ...[chunk({}, 'tool_calls'), dataEvent('[DONE]')],
          ])
        : jsonReaction({ ...answer, choices });
    };
    const whole = await scene.client.responses.create(REQUEST);
    expect(whole.output).toMatchObject([ITEM]);
    const events: string[] = [];
    const stream = scene.client.responses.stream(REQUEST).on('event', (event) => {
      if (event.type.includes('custom_tool_call')) {
        events.push(`${event.type} ${'delta' in event ? String(event.delta) : ''}`);
      }
    });
    expect((await stream.finalResponse()).output).toMatchObject([ITEM]);
    const type = 'response.custom_tool_call_input';
    expect(events).toEqual([`${type}.delta ${PATCH}`, `${type}.done `]);
    const { body } = scene.upstream.lastCall;
    expect(body).toMatchObject({
      tool_choice: { type: 'function', function: { name: 'apply_patch' } },
      tools: [
        {
          type: 'function',
          function: {
            name: 'apply_patch',
            description: expect.stringMatching(/Edits files\.[^]*lark[^]*start: /),
            parameters: { required: ['input'] },
          },
        },
      ],
    });
    const output = { type: 'custom_tool_call_output' as const, call_id: 'call_1', output: 'Done.' };
    await scene.client.responses.create({ ...REQUEST, input: [ITEM, output] });
    expect(scene.upstream.lastCall.body?.messages).toEqual([
      { role: 'assistant', content: null, tool_calls: [CALL] },
      { role: 'tool', tool_call_id: 'call_1', content: 'Done.' },
    ]);
  });

  it('say how to send items that are named by their id, before anybody is asked', async () => {
    const asked = scene.upstream.calls.length;
    const input = [
      { role: 'user', content: 'x' },
      { type: 'item_reference', id: 'msg_1' },
      { type: 'item_reference', id: 'rs_1' },
    ];
    const answer = await fetch(`${scene.running.url}/v1/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': scene.world.owner.key },
      body: JSON.stringify({ model: MODEL, input }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { details: [{ field: 'input[1]', message: expect.stringContaining('providerOptions.openai.store') }] },
    ]);
    expect(scene.upstream.calls).toHaveLength(asked);
    expect(await scene.spentNanoUsd()).toBe(0n);
  });
});
