import createClient from 'openapi-fetch';
import type { components, paths } from '../generated/openapi-fetch';
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

type ChatEvent = components['schemas']['ChatCompletionEvent'];

run(async ({ url, adminEmail, adminPassword }: Start): Promise<Seen> => {
  const open = createClient<paths>({ baseUrl: url });
  const account = newcomer('openapi-fetch');
  const user = given((await open.POST('/api/auth/register', { body: account })).data);
  const bearer = async (email: string, password: string) => {
    const { data } = await open.POST('/api/auth/login', { body: { email, password } });
    return createClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${given(data).token}` } });
  };
  const admin = await bearer(adminEmail, adminPassword);
  const credit = { user_id: user.id, amount_usd: 5, reason: 'a tour' };
  given((await admin.POST('/api/payments/credits/add', { body: credit })).data);
  await admin.PUT('/api/admin/users/{user_id}', {
    params: { path: { user_id: user.id } },
    body: { tier: 'pro' },
  });

  const owner = await bearer(account.email, account.password);
  const key = given((await owner.POST('/api/keys', { body: { name: 'tour' } })).data);
  const { balance } = given((await owner.GET('/api/payments/credits/balance')).data);

  const caller = createClient<paths>({ baseUrl: url, headers: { 'x-api-key': key.key_value } });
  const stored = given(
    (await caller.POST('/api/hub/memory', { body: { key: 'cape', value: QUESTION } })).data,
  );
  const path = { memory_id: stored.data.id };
  const memory = given((await caller.GET('/api/hub/memory/{memory_id}', { params: { path } })).data);
  const found = given((await caller.POST('/api/hub/memory/query', { body: { keys: ['cape'] } })).data);

  const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: QUESTION }] }];
  const body = { model: MODEL, messages, max_tokens: 100 };
  const chat = given((await caller.POST('/v1/chat/completions', { body })).data);
  const stream = await caller.POST('/v1/chat/completions', {
    body: { ...body, stream: true },
    parseAs: 'stream',
  });
  const streamed = await textOf(eventsOf<ChatEvent>(given(stream.data)));

  const agent = given((await caller.POST('/api/hub/agents', { body: { name: 'Guide', model: MODEL } })).data);
  const asked = { agent_id: agent.data.id, messages: [{ role: 'user' as const, content: QUESTION }] };
  const told = given((await caller.POST('/api/hub/agents/chat', { body: asked })).data);
  const usage = given((await owner.GET('/api/monitoring/usage')).data);

  const uploaded = await owner.POST('/api/documents/upload', {
    // Its types call a file a text, and a form is serialised by a function of one's own.
    body: { file: FILE as unknown as string, metadata: METADATA },
    bodySerializer: ({ file, metadata }) => {
      const form = new FormData();
      form.append('file', file as unknown as File);
      form.append('metadata', JSON.stringify(metadata));
      return form;
    },
  });
  const listed = await countPages(async (page) =>
    given((await owner.GET('/api/payments/transactions', { params: { query: page } })).data),
  );

  const refused = await owner.POST('/api/keys', { body: { name: '' } });
  const fault = refused.error && 'details' in refused.error ? refused.error.details?.[0]?.field : null;
  const { error } = await open.GET('/api/pricing');
  return {
    balance,
    memory: memory.data.value,
    found: found.data.total,
    chat:
      'object' in chat && chat.object === 'chat.completion' ? given(chat.choices[0]?.message.content) : '',
    streamed,
    agent: 'choices' in told || 'error' in told ? '' : told.data.message.content,
    requests: usage.requests_today,
    uploaded: given(uploaded.data).data.title,
    listed,
    fault: given(fault),
    unauthorized: given(error).error,
  };
});
