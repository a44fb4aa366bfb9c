import { ManualClock } from '../../runtime/clock';
import type { ChunkRetrieval } from '../../retrieval/rag-retrieval';
import { type AgentTool, AgentTools, currentTimeTool, ragRetrieveTool, ToolFault } from './agent-tools';
import { CALCULATOR } from './calculator';

const CONTEXT = {
  accountId: 'a',
  namespace: 'default',
  allowDegraded: false,
  signal: new AbortController().signal,
};
const OFFERED = ['calculator', 'time', 'echo.text'];

describe('AgentTools', () => {
  const echo: AgentTool = {
    name: 'echo.text',
    description: 'Says it again.',
    parameters: { type: 'object', additionalProperties: false, properties: { text: { type: 'string' } } },
    run: ({ accountId, parameters: { text } }) => {
      if (text === 'fault') {
        throw new ToolFault('Not this.');
      }
      if (text === 'crash') {
        throw new Error('the database is gone');
      }
      return `${accountId}: ${String(text)}`;
    },
  };
  let tools: AgentTools;

  beforeEach(() => {
    tools = new AgentTools();
    tools.register(CALCULATOR);
    tools.register(currentTimeTool(new ManualClock(new Date('2026-07-21T22:05:06.789Z'))));
    tools.register(echo);
  });

  it('refuses two tools that models would call by one name', () => {
    expect(() => tools.register({ ...echo, name: 'echo_text' })).toThrow('two tools');
  });

  it('knows what was registered, and nothing that every object has', () => {
    const names = ['echo.text', 'calculator', 'echo_text', 'constructor', '__proto__', 'toString', ''];
    expect(names.filter((name) => tools.has(name))).toEqual(['echo.text', 'calculator']);
  });

  it('defines functions by names that may be one, of what is there', () => {
    const [definition, ...others] = tools.definitions(['echo.text', 'memory.search', 'constructor']);
    expect(definition).toEqual({
      type: 'function',
      function: { name: 'echo_text', description: echo.description, parameters: echo.parameters },
    });
    expect(others).toEqual([]);
  });

  it.each([
    ['a tool that is not there', 'shell', '{}', 'no such tool'],
    ['what every object has', 'constructor', '{}', 'no such tool'],
    ['no name', '', '{}', 'no such tool'],
    ['arguments that are no JSON', 'calculator', '{"expression":', 'not JSON'],
    ['a list of arguments', 'calculator', '[]', 'must be object'],
    ['null', 'calculator', 'null', 'must be object'],
    ['a missing argument', 'calculator', '{}', "required property 'expression'"],
    ['an empty text', 'calculator', '', "required property 'expression'"],
    ['an argument of another type', 'calculator', '{"expression":1}', 'must be string'],
    ['an argument too many', 'echo_text', '{"text":"a","more":1}', 'additional properties'],
    ['a prototype', 'echo_text', '{"__proto__":{"text":"a"}}', 'additional properties'],
    ['endless arguments', 'echo_text', `{"text":"${'a'.repeat(20_000)}"}`, 'longer than 20000'],
    ['what the tool itself refuses', 'echo_text', '{"text":"fault"}', 'Not this.'],
    ['an expression that is none', 'calculator', '{"expression":"2 +"}', 'too early'],
    ['a time zone that is none', 'time', '{"timezone":"Mars/Olympus"}', 'IANA'],
  ])('tells the model of %s', async (_, name, text, message) => {
    const result = await tools.run(OFFERED, { name, arguments: text }, CONTEXT);
    expect(result).toEqual({ text: expect.stringContaining(message), isError: true });
  });

  it('tells a model that names a collection which Postgres takes for no text', async () => {
    const retrieve = jest.fn(() => Promise.resolve({ chunks: [] }));
    tools.register(ragRetrieveTool({ retrieve } as unknown as ChunkRetrieval));
    const asked = { name: 'rag_retrieve', arguments: JSON.stringify({ query: 'hours', collection: 'a\0b' }) };
    const told = await tools.run(['rag.retrieve'], asked, CONTEXT);
    expect(told).toEqual({ text: expect.stringMatching('NUL'), isError: true });
    expect(retrieve).not.toHaveBeenCalled();
  });

  it('runs no tool that the agent does not have', async () => {
    const asked = { name: 'calculator', arguments: '{"expression":"1"}' };
    expect((await tools.run(['time'], asked, CONTEXT)).isError).toBe(true);
  });

  it('fails with what is not the fault of the model', async () => {
    const asked = { name: 'echo_text', arguments: '{"text":"crash"}' };
    await expect(tools.run(OFFERED, asked, CONTEXT)).rejects.toThrow('the database is gone');
  });

  it('runs nothing once the call is aborted', async () => {
    const call = { ...CONTEXT, signal: AbortSignal.abort(new Error('over')) };
    await expect(tools.run(OFFERED, { name: 'time', arguments: '{}' }, call)).rejects.toThrow('over');
  });

  it.each([
    ['echo_text', '{"text":"hello"}', 'a: hello'],
    ['calculator', '{"expression":"2 * (3 + 4)"}', '14'],
    ['time', '', '2026-07-21T22:05:06+00:00 (Tuesday, UTC)'],
    ['time', '{"timezone":"Europe/Berlin"}', '2026-07-22T00:05:06+02:00 (Wednesday, Europe/Berlin)'],
    ['time', '{"timezone":"America/St_Johns"}', '2026-07-21T19:35:06-02:30 (Tuesday, America/St_Johns)'],
  ])('runs %s with %s', async (name, text, result) => {
    expect(await tools.run(OFFERED, { name, arguments: text }, CONTEXT)).toEqual({
      text: result,
      isError: false,
    });
  });
});
