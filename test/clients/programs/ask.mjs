// What programs that use these packages, unchanged, see of this service. Each line of the input is a question as JSON, with the
// client that asks, what it asks for and the model; each line of the output is what came of it.
import { createOpenAI } from '@ai-sdk/openai';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { embed, generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { createInterface } from 'node:readline';

const [, , baseURL, key] = process.argv;
const prompt = 'What is in a.txt?';
const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const described = { name: 'read', description: 'Reads a file.' };
const read = ({ path }) => `${path}: The cape.`;

const openai = new OpenAI({ apiKey: key, baseURL, maxRetries: 0 });
const messages = (content = prompt) => [{ role: 'user', content }];
const chatUse = ({ prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details: details }) => ({
  tokens: [prompt_tokens, completion_tokens, total_tokens],
  cached: details?.cached_tokens ?? 0,
});
const responseUse = ({ input_tokens, output_tokens, total_tokens, input_tokens_details: details }) => ({
  tokens: [input_tokens, output_tokens, total_tokens],
  cached: details?.cached_tokens ?? 0,
});

const byOpenai = {
  chat: async ({ model, content, max_tokens }) => {
    const answer = await openai.chat.completions.create({ model, messages: messages(content), max_tokens });
    return { text: answer.choices[0].message.content, ...chatUse(answer.usage) };
  },
  stream: async ({ model }) => {
    const stream_options = { include_usage: true };
    const stream = openai.chat.completions.stream({ model, messages: messages(), stream_options });
    const answer = await stream.finalChatCompletion();
    return { text: answer.choices[0].message.content, ...chatUse(answer.usage) };
  },
  tools: async ({ model, stream = false }) => {
    const calls = [];
    const run = (argument) => (calls.push(argument), read(argument));
    const tools = [
      { type: 'function', function: { ...described, parameters, parse: JSON.parse, function: run } },
    ];
    const runner = openai.chat.completions.runTools({ model, messages: messages(), tools, stream });
    return { text: await runner.finalContent(), calls };
  },
  responses: async ({ model }) => {
    const answer = await openai.responses.create({ model, input: prompt });
    return { text: answer.output_text, ...responseUse(answer.usage) };
  },
  'responses-stream': async ({ model }) => {
    const answer = await openai.responses.stream({ model, input: prompt }).finalResponse();
    return { text: answer.output_text, ...responseUse(answer.usage) };
  },
  embed: async ({ model }) => {
    const { data } = await openai.embeddings.create({ model, input: prompt });
    return { vector: data[0].embedding };
  },
};

const ai = createOpenAI({ apiKey: key, baseURL });
const aiUse = ({ inputTokens, outputTokens, totalTokens, inputTokenDetails }) => ({
  tokens: [inputTokens, outputTokens, totalTokens],
  cached: inputTokenDetails?.cacheReadTokens ?? 0,
});
const generated = async (model, options = {}) => {
  const answer = await generateText({ model, prompt, maxRetries: 0, ...options });
  return { text: answer.text, ...aiUse(answer.usage) };
};
const streamed = async (model, options = {}) => {
  let failure = null;
  const onError = ({ error }) => (failure = error);
  const stream = streamText({ model, prompt, maxRetries: 0, onError, ...options });
  const text = await stream.text.catch((error) => Promise.reject(failure ?? error));
  if (failure) {
    throw failure;
  }
  return { text, ...aiUse(await stream.usage) };
};
const withTools = async (ask) => {
  const calls = [];
  const execute = (argument) => (calls.push(argument), read(argument));
  const tools = { read: tool({ ...described, inputSchema: jsonSchema(parameters), execute }) };
  const { text } = await ask({ tools, stopWhen: stepCountIs(3) });
  return { text, calls };
};

const byAiSdk = {
  chat: ({ model, content, max_tokens: maxOutputTokens }) =>
    generated(ai.chat(model), {
      maxOutputTokens,
      ...(content && { prompt: [{ role: 'user', content: content.map(aiPart) }] }),
    }),
  stream: ({ model }) => streamed(ai.chat(model)),
  tools: ({ model, stream = false }) =>
    withTools((options) => (stream ? streamed : generated)(ai.chat(model), options)),
  responses: ({ model }) => generated(ai(model)),
  'responses-stream': ({ model }) => streamed(ai(model)),
  'responses-tools': ({ model }) => withTools((options) => generated(ai(model), options)),
  /** A second turn, which by default names the first answer by the id that it had. */
  'responses-turns': async ({ model, store }) => {
    const providerOptions = { openai: store === undefined ? {} : { store } };
    const asked = { model: ai(model), maxRetries: 0, providerOptions };
    const { response } = await generateText({ ...asked, prompt });
    const turns = [
      { role: 'user', content: prompt },
      ...response.messages,
      { role: 'user', content: 'Sure?' },
    ];
    return { text: (await generateText({ ...asked, messages: turns })).text };
  },
  embed: async ({ model }) => {
    const { embedding } = await embed({ model: ai.textEmbeddingModel(model), value: prompt, maxRetries: 0 });
    return { vector: embedding };
  },
};

function aiPart({ type, text, image_url: image }) {
  return type === 'text' ? { type, text } : { type: 'image', image: image.url };
}

const langchain = (model, options = {}) =>
  new ChatOpenAI({
    apiKey: key,
    model,
    maxRetries: 0,
    streamUsage: true,
    configuration: { baseURL },
    ...options,
  });
const langchainUse = ({ usage_metadata: use }) => ({
  tokens: [use.input_tokens, use.output_tokens, use.total_tokens],
  cached: use.input_token_details?.cache_read ?? 0,
});
const invoked = async (chat, content = prompt) => {
  const answer = await chat.invoke(messages(content));
  return { text: answer.text, ...langchainUse(answer) };
};
const gathered = async (chat) => {
  let whole = null;
  for await (const piece of await chat.stream(prompt)) {
    whole = whole === null ? piece : whole.concat(piece);
  }
  return { text: whole.text, ...langchainUse(whole) };
};
const looped = async (model, stream) => {
  const chat = langchain(model).bindTools([{ type: 'function', function: { ...described, parameters } }]);
  const turns = messages();
  const calls = [];
  for (let turn = 0; turn < 3; turn += 1) {
    let answer = null;
    for await (const piece of stream ? await chat.stream(turns) : [await chat.invoke(turns)]) {
      answer = answer === null ? piece : answer.concat(piece);
    }
    if (answer.tool_calls.length === 0) {
      return { text: answer.text, calls };
    }
    turns.push(answer);
    for (const { id, args } of answer.tool_calls) {
      calls.push(args);
      turns.push({ role: 'tool', tool_call_id: id, content: read(args) });
    }
  }
  throw new Error('the model calls tools without end');
};

const byLangchain = {
  chat: ({ model, content, max_tokens: maxTokens }) => invoked(langchain(model, { maxTokens }), content),
  stream: ({ model }) => gathered(langchain(model)),
  tools: ({ model, stream = false }) => looped(model, stream),
  responses: ({ model }) => invoked(langchain(model, { useResponsesApi: true })),
  'responses-stream': ({ model }) => gathered(langchain(model, { useResponsesApi: true })),
  embed: async ({ model }) => {
    const options = { apiKey: key, model, maxRetries: 0, configuration: { baseURL } };
    return { vector: await new OpenAIEmbeddings(options).embedQuery(prompt) };
  },
};

const CLIENTS = { openai: byOpenai, 'ai-sdk': byAiSdk, langchain: byLangchain };

/** What a program can read of an error; the AI SDK keeps the body as a text beside. */
function readable(error) {
  const body = error.error ?? JSON.parse(error.responseBody ?? '{}').error ?? error.data?.error ?? {};
  return {
    status: error.status ?? error.statusCode ?? null,
    message: error.message,
    code: error.code ?? body.code ?? null,
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { client, what, ...question } = JSON.parse(line);
  const outcome = await CLIENTS[client][what](question).then(
    (value) => ({ value }),
    (error) => ({ error: readable(error) }),
  );
  console.log(JSON.stringify(outcome));
}
