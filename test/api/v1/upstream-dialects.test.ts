import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAccount, type TestAccount } from '../../support/api/world';
import { type Dialect, DIALECTS } from '../../support/upstream/dialects';
import { RawUpstream, type Script } from '../../support/upstream/raw-upstream';
import { ServiceWithUpstreams } from '../../support/upstream/service-with-upstreams';
import {
  dataEvent,
  embeddingAnswer,
  jsonReaction,
  streamReaction,
} from '../../support/upstream/upstream-answers';
import type { Reaction, RecordedRequest } from '../../support/upstream/upstream-reaction';

/** `PRINT_GUIDE=1` puts the table into it. */
const PAGE = join(__dirname, '../../../docs/clients.md');
const TABLE_IN_PAGE = /^\| upstream \|(?:.*\n)(?:\|.*\n)+/m;
const TEXT = 'Hello there.';
const SENTENCE = 'This field is not known.';
const ARGUMENTS = '{"port":"Texel"}';
const MESSAGES = { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 2000 };
const TOOLS = {
  tools: [{ type: 'function', function: { name: 'tide_at', parameters: { type: 'object' } } }],
};
const ORIGIN = { id: 'chatcmpl-1', created: 1_760_000_000 };

/** What is asked of every dialect, by the heading of its column. */
const CELLS = {
  chat: ['/v1/chat/completions', MESSAGES],
  stream: ['/v1/chat/completions', { ...MESSAGES, stream: true, stream_options: { include_usage: true } }],
  tools: ['/v1/chat/completions', { ...MESSAGES, ...TOOLS }],
  'tools, streamed': ['/v1/chat/completions', { ...MESSAGES, ...TOOLS, stream: true }],
  embeddings: ['/v1/embeddings', { input: ['Hello', 'there'], encoding_format: 'float' }],
  responses: ['/v1/responses', { input: 'Hello', max_output_tokens: 2000 }],
  'responses, streamed': ['/v1/responses', { input: 'Hello', max_output_tokens: 2000, stream: true }],
  messages: ['/v1/messages', MESSAGES],
  'messages, streamed': ['/v1/messages', { ...MESSAGES, stream: true }],
} as const;

type Column = keyof typeof CELLS;

const COLUMNS = Object.keys(CELLS) as Column[];

describe('upstreams of twelve dialects', () => {
  const servers: RawUpstream[] = [];
  let running: ServiceWithUpstreams;
  let account: TestAccount;
  beforeAll(async () => {
    for (const dialect of DIALECTS) {
      servers.push(await RawUpstream.start(speaking(dialect)));
    }
    running = await ServiceWithUpstreams.start(
      DIALECTS.map(({ name }, index) => ({
        name: `server-${index}`,
        base_url: servers[index]?.baseUrl ?? '',
        models: [{ id: name }],
      })),
    );
    account = await createAccount(running.service, { creditUsd: '100' });
  });
  afterAll(async () => {
    await running.stop();
    await Promise.all(servers.map((server) => server.stop()));
  });

  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': account.key };
    const answer = await fetch(running.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, text: await answer.text() };
  };
  /** Asks for a cell, holds it to its dialect, and says what the table has of it. */
  const cell = async (dialect: Dialect, column: Column): Promise<string> => {
    const [path, fields] = CELLS[column];
    const { status, text } = await post(path, { model: dialect.name, ...fields });
    const { inputTokens, outputTokens, chargedNanoUsd } = await running.lastReceipt(account);
    if (status !== 200) {
      expect(chargedNanoUsd).toBe(0n);
      return `refused, ${status}`;
    }
    const isStream = 'stream' in fields;
    expect(column.startsWith('embeddings') ? readVectors(text) : said(text, isStream)).toBe(
      column.startsWith('tools') ? `tide_at${ARGUMENTS}` : TEXT,
    );
    const isEmbedding = column === 'embeddings';
    expect([inputTokens, outputTokens]).toEqual(isEmbedding ? [2, 0] : dialect.tokens);
    const [base, perToken] = isEmbedding ? [100_000n, 1_000n] : [2_000_000n, 10_000n];
    expect(chargedNanoUsd).toBe(base + perToken * BigInt(inputTokens + outputTokens));
    const isMessage = column.startsWith('messages');
    const isTranslated = isMessage || (column.startsWith('responses') && dialect.noResponses !== undefined);
    if (isMessage || column.startsWith('responses')) {
      const name = isMessage ? 'cache_read_input_tokens' : 'cached_tokens';
      expect(text).toContain(`"${name}":${dialect.cachedTokens ?? 0}`);
    }
    return isTranslated ? 'through chat' : 'yes';
  };

  it('answer or refuse whatever is asked, are charged by what they say, and stand in the guide', async () => {
    const rows: string[][] = [];
    for (const dialect of DIALECTS) {
      const row = [dialect.name];
      for (const column of COLUMNS) {
        row.push(await cell(dialect, column).catch((error: unknown) => `${column}: ${String(error)}`));
      }
      rows.push(row);
    }
    expect(rows.flat().filter((text) => text.includes('Error'))).toEqual([]);
    const printed = `${table([['upstream', ...COLUMNS], ...rows])}\n`;
    const page = readFileSync(PAGE, 'utf8');
    if (process.env.PRINT_GUIDE) {
      writeFileSync(PAGE, page.replace(TABLE_IN_PAGE, printed));
    } else {
      expect(TABLE_IN_PAGE.exec(page)?.[0]).toBe(printed);
    }
    expect(await running.faults()).toEqual([]);
  });

  it.each(DIALECTS)('refuse in words that the caller reads: $name', async (dialect) => {
    const messages = [{ role: 'user', content: 'refuse' }];
    const [status] = dialect.refusal(SENTENCE);
    for (const path of ['/v1/chat/completions', '/api/hub/agents/chat']) {
      const answer = await post(path, { model: dialect.name, messages });
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
        status,
        { error: 'Upstream refused', message: expect.stringContaining(SENTENCE) },
      ]);
    }
    expect(await running.lastReceipt(account)).toMatchObject({ outcome: 'released', chargedNanoUsd: 0n });
  });
});

/** A server that speaks a dialect; a chat that says `refuse` is refused. */
function speaking(dialect: Dialect): Script {
  return (request) => {
    const { path, text } = request;
    if (path.endsWith('/embeddings')) {
      return absent(dialect.noEmbeddings) ?? jsonReaction(embeddingAnswer(request));
    }
    if (path.endsWith('/responses')) {
      return absent(dialect.noResponses) ?? response(dialect, request);
    }
    if (text.includes('"refuse"')) {
      const [status, body] = dialect.refusal(SENTENCE);
      return jsonReaction(body, { status });
    }
    return request.body?.stream === true ? stream(dialect, request) : chat(dialect, request);
  };
}

function absent(absence: Dialect['noResponses']): Reaction | null {
  return absence ? jsonReaction(absence.body, { status: absence.status }) : null;
}

function chat({ usage, answer, choice, said: extra }: Dialect, { body }: RecordedRequest): Reaction {
  const called = { content: null, tool_calls: [{ ...CALL, index: 0 }] };
  const message = { role: 'assistant', ...(body?.tools ? called : { content: TEXT }), ...extra };
  const finished = { index: 0, message, finish_reason: body?.tools ? 'tool_calls' : 'stop', ...choice };
  return jsonReaction({
    ...ORIGIN,
    object: 'chat.completion',
    model: body?.model,
    choices: [finished],
    usage,
    ...answer,
  });
}

const CALL = { id: 'call_1', type: 'function', function: { name: 'tide_at', arguments: ARGUMENTS } };

function stream(dialect: Dialect, { body }: RecordedRequest): Reaction {
  const { usage, streamedUsage, answer, choice, preamble = '', omitsDone } = dialect;
  const chunk = (choices: object[], told: boolean) =>
    dataEvent({
      ...{ ...ORIGIN, object: 'chat.completion.chunk', model: body?.model, choices, ...answer },
      usage: told || streamedUsage === 'everywhere' ? usage : null,
    });
  const part = (delta: object, finish_reason: string | null = null) =>
    chunk(
      [{ index: 0, delta, finish_reason, ...choice }],
      finish_reason !== null && streamedUsage === 'with the end',
    );
  const [first, ...others] = body?.tools
    ? calls(dialect)
    : ['Hello', ' there.'].map((content) => ({ content }));
  return streamReaction([
    preamble,
    part({ role: 'assistant', ...dialect.said, ...first }),
    ...others.map((delta) => part(delta)),
    part({}, body?.tools ? 'tool_calls' : 'stop'),
    ...(streamedUsage === 'alone' ? [chunk([], true)] : []),
    ...(omitsDone ? [] : [dataEvent('[DONE]')]),
  ]);
}

function calls(dialect: Dialect): object[] {
  if (dialect.calls !== 'in pieces') {
    return [{ tool_calls: [{ ...CALL, ...(dialect.calls === 'whole' && { index: 0 }) }] }];
  }
  const begun = { ...CALL, index: 0, function: { name: 'tide_at', arguments: '' } };
  const pieces = ARGUMENTS.match(/.{1,6}/g) ?? [];
  const rest = pieces.map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] }));
  return [{ tool_calls: [begun] }, ...rest];
}

function response({ usage: told }: Dialect, { body }: RecordedRequest): Reaction {
  const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details, ...rest } =
    told;
  const usage = {
    input_tokens: prompt_tokens,
    input_tokens_details: prompt_tokens_details ?? { cached_tokens: 0 },
    output_tokens: completion_tokens,
    output_tokens_details: completion_tokens_details ?? { reasoning_tokens: 0 },
    total_tokens: rest.total_tokens,
  };
  const content = [{ type: 'output_text', annotations: [], text: TEXT }];
  const output = [{ id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content }];
  const made = { id: 'resp_1', object: 'response', created_at: 1, error: null, model: body?.model };
  const whole = { ...made, status: 'completed', output, usage };
  const events = [
    { type: 'response.created', response: { ...made, status: 'in_progress', output: [], usage: null } },
    { type: 'response.output_text.delta', delta: TEXT },
    { type: 'response.completed', response: whole },
  ];
  return body?.stream === true
    ? streamReaction(events.map((event) => dataEvent(event)))
    : jsonReaction(whole);
}

interface Answered {
  readonly type?: string;
  readonly choices?: readonly { readonly message?: Said; readonly delta?: Said }[];
  readonly output?: readonly {
    readonly content?: readonly { readonly type: string; readonly text: string }[];
  }[];
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly delta?: string | { readonly text?: string };
}

interface Said {
  readonly content?: string | null;
  readonly tool_calls?: readonly {
    readonly function: { readonly name?: string; readonly arguments: string };
  }[];
}

/** The text of an answer, or the name and the arguments of its call. */
function said(text: string, isStream: boolean): string {
  const data = isStream ? [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => json) : [text];
  return data
    .map((json) => JSON.parse(json) as Answered)
    .flatMap(({ type, choices = [], output = [], content: blocks = [], delta }) => [
      ...(type === 'response.output_text.delta' ? [delta as string] : []),
      ...(type === 'content_block_delta' ? [(delta as { text?: string }).text] : []),
      ...blocks.map((block) => (block.type === 'text' ? block.text : '')),
      ...choices.flatMap((choice) => textsOf(choice.message ?? choice.delta ?? {})),
      ...output.flatMap(({ content = [] }) =>
        content.filter((part) => part.type === 'output_text').map((part) => part.text),
      ),
    ])
    .join('');
}

function textsOf({ content, tool_calls: made = [] }: Said): string[] {
  return [content ?? '', ...made.flatMap(({ function: called }) => [called.name ?? '', called.arguments])];
}

/** The text that the other cells have, where there are two vectors of numbers. */
function readVectors(text: string): string {
  const { data } = JSON.parse(text) as { data: { embedding: unknown }[] };
  const areVectors = data.length === 2 && data.every(({ embedding }) => Array.isArray(embedding));
  return areVectors ? TEXT : text;
}

function table([head = [], ...rows]: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
