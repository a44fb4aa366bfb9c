import { createClient } from '../generated/hey-api/client';
import {
  addCredits,
  chatWithAgent,
  createAgent,
  createChatCompletion,
  createKey,
  createMemory,
  getBalance,
  getMemory,
  getPricing,
  getUsage,
  listTransactions,
  login,
  queryMemories,
  register,
  updateUser,
  uploadDocument,
} from '../generated/hey-api/sdk.gen';
import type { ChatCompletionEvent, CreateChatCompletionRequest } from '../generated/hey-api/types.gen';
import {
  countPages,
  eventsOf,
  FILE,
  given,
  METADATA,
  MODEL,
  newcomer,
  QUESTION,
  run,
  textOf,
  type Seen,
  type Start,
} from './tour';

run(async ({ url, adminEmail, adminPassword }: Start): Promise<Seen> => {
  const open = createClient({ baseUrl: url });
  const account = newcomer('hey-api');
  const user = given((await register({ client: open, body: account })).data);
  const bearer = async (email: string, password: string) => {
    const session = given((await login({ client: open, body: { email, password } })).data);
    return createClient({ baseUrl: url, auth: session.token });
  };
  const admin = await bearer(adminEmail, adminPassword);
  const credit = { user_id: user.id, amount_usd: 5, reason: 'a tour' };
  given((await addCredits({ client: admin, body: credit })).data);
  given((await updateUser({ client: admin, path: { user_id: user.id }, body: { tier: 'pro' } })).data);

  const owner = await bearer(account.email, account.password);
  const key = given((await createKey({ client: owner, body: { name: 'tour' } })).data);
  const { balance } = given((await getBalance({ client: owner })).data);

  const client = createClient({ baseUrl: url, auth: key.key_value });
  const stored = given((await createMemory({ client, body: { key: 'cape', value: QUESTION } })).data);
  const memory = given((await getMemory({ client, path: { memory_id: stored.data.id } })).data);
  const found = given((await queryMemories({ client, body: { keys: ['cape'] } })).data);

  const body: CreateChatCompletionRequest = {
    model: MODEL,
    messages: [{ role: 'user', content: [{ type: 'text', text: QUESTION }] }],
    max_tokens: 100,
  };
  const chat = given((await createChatCompletion({ client, body })).data);
  const stream = await createChatCompletion({ client, body: { ...body, stream: true }, parseAs: 'stream' });
  const bytes = given(stream.data) as unknown as ReadableStream<Uint8Array>;
  const streamed = await textOf(eventsOf<ChatCompletionEvent>(bytes));

  const agent = given((await createAgent({ client, body: { name: 'Guide', model: MODEL } })).data);
  const asked = { agent_id: agent.data.id, messages: [{ role: 'user' as const, content: QUESTION }] };
  const told = given((await chatWithAgent({ client, body: asked })).data);
  const usage = given((await getUsage({ client: owner })).data);

  const upload = { file: FILE, metadata: METADATA };
  const uploaded = given((await uploadDocument({ client: owner, body: upload })).data);
  const listed = await countPages(async (query) =>
    given((await listTransactions({ client: owner, query })).data),
  );

  const refused = await createKey({ client: owner, body: { name: '' } });
  const fault = refused.error && 'details' in refused.error ? refused.error.details?.[0]?.field : null;
  const { error } = await getPricing({ client: open });
  return {
    balance,
    memory: memory.data.value,
    found: found.data.total,
    chat:
      'object' in chat && chat.object === 'chat.completion' ? given(chat.choices[0]?.message.content) : '',
    streamed,
    agent: 'choices' in told || 'error' in told ? '' : told.data.message.content,
    requests: usage.requests_today,
    uploaded: uploaded.data.title,
    listed,
    fault: given(fault),
    unauthorized: given(error).error,
  };
});
