import { usdToNano } from '../../../../src/ledger/money';
import type { OperationId } from '../../api/service';
import type { SoakAnswer } from '../soak-calls';
import { anyAccount, inSteps, isServed, step, type Errand, type ErrandScene, type Steps } from './errand';

const CONFIRMED_WITHIN_TRIES = 5;

/** Keys, credits, payments, receipts and webhooks of an account. */
export const accountErrands: readonly Errand[] = [
  { share: 2, run: inSteps(createKey(), limitKey(), useKey, revokeKey(), useRevokedKey) },
  { share: 3, run: compareReceipt },
  {
    share: 2,
    run: async (scene) => {
      const { accounts, calls, random } = scene;
      const name = calls.newName();
      const body = { user_id: random.pick(accounts.rich).id, amount_usd: 0.25, reason: name };
      await calls.call('addCredits', accounts.admin, { body, idempotencyKey: name });
    },
  },
  { share: 2, run: inSteps(createPayment(), confirmPayment) },
  {
    share: 1,
    run: async (scene) => {
      const { accounts, calls, random, webhooks } = scene;
      const account = random.pick(accounts.rich.filter(({ id }) => webhooks.has(id)));
      const params = { webhook_id: webhooks.get(account.id) ?? '' };
      await calls.call('testWebhook', account, { params, body: { event_type: 'balance.low' } });
      await calls.call('listDeliveries', account, { params });
    },
  },
];

function createKey() {
  return step(
    'createKey',
    ({ name }) => ({ body: { name } }),
    (body, memory) => {
      memory.id = body.id;
      memory.name = body.key_value;
    },
  );
}

function limitKey() {
  return step('setKeyLimits', ({ id }) => ({ params: { key_id: id }, body: { daily_limit: 1 } }));
}

function useKey(scene: ErrandScene, { account, name }: Steps): Promise<SoakAnswer> {
  return scene.calls.call('queryMemories', account, { credential: name, body: { limit: 1 } });
}

function revokeKey() {
  return step('revokeKey', ({ id }) => ({ params: { key_id: id } }));
}

/** A key that is said to be revoked is refused, whatever is away. */
async function useRevokedKey(scene: ErrandScene, memory: Steps): Promise<SoakAnswer> {
  const answer = await useKey(scene, memory);
  if (isServed(answer)) {
    scene.faults.push(`the revoked key ${memory.id} was served: ${answer.call.requestId}`);
  }
  return answer;
}

/** An earlier call's receipt says what its header said. */
async function compareReceipt(scene: ErrandScene): Promise<void> {
  const { calls, random, faults, accounts } = scene;
  const recent = calls.told.slice(-RECENT).filter(({ isPriced, isReplay, status }) => {
    return isPriced && !isReplay && (status === 200 || status === 201);
  });
  if (recent.length === 0) {
    return;
  }
  const { requestId, order, costNanoUsd } = random.pick(recent);
  const params = { request_id: requestId };
  const receipt = await calls.call('getRequestReceipt', order.account, { params });
  if (receipt.status === 404) {
    faults.push(`${requestId} was served and has no receipt`);
  } else if (receipt.status === 200 && usdToNano(receipt.body.charged) !== costNanoUsd) {
    faults.push(`${requestId} cost ${costNanoUsd} and its receipt says ${receipt.body.charged}`);
  }
  await calls.call('getCall', accounts.admin, { params });
}

const RECENT = 500;

function createPayment() {
  return step(
    'createPayment',
    ({ name }, { random }) => ({
      idempotencyKey: name,
      body: { amount_usd: 50, currency: random.pick(['BTC', 'ETH', 'SOL']) },
    }),
    (body, memory) => (memory.id = body.id),
  );
}

/** On the sandbox chain the coins arrive when somebody asks. Whoever gets no answer asks again. */
async function confirmPayment({ calls }: ErrandScene, { account, id }: Steps): Promise<SoakAnswer> {
  const confirm: OperationId = 'confirmPayment';
  let answer = await calls.call(confirm, account, { params: { payment_id: id } });
  for (let tries = 1; tries < CONFIRMED_WITHIN_TRIES && !isServed(answer); tries += 1) {
    answer = await calls.call(confirm, account, { params: { payment_id: id } });
  }
  return answer;
}

/** Logs in as anybody, and out again. */
export const loginErrand: Errand = {
  share: 0.5,
  run: async (scene) => {
    const { calls } = scene;
    const account = anyAccount(scene);
    const { email, password } = account;
    const login = await calls.call('login', account, { body: { email, password } });
    if (!isServed(login)) {
      return;
    }
    const credential = login.body.token;
    await calls.call('getCurrentUser', account, { credential });
    const logout = await calls.call('logout', account, { credential });
    const after = isServed(logout) ? await calls.call('getCurrentUser', account, { credential }) : null;
    if (after !== null && isServed(after)) {
      scene.faults.push(`a token that was logged out was served: ${after.call.requestId}`);
    }
  },
};
