import { ModelNotConfigured, ModelNotFound } from './errors';
import { ChatRequest, ModelDescription, ModelOperation, ModelProvider } from './model-provider';
import { Models } from './models';

/** Answers a chat with the request that it got, as JSON, and serves no other operation. */
class EchoProvider extends ModelProvider {
  constructor(
    private readonly name: string,
    private readonly served: readonly ModelDescription[],
  ) {
    super();
  }

  models() {
    return Promise.resolve(this.served);
  }

  chat(request: ChatRequest) {
    const message = { role: 'assistant' as const, content: JSON.stringify(request) };
    return Promise.resolve({
      response: {
        id: 'chatcmpl-1',
        object: 'chat.completion' as const,
        created: 0,
        model: request.model,
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      },
      engine: { provider: this.name, method: 'echo', quality: 'basic' },
    });
  }

  complete(): never {
    throw new Error('serves no completions');
  }

  embed(): never {
    throw new Error('serves no embeddings');
  }
}

describe('Models', () => {
  const model = (id: string, operations: ModelOperation[], aliases?: string[]) => ({
    id,
    created: 0,
    ownedBy: id,
    operations,
    aliases,
  });
  const first = new EchoProvider('first', [
    model('vectors', ['embed']),
    model('large', ['chat'], ['latest']),
  ]);
  const second = new EchoProvider('second', [model('small', ['chat']), model('large', ['chat'])]);
  const lenient = new Models([first, second], { strictModels: false });
  const strict = new Models([first, second], { strictModels: true });
  const chat = async (models: Models, name: string) => {
    const { response, engine } = await models.chat({ model: name, messages: [], vendor_field: 7 });
    return [engine.provider, JSON.parse(response.choices[0]?.message.content ?? '')] as unknown[];
  };

  it('refuses an unknown name with 404 when names are strict', async () => {
    await expect(strict.chat({ model: 'gpt-4o', messages: [] })).rejects.toThrow(ModelNotFound);
    await expect(strict.chat({ model: 'vectors', messages: [] })).rejects.toMatchObject({ status: 404 });
  });

  it('refuses with 503 what no provider serves', async () => {
    await expect(lenient.complete({ model: 'large', prompt: '' })).rejects.toThrow(ModelNotConfigured);
    await expect(
      new Models([], { strictModels: true }).chat({ model: '', messages: [] }),
    ).rejects.toMatchObject({
      status: 503,
      error: 'Model upstream not configured',
    });
  });

  it('runs on the provider that serves the name, the first one first, other fields untouched', async () => {
    expect(await chat(strict, 'large')).toEqual(['first', { model: 'large', messages: [], vendor_field: 7 }]);
    expect(await chat(strict, 'latest')).toEqual([
      'first',
      { model: 'large', messages: [], vendor_field: 7 },
    ]);
    expect(await chat(strict, 'small')).toEqual([
      'second',
      { model: 'small', messages: [], vendor_field: 7 },
    ]);
  });

  it("runs an unknown name on the first serving provider's default model", async () => {
    expect(await chat(lenient, 'gpt-4o')).toEqual([
      'first',
      { model: 'large', messages: [], vendor_field: 7 },
    ]);
  });

  it('lists every model once', async () => {
    expect((await lenient.list()).map(({ id }) => id)).toEqual(['vectors', 'large', 'small']);
  });
});
