import { at, isObject, type Json, type JsonObject } from '../../../scripts/generate/json';
import { valueOfSchema } from '../../contract/value-of-schema';
import { answering } from '../upstream/faulty-upstreams';
import { RawUpstream, type Script } from '../upstream/raw-upstream';
import {
  chatAnswer,
  dataEvent,
  embeddingAnswer,
  errorReaction,
  jsonReaction,
  streamReaction,
} from '../upstream/upstream-answers';
import type { Reaction, RecordedRequest } from '../upstream/upstream-reaction';
import type { SeededRandom } from '../seeded-random';

export const FUZZ_MODELS = ['steady', 'faulty'];
const TIMES = { connect_timeout_ms: 2_000, first_byte_timeout_ms: 800, total_timeout_ms: 2_000 };
const TEXTS = [
  'The library opens at nine.',
  '{"summary":"It opens.","keywords":["library"]}',
  '',
  'é\u0301\0',
  '{"a":',
];
const USAGES: unknown[] = [
  undefined,
  null,
  { prompt_tokens: -5, completion_tokens: 1e12, total_tokens: 0 },
  { prompt_tokens: '9', completion_tokens: null },
  { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
];
const REMEMBERED_MAX = 500;

/** Two upstreams: one answers, the other does whatever servers do that are ill. */
export class FuzzUpstreams {
  private constructor(private readonly upstreams: readonly RawUpstream[]) {}

  static async start(random: SeededRandom): Promise<FuzzUpstreams> {
    const steady = await RawUpstream.start((request, count) => answer(request, count, random));
    const faulty = await RawUpstream.start((request, count) => {
      // It remembers all that it was asked, for tests that want to know.
      faulty.requests.splice(0, faulty.requests.length - REMEMBERED_MAX);
      return random.next() < 0.4 ? answer(request, count, random) : failing(request, random);
    });
    return new FuzzUpstreams([steady, faulty]);
  }

  get environment(): Record<string, string> {
    const entries = this.upstreams.map(({ baseUrl }, index) => ({
      name: FUZZ_MODELS[index],
      base_url: baseUrl,
      models: [{ id: FUZZ_MODELS[index] }],
      ...TIMES,
    }));
    return { UPSTREAMS: JSON.stringify(entries) };
  }

  async stop(): Promise<void> {
    await Promise.all(this.upstreams.map((upstream) => upstream.stop()));
  }
}

async function answer(request: RecordedRequest, count: number, random: SeededRandom): Promise<Reaction> {
  if (request.path.endsWith('/embeddings')) {
    return jsonReaction(embeddingAnswer(request));
  }
  if (request.path.endsWith('/responses')) {
    // As servers of chats alone do, so that responses are made of chats.
    return jsonReaction({ detail: 'Not Found' }, { status: 404 });
  }
  const schema = at(request.body, 'response_format', 'json_schema', 'schema');
  const fits = isObject(schema) && random.next() < 0.7;
  const text = fits ? JSON.stringify(fitting(schema)) : random.pick(TEXTS);
  return (answering(text) satisfies Script)(request, count);
}

/** What a model would answer that keeps to its schema; a text where no such value is known. */
function fitting(schema: JsonObject): Json {
  try {
    return valueOfSchema(schema, 'The library opens at nine.');
  } catch {
    return 'The library opens at nine.';
  }
}

/** What is whole in it has the form of the API that was asked, because it is passed on as it came. */
function failing({ path, body }: RecordedRequest, random: SeededRandom): Reaction {
  const model = String(body?.model);
  const usage = random.pick(USAGES);
  const whole = path.endsWith('/chat/completions') ? chatAnswer : completionAnswer;
  const half = dataEvent(path.endsWith('/chat/completions') ? halfOfChat(model) : halfOfCompletion(model));
  const broken: Reaction[] = [
    ...[400, 401, 403, 404, 413, 422, 429, 500, 502, 503, 529].map((status) => errorReaction(status, 'No.')),
    { instead: 'reset' },
    { instead: 'end' },
    { instead: { bytes: 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}' } },
    { instead: { bytes: 'this is no HTTP\r\n\r\n' } },
    { delayBeforeHeadersMs: random.between(0, 1_500), ...jsonReaction(whole(model)) },
    { instead: 'silence' },
    jsonReaction('{"choices":'),
    jsonReaction('null'),
    jsonReaction('[]'),
    jsonReaction({ ...whole(model), choices: [] }),
    jsonReaction(whole(model, { usage })),
    { ...jsonReaction(whole(model)), status: 204 },
    { ...jsonReaction(whole(model)), status: 302 },
    streamReaction([half], { end: 'cut' }),
    streamReaction([half], { end: 'reset' }),
    streamReaction([half], { end: 'silence' }),
    streamReaction(['data: {"error":{"message":"It fell."}}\n\n']),
    streamReaction(['data: no JSON\n\n', ': comment\n\n', 'data: [DONE]\n\n']),
  ];
  return random.pick(broken);
}

function completionAnswer(model: string, options: { usage?: unknown } = {}): Record<string, unknown> {
  const choices = [{ index: 0, text: 'Hello there.', logprobs: null, finish_reason: 'stop' }];
  return { ...chatAnswer(model, options), object: 'text_completion', choices };
}

function halfOfChat(model: string): Record<string, unknown> {
  const choices = [{ index: 0, delta: { content: 'Half' }, finish_reason: null }];
  return { ...chatAnswer(model, { usage: undefined }), object: 'chat.completion.chunk', choices };
}

function halfOfCompletion(model: string): Record<string, unknown> {
  const choices = [{ index: 0, text: 'Half', finish_reason: null }];
  return { ...halfOfChat(model), object: 'text_completion', choices };
}
