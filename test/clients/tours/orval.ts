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
} from '../generated/orval';
import { serve } from './orval-fetch';
import {
  countPages,
  FILE,
  given,
  METADATA,
  MODEL,
  newcomer,
  QUESTION,
  run,
  type Seen,
  type Start,
} from './tour';

/** The answer, which has to have this status: that is what the generated types tell its kinds apart by. */
function only<Answer extends { status: number }, Status extends Answer['status']>(
  answer: Answer,
  status: Status,
): Extract<Answer, { status: Status }> {
  if (answer.status !== status) {
    throw new Error(`${answer.status}: ${JSON.stringify(answer)}`);
  }
  return answer as Extract<Answer, { status: Status }>;
}

run(async ({ url, adminEmail, adminPassword }: Start): Promise<Seen> => {
  serve(url);
  const account = newcomer('orval');
  const { data: user } = only(await register(account), 201);
  const bearer = async (email: string, password: string) => {
    const { data: session } = only(await login({ email, password }), 200);
    return { headers: { authorization: `Bearer ${session.token}` } };
  };
  const admin = await bearer(adminEmail, adminPassword);
  only(await addCredits({ user_id: user.id, amount_usd: 5, reason: 'a tour' }, admin), 201);
  only(await updateUser(user.id, { tier: 'pro' }, admin), 200);

  const owner = await bearer(account.email, account.password);
  const { data: key } = only(await createKey({ name: 'tour' }, owner), 201);
  const { data: balance } = only(await getBalance(owner), 200);

  const caller = { headers: { 'x-api-key': key.key_value } };
  const { data: stored } = only(await createMemory({ key: 'cape', value: QUESTION }, caller), 201);
  const { data: memory } = only(await getMemory(stored.data.id, caller), 200);
  const { data: found } = only(await queryMemories({ keys: ['cape'] }, caller), 200);

  const content = [{ type: 'text' as const, text: QUESTION }];
  const body = { model: MODEL, messages: [{ role: 'user' as const, content }], max_tokens: 100 };
  const { data: chat } = only(await createChatCompletion(body, caller), 200);

  const { data: agent } = only(await createAgent({ name: 'Guide', model: MODEL }, caller), 201);
  const asked = { agent_id: agent.data.id, messages: [{ role: 'user' as const, content: QUESTION }] };
  const { data: told } = only(await chatWithAgent(asked, caller), 200);
  const { data: usage } = only(await getUsage({}, owner), 200);

  const { data: uploaded } = only(await uploadDocument({ file: FILE, metadata: METADATA }, owner), 201);
  const listed = await countPages(async (page) => only(await listTransactions(page, owner), 200).data);

  const { data: faulty } = only(await createKey({ name: '' }, owner), 400);
  const refused = only(await getPricing(), 401);
  return {
    balance: balance.balance,
    memory: memory.data.value,
    found: found.data.total,
    chat:
      'object' in chat && chat.object === 'chat.completion' ? given(chat.choices[0]?.message.content) : '',
    // Its functions read every answer whole and as JSON.
    streamed: null,
    agent: 'choices' in told || 'error' in told ? '' : told.data.message.content,
    requests: usage.requests_today,
    uploaded: uploaded.data.title,
    listed,
    fault: given(faulty.details?.[0]?.field),
    unauthorized: refused.data.error,
  };
});
