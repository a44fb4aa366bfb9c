import {
  ModelNotConfigured,
  ModelNotFound,
  UnsupportedModelParameter,
  UpstreamBreakerOpen,
  UpstreamFailed,
  UpstreamRefused,
  UpstreamTimedOut,
  UpstreamUnavailable,
} from './errors';
import {
  type ChatRequest,
  type ModelAnswer,
  type ModelDescription,
  type ModelOperation,
  ModelProvider,
} from './model-provider';
import { Models } from './models';

/** Answers with its own name or throws `outcome`, and remembers which models it was asked for. */
class PlainProvider extends ModelProvider {
  readonly asked: string[] = [];
  outcome: Error | null = null;
  listing: Error | null = null;

  constructor(
    readonly name: string,
    private readonly served: ModelDescription[],
  ) {
    super();
  }

  models() {
    return this.listing ? Promise.reject(this.listing) : Promise.resolve(this.served);
  }

  chat = (request: ChatRequest) => this.answer(request);
  complete = (request: { model: string }) => this.answer(request);
  embed = (request: { model: string }) => this.answer(request);
  override streamChat = (request: ChatRequest) => this.answer(request);
  override streamCompletion = (request: { model: string }) => this.answer(request);

  private answer({ model }: { model: string }): Promise<never> {
    this.asked.push(model);
    if (this.outcome) {
      return Promise.reject(this.outcome);
    }
    return Promise.resolve({ response: this.name } as unknown as ModelAnswer<unknown> as never);
  }
}

const FAILED = new UpstreamFailed('one', 'failed');
const REST = new UpstreamBreakerOpen('one', 3);

describe('routing', () => {
  let one: PlainProvider;
  let two: PlainProvider;
  let embedded: PlainProvider;
  let models: Models;
  beforeEach(() => {
    const all: ModelOperation[] = ['chat', 'complete', 'embed'];
    const model = (id: string, defaultFor: ModelOperation[] = ['chat', 'complete'], aliases?: string[]) => ({
      ...{ id, aliases, created: 0, ownedBy: 'x', operations: all, defaultFor },
    });
    one = new PlainProvider('one', [model('text-embed', ['embed']), model('a'), model('shared')]);
    two = new PlainProvider('two', [model('b'), model('c', [], ['shared', 'extractive'])]);
    embedded = new PlainProvider('embedded', [model('extractive', all)]);
    models = new Models([one, two, embedded], { strictModels: false, standIn: embedded });
  });

  const chat = async (model: string, fields: object = {}, signal?: AbortSignal): Promise<unknown> => {
    const answer = await models.chat({ model, messages: [], ...fields }, { signal });
    return answer.response;
  };
  const asked = () => [one.asked, two.asked, embedded.asked];

  it('asks whoever knows by its id what another calls by an alias', async () => {
    const all: ModelOperation[] = ['chat', 'complete', 'embed'];
    const model = (id: string, aliases?: string[]) => ({
      ...{ id, aliases, created: 0, ownedBy: 'x', operations: all, defaultFor: all },
    });
    one = new PlainProvider('one', [model('small'), model('large-1', ['large'])]);
    two = new PlainProvider('two', [model('large-1')]);
    models = new Models([one, two, embedded], { strictModels: true, standIn: embedded });
    one.outcome = FAILED;
    await chat('large');
    expect(asked()).toEqual([['large-1'], ['large-1'], []]);
  });

  it.each([
    ['a failure', FAILED],
    ['429', new UpstreamUnavailable('one', 'is busy', '7')],
    ['a time-out', new UpstreamTimedOut('one', 'connect', 5)],
    ['an open breaker', REST],
  ])('asks the next that serves the name after %s', async (_, failure) => {
    one.outcome = failure;
    expect(await chat('shared')).toBe('two');
    expect(asked()).toEqual([['shared'], ['c'], []]);
  });

  it('never asks the stand-in for a failing one, even where it serves the name', async () => {
    two.outcome = FAILED;
    await expect(chat('extractive')).rejects.toBe(FAILED);
    one.outcome = FAILED;
    await expect(chat('unknown')).rejects.toBe(FAILED);
    await expect(models.streamChat({ model: 'shared', messages: [] })).rejects.toBe(FAILED);
    expect(embedded.asked).toEqual([]);
  });

  it('asks nobody else once one had begun to answer', async () => {
    one.outcome = new UpstreamFailed('one', 'sent garbage').afterFirstByte();
    await expect(chat('shared')).rejects.toBe(one.outcome);
    expect(two.asked).toEqual([]);
    expect(await chat('shared', { allow_degraded: true })).toBe('embedded');
  });

  it('asks nobody else after a refusal, nor after a fault of our own', async () => {
    for (const outcome of [new UpstreamRefused('one', 400, null), new TypeError('x')]) {
      one.outcome = outcome;
      await expect(chat('shared', { allow_degraded: true })).rejects.toBe(outcome);
    }
    expect([two.asked, embedded.asked]).toEqual([[], []]);
  });

  it('throws the last real failure; an open breaker only if nobody was asked', async () => {
    [one.outcome, two.outcome] = [FAILED, REST];
    await expect(chat('shared')).rejects.toBe(FAILED);
    [one.outcome, two.outcome] = [REST, FAILED];
    await expect(chat('shared')).rejects.toBe(FAILED);
    [one.outcome, two.outcome] = [REST, REST];
    await expect(chat('shared')).rejects.toBe(REST);
  });

  it('stops when the caller has gone', async () => {
    const stop = new AbortController();
    one.chat = () => {
      stop.abort(new Error('gone'));
      return Promise.reject(FAILED);
    };
    await expect(chat('shared', {}, stop.signal)).rejects.toThrow('gone');
    expect(two.asked).toEqual([]);
  });

  it('lets the stand-in answer after all others when the request allows it', async () => {
    [one.outcome, two.outcome] = [FAILED, FAILED];
    expect(await chat('shared', { allow_degraded: true })).toBe('embedded');
    embedded.outcome = new UnsupportedModelParameter([{ field: 'tools', message: 'x' }]);
    await expect(chat('shared', { allow_degraded: true })).rejects.toBe(FAILED);
    await expect(chat('shared', { allow_degraded: 'yes' })).rejects.toBe(FAILED);
  });

  it('runs an unknown name on default models, each provider with its own', async () => {
    one.outcome = FAILED;
    expect(await chat('gpt-x')).toBe('two');
    expect(asked()).toEqual([['a'], ['b'], []]);
    await models.embed({ model: 'gpt-x', input: '' }).catch(() => undefined);
    expect(one.asked).toEqual(['a', 'text-embed']);
  });

  it('fails where a provider that may serve the name does not say what it serves', async () => {
    one.listing = FAILED;
    for (const name of ['a', 'gpt-x']) {
      await expect(chat(name)).rejects.toBe(FAILED);
      await expect(models.route('chat', name)).rejects.toBe(FAILED);
    }
    expect(await chat('gpt-x', { allow_degraded: true })).toBe('embedded');
    expect(await models.route('chat', 'gpt-x', true)).toMatchObject({ model: { id: 'extractive' } });
    expect(await chat('b')).toBe('two');
    expect((await models.list()).map(({ id }) => id)).toEqual(['b', 'c', 'extractive']);
  });

  it('names the model that would be asked first, and refuses as the call would', async () => {
    expect(await models.route('chat', 'shared')).toMatchObject({ model: { id: 'shared' } });
    expect(await models.route('embed', 'gpt-x')).toMatchObject({ model: { id: 'text-embed' } });
    const strict = new Models([one, embedded], { strictModels: true, standIn: embedded });
    await expect(strict.route('chat', 'gpt-x')).rejects.toThrow(ModelNotFound);
    const none = new Models([], { strictModels: false });
    await expect(none.route('chat', 'a')).rejects.toThrow(ModelNotConfigured);
    expect(asked()).toEqual([[], [], []]);
  });
});
