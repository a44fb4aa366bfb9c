// What programs that use these packages, unchanged, see of this service: each line of the output is one call, as JSON.
import { createOpenAI } from '@ai-sdk/openai';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { embed, generateText } from 'ai';
import OpenAI from 'openai';

const [, , baseURL, key, poorKey, model] = process.argv;
const prompt = 'Hello';

const openai = (apiKey) => new OpenAI({ apiKey, baseURL, maxRetries: 0 });
const ai = (apiKey) => createOpenAI({ apiKey, baseURL });
const langchain = (apiKey, maxTokens) =>
  new ChatOpenAI({ apiKey, model, maxTokens, maxRetries: 0, configuration: { baseURL } });

const ask = {
  openai: async (apiKey, max_tokens) => {
    const messages = [{ role: 'user', content: prompt }];
    return (await openai(apiKey).chat.completions.create({ model, messages, max_tokens })).choices[0].message
      .content;
  },
  'ai-sdk': async (apiKey, maxOutputTokens) =>
    (await generateText({ model: ai(apiKey).chat(model), prompt, maxOutputTokens, maxRetries: 0 })).text,
  langchain: async (apiKey, maxTokens) => {
    return (await langchain(apiKey, maxTokens).invoke(prompt)).content;
  },
};

const vectors = {
  openai: async () =>
    (await openai(key).embeddings.create({ model, input: prompt })).data[0].embedding.length,
  'ai-sdk': async () =>
    (await embed({ model: ai(key).textEmbeddingModel(model), value: prompt, maxRetries: 0 })).embedding
      .length,
  langchain: async () => {
    const embeddings = new OpenAIEmbeddings({
      apiKey: key,
      model,
      maxRetries: 0,
      configuration: { baseURL },
    });
    return (await embeddings.embedQuery(prompt)).length;
  },
};

/** What a program can read of an error; the AI SDK keeps the parsed body beside. */
function readable(error) {
  const body = error.data?.error ?? error.error ?? {};
  return {
    status: error.status ?? error.statusCode,
    message: error.message,
    code: error.code ?? body.code,
    type: error.type ?? body.type,
    required: body.required ?? JSON.parse(error.responseBody ?? '{}').error?.required,
    affordable:
      body.affordable_max_tokens ?? JSON.parse(error.responseBody ?? '{}').error?.affordable_max_tokens,
  };
}

const outcome = (call) =>
  call.then(
    (value) => ({ value }),
    (error) => ({ error: readable(error) }),
  );

for (const name of Object.keys(ask)) {
  const seen = {
    name,
    answered: await outcome(ask[name](key, undefined)),
    poor: await outcome(ask[name](poorKey, 1000)),
    wrong: await outcome(ask[name]('svc_test_wrong', 1000)),
    vector: await outcome(vectors[name]()),
  };
  console.log(JSON.stringify(seen));
}
