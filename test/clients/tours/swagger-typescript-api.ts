import {
  Api,
  type ApiError,
  type ChatCompletionEvent,
  type CreateChatCompletionRequest,
  type ValidationError,
} from '../generated/swagger-typescript-api';
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
  const open = new Api({ baseUrl: url });
  const account = newcomer('swagger-typescript-api');
  const { data: user } = await open.api.register(account);
  const bearer = async (email: string, password: string) => {
    const { data: session } = await open.api.login({ email, password });
    const headers = { authorization: `Bearer ${session.token}` };
    return new Api({ baseUrl: url, baseApiParams: { headers } });
  };
  const admin = await bearer(adminEmail, adminPassword);
  await admin.api.addCredits({ user_id: user.id, amount_usd: 5, reason: 'a tour' });
  await admin.api.updateUser(user.id, { tier: 'pro' });

  const owner = await bearer(account.email, account.password);
  const { data: key } = await owner.api.createKey({ name: 'tour' });
  const { data: balance } = await owner.api.getBalance();

  const caller = new Api({ baseUrl: url, baseApiParams: { headers: { 'x-api-key': key.key_value } } });
  const { data: stored } = await caller.api.createMemory({ key: 'cape', value: QUESTION });
  const { data: memory } = await caller.api.getMemory(stored.data.id);
  const { data: found } = await caller.api.queryMemories({ keys: ['cape'] });

  const body: CreateChatCompletionRequest = {
    model: MODEL,
    messages: [{ role: 'user', content: [{ type: 'text', text: QUESTION }] }],
    max_tokens: 100,
  };
  const { data: chat } = await caller.v1.createChatCompletion(body);
  // Without a format the body stays a stream; exactOptionalPropertyTypes takes no plain undefined for it.
  const unread = { format: undefined as never };
  const stream = await caller.v1.createChatCompletion({ ...body, stream: true }, unread);
  const streamed = await textOf(eventsOf<ChatCompletionEvent>(given(stream.body)));

  const { data: agent } = await caller.api.createAgent({ name: 'Guide', model: MODEL });
  const asked = { agent_id: agent.data.id, messages: [{ role: 'user' as const, content: QUESTION }] };
  const { data: told } = await caller.api.chatWithAgent(asked);
  const { data: usage } = await owner.api.getUsage();

  const { data: uploaded } = await owner.api.uploadDocument({ file: FILE, metadata: METADATA });
  const listed = await countPages(async (page) => (await owner.api.listTransactions(page)).data);

  const faulty = await owner.api.createKey({ name: '' }).then(
    () => null,
    (answer: { error: ValidationError }) => answer.error,
  );
  const refused = await open.api.getPricing().then(
    () => null,
    (answer: { error: ApiError }) => answer.error,
  );
  return {
    balance: balance.balance,
    memory: memory.data.value,
    found: found.data.total,
    chat: given(chat.choices[0]?.message.content),
    streamed,
    agent: told.data.message.content,
    requests: usage.requests_today,
    uploaded: uploaded.data.title,
    listed,
    fault: given(faulty?.details?.[0]?.field),
    unauthorized: given(refused).error,
  };
});
