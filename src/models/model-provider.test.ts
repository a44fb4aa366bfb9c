import { UpstreamBrokeOff } from './errors';
import { type ChatRequest, RESPONSES, streamThroughChat } from './model-provider';
import { ServerSentEvent } from './sse';

const REQUEST = { model: 'm', input: 'hello' };
const HELLO = event('{"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}');
const FINISH = event('{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}');
const DONE = event('[DONE]');

function event(data: string): ServerSentEvent {
  return new ServerSentEvent(Buffer.from(data === '' ? ': still here\n\n' : `data: ${data}\n\n`), '', data);
}

/** A provider that streams these events for every chat, and remembers the requests. */
function chatsOf(events: ServerSentEvent[]) {
  const asked: ChatRequest[] = [];
  const engine = { provider: 'somewhere', method: 'upstream', quality: 'model' };
  const streamChat = (request: ChatRequest) => {
    asked.push(request);
    return Promise.resolve({ model: 'm-1', engine, events: replay(events) });
  };
  return { asked, streamChat };
}

async function* replay(events: ServerSentEvent[]): AsyncGenerator<ServerSentEvent> {
  for (const each of events) {
    yield await Promise.resolve(each);
  }
}

async function sent(events: ServerSentEvent[]): Promise<string[]> {
  const { events: translated } = await streamThroughChat(chatsOf(events), RESPONSES, REQUEST, {});
  const texts: string[] = [];
  for await (const { type, bytes } of translated) {
    texts.push(type || Buffer.from(bytes).toString());
  }
  return texts;
}

describe('streamThroughChat', () => {
  it.each([
    ['ends before it is complete', [HELLO]],
    ['sends what is no JSON', [HELLO, event('{"choices":'), FINISH, DONE]],
  ])('breaks off where the chat %s', async (_, events) => {
    await expect(sent(events)).rejects.toThrow(UpstreamBrokeOff);
  });

  it.each([
    ['with [DONE]', [HELLO, FINISH, DONE]],
    ['without [DONE], when it is finished', [HELLO, FINISH]],
    ['with [DONE] alone', [HELLO, DONE]],
  ])('completes where the chat ends %s', async (_, events) => {
    expect((await sent(events)).at(-1)).toBe('response.completed');
  });

  it.each(['{"type":"error","message":"Too much."}', '{"error":{"message":"Too much."}}'])(
    'tells of the error %s',
    async (error) => {
      expect(await sent([HELLO, event(error), FINISH, DONE])).toContain('error');
    },
  );

  it('lets comments through, which keep the connection', async () => {
    const texts = await sent([event(''), HELLO, event(''), FINISH, DONE]);
    expect(texts.filter((text) => text.startsWith(':'))).toEqual([': still here\n\n', ': still here\n\n']);
  });

  it('asks for a stream, without the options of a response', async () => {
    const chats = chatsOf([DONE]);
    await streamThroughChat(chats, RESPONSES, { ...REQUEST, stream: true, stream_options: { x: 1 } }, {});
    expect(chats.asked).toMatchObject([{ stream: true }]);
    expect(chats.asked[0]).not.toHaveProperty('stream_options');
  });
});
