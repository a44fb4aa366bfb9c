import type { CreateChatCompletionRequest, PriceList } from '../../../generated/types';
import { api, ApiError } from './client';
import { toNano, type NanoUsd } from './money';

export interface ChatEvent {
  text?: string;
  toolCalls?: readonly ToolCallPart[];
  /** What it cost in the end, as the stream's last comment says. */
  cost?: NanoUsd;
  requestId?: string;
  model?: string;
}

interface ToolCallPart {
  index: number;
  function?: { name?: string; arguments?: string };
}

interface Chunk {
  model?: string;
  choices?: { delta?: { content?: string | null; tool_calls?: ToolCallPart[] } }[];
  error?: unknown;
}

/** Sends a chat and gives what comes of it as it comes. */
export async function* streamChat(
  body: CreateChatCompletionRequest,
  key: string,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const call = api.POST('/v1/chat/completions', {
    body: { ...body, stream: true },
    // An operator may have set another form of errors for clients of others.
    headers: { 'X-API-Key': key, 'X-Error-Format': 'reference' },
    parseAs: 'stream',
    signal,
  });
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw signal.aborted ? cause : new ApiError(0, {});
  });
  if (!data) {
    throw new ApiError(response.status, error);
  }
  yield { requestId: response.headers.get('x-request-id') ?? undefined };
  for await (const line of linesOf(data)) {
    const event = readLine(line);
    if (event !== undefined) {
      yield event;
    }
  }
}

/** One line of a stream of server-sent events; undefined where it says nothing. */
function readLine(line: string): ChatEvent | undefined {
  const cost = /^: cost=(\d+(?:\.\d+)?)/.exec(line)?.[1];
  if (cost !== undefined) {
    return { cost: toNano(Number(cost)) };
  }
  if (!line.startsWith('data: {')) {
    return undefined;
  }
  const chunk = JSON.parse(line.slice('data: '.length)) as Chunk;
  if (chunk.error !== undefined) {
    throw new ApiError(502, chunk);
  }
  const delta = chunk.choices?.[0]?.delta;
  return { text: delta?.content ?? undefined, toolCalls: delta?.tool_calls, model: chunk.model };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      break;
    }
    const lines = (rest + value).split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') {
    yield rest;
  }
}

const RECEIPT_TRIES_MAX = 10;
const RECEIPT_EVERY_MS = 500;

/** What a call was charged that ended before its end; undefined where that is not known within some seconds. */
export async function chargeOf(requestId: string): Promise<NanoUsd | undefined> {
  const params = { path: { request_id: requestId } };
  for (let tries = 0; tries < RECEIPT_TRIES_MAX; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, RECEIPT_EVERY_MS));
    const { data } = await api
      .GET('/api/monitoring/requests/{request_id}', { params })
      .catch(() => ({ data: undefined }));
    if (data && data.outcome !== 'in_flight') {
      return toNano(data.charged);
    }
  }
  return undefined;
}

/** Of English text; good enough for a figure that is replaced by the exact one when the answer ends. */
const CHARACTERS_PER_TOKEN = 4;

/** About what a chat costs by the prices in force; undefined where none is known. */
export function estimateCost(
  prices: PriceList['prices'] | undefined,
  model: string,
  input: string,
  output: string,
): NanoUsd | undefined {
  const those = prices?.filter(({ operations }) => operations.includes('createChatCompletion')) ?? [];
  const price =
    those.find((candidate) => candidate.model === model) ??
    those.find((candidate) => candidate.model === null);
  if (price === undefined) {
    return undefined;
  }
  const tokens = (text: string) => BigInt(Math.ceil(text.length / CHARACTERS_PER_TOKEN));
  const perInput = toNano(price.per_token ?? 0);
  const perOutput = toNano(price.per_output_token ?? price.per_token ?? 0);
  const ofOutput = price.counts === 'input' ? 0n : perOutput * tokens(output);
  return toNano(price.base) + perInput * tokens(input) + ofOutput;
}

export type Language = 'curl' | 'node' | 'python';

/** A program that makes the same call. The key is a variable: no secret is ever written into it. */
export function codeFor(language: Language, baseUrl: string, body: CreateChatCompletionRequest): string {
  const json = JSON.stringify(body, null, 2);
  switch (language) {
    case 'curl':
      return [
        `curl ${baseUrl}/v1/chat/completions \\`,
        `  -H "Authorization: Bearer $API_KEY" \\`,
        `  -H 'Content-Type: application/json' \\`,
        `  -d '${json.replaceAll("'", "'\\''")}'`,
      ].join('\n');
    case 'node':
      return [
        `import OpenAI from 'openai';`,
        ``,
        `const client = new OpenAI({ baseURL: '${baseUrl}/v1', apiKey: process.env.API_KEY });`,
        `const stream = await client.chat.completions.create({`,
        `  ...${json.replaceAll('\n', '\n  ')},`,
        `  stream: true,`,
        `});`,
        `for await (const chunk of stream) {`,
        `  process.stdout.write(chunk.choices[0]?.delta?.content ?? '');`,
        `}`,
      ].join('\n');
    case 'python':
      return [
        `import json, os`,
        `from openai import OpenAI`,
        ``,
        `client = OpenAI(base_url="${baseUrl}/v1", api_key=os.environ["API_KEY"])`,
        `body = json.loads(r'''${json.replaceAll("'''", "''\\u0027")}''')`,
        `stream = client.chat.completions.create(**body, stream=True)`,
        `for chunk in stream:`,
        `    if chunk.choices:`,
        `        print(chunk.choices[0].delta.content or "", end="", flush=True)`,
      ].join('\n');
  }
}
