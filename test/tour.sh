#!/usr/bin/env bash
# Does what the README's tour says, against a service that it starts in a folder of its own, and compares every
# number to the nano-dollar. Needs only what `npm ci` has installed.
set -euo pipefail
cd "$(dirname "$0")/.."

data=$(mktemp -d)
chmod 755 "$data"
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
env -u DATABASE_URL -u REDIS_URL ALLOW_INSECURE_WEBHOOKS=true DATA_DIR="$data" PORT="$port" npm start >"$data/service.log" 2>&1 &
service=$!
finish() {
  kill "$service" 2>/dev/null || true
  wait "$service" 2>/dev/null || true
  rm -rf "$data"
}
trap finish EXIT

url="http://127.0.0.1:$port"
for _ in $(seq 1 300); do
  curl -fsS "$url/health/ready" >/dev/null 2>&1 && break
  kill -0 "$service" || { cat "$data/service.log"; exit 1; }
  sleep 0.2
done
curl -fsS "$url/health/ready" >/dev/null

node --input-type=commonjs - "$url" "$data/admin.json" <<'SCRIPT'
const assert = require('node:assert/strict');
const { createHmac } = require('node:crypto');
const { EventEmitter, once } = require('node:events');
const { readFileSync } = require('node:fs');
const { createServer } = require('node:http');
const OpenAI = require('openai').default;

const [url, adminFile] = process.argv.slice(2);

/** Asks again when it is told to wait: on a fast machine the tour makes more calls a second than its account may. */
async function fetched(method, path, request = {}) {
  const { token, key, body, status = 200 } = request;
  const isForm = body instanceof FormData;
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(body && !isForm && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(key && { 'x-api-key': key }),
    },
    body: isForm ? body : body && JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status === 429) {
    await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get('retry-after')) * 1000));
    return fetched(method, path, request);
  }
  assert.equal(response.status, status, `${method} ${path}: ${text}`);
  return text;
}

async function call(method, path, request) {
  const text = await fetched(method, path, request);
  return text === '' ? undefined : JSON.parse(text);
}

/** A receiver of webhooks on this machine. Events come in no promised order: `next` waits for the next one of a type. */
async function listen() {
  const deliveries = [];
  const arrivals = new EventEmitter();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    response.writeHead(204).end();
    deliveries.push({ body, event: JSON.parse(body), headers: request.headers });
    arrivals.emit('delivery');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const next = async (type) => {
    for (;;) {
      const index = deliveries.findIndex(({ event }) => event.event_type === type);
      if (index >= 0) {
        return deliveries.splice(index, 1)[0];
      }
      await once(arrivals, 'delivery');
    }
  };
  return { server, next, url: `http://127.0.0.1:${server.address().port}/` };
}

/** Documents, search and a task. Returns what they cost together, in nano-USD. */
async function hub(key, nano) {
  const content = '# Hours\n\nThe library opens at nine on weekdays. On Sundays it stays closed.\n\n# Cards\n\nA card costs ten euros a year.';
  const document = { document_id: 'handbook', content };
  const indexed = await call('POST', '/api/hub/rag/index', { key, body: document, status: 201 });
  const question = { query: 'When does the library open?', max_tokens: 100 };
  const answered = await call('POST', '/api/hub/rag/generate', { key, body: question });
  const { found, citations } = answered.data;
  assert.ok(found && citations.length > 0);
  assert.match(citations[0].quote, /opens at nine/);
  for (const { quote, start, end } of citations) {
    assert.equal(content.slice(start, end), quote);
  }

  const items = [
    { id: 'tea-42', title: 'Green tea', content: 'A mild green tea from Uji, picked in May.' },
    { id: 'cup-7', title: 'A cup', content: 'A cup of glass, for hot chocolate.' },
  ];
  const stored = await call('POST', '/api/hub/search/index', { key, body: { items }, status: 201 });
  const searched = await call('POST', '/api/hub/search', { key, body: { query: 'chocolat' } });
  assert.deepEqual([searched.data.results[0].id, searched.data.corrected_query], ['cup-7', 'chocolate']);

  const parameters = { processing_type: 'entities', content: 'Mara lit the lamp on 4 May 1874.' };
  const order = { task_type: 'processAdvanced', priority: 'high', parameters };
  const submitted = await call('POST', '/api/hub/tasks', { key, body: order, status: 201 });
  let task = submitted.data;
  for (let round = 0; round < 300 && task.finished_at === null; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    task = (await call('GET', `/api/hub/tasks/${task.id}`, { key })).data;
  }
  assert.deepEqual([task.status, task.attempts, task.progress], ['succeeded', 1, 100]);
  assert.ok(task.result.data.result.entities.some(({ value }) => value === '1874-05-04'));
  assert.equal(nano(task.cost), nano(task.result.metadata.cost));
  const calls = [indexed, answered, stored, searched, submitted];
  return calls.reduce((sum, { metadata }) => sum + nano(metadata.cost), nano(task.cost));
}

/** Uploads, processes and reads a document. Returns what that cost, in nano-USD. */
async function documents(token, nano) {
  const text = 'Invoice number: INV-2027-17\n\nBlue GmbH pays EUR 12,500.00 by 1 March 2027, when the goods have arrived.\n';
  const form = new FormData();
  form.append('metadata', JSON.stringify({ title: 'Invoice', type: 'txt' }));
  form.append('file', new Blob([text]), 'invoice.txt');
  const uploaded = await call('POST', '/api/documents/upload', { token, body: form, status: 201 });
  const path = `/api/documents/${uploaded.data.id}`;
  assert.equal(await fetched('GET', `${path}/content`, { token }), text);
  const processed = await call('POST', `${path}/process`, { token });
  let document = processed.data;
  for (let round = 0; round < 300 && document.status === 'processing'; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    document = (await call('GET', path, { token })).data;
  }
  assert.deepEqual([document.status, document.progress, document.language], ['ready', 100, 'en']);
  const extracted = await call('POST', `${path}/extract`, { token, body: { what: 'amounts' } });
  assert.deepEqual(
    extracted.data.amounts.map(({ text, amount, currency }) => [text, amount, currency]),
    [['EUR 12,500.00', '12500.00', 'EUR']],
  );
  return [uploaded, processed, extracted].reduce((sum, { metadata }) => sum + nano(metadata.cost), 0);
}

async function main() {
  const credentials = { email: 'mary@example.com', password: 'a long and lovely password' };
  const user = await call('POST', '/api/auth/register', { body: { ...credentials, username: 'mary' }, status: 201 });
  const { token } = await call('POST', '/api/auth/login', { body: credentials });

  const admin = await call('POST', '/api/auth/login', { body: JSON.parse(readFileSync(adminFile, 'utf8')) });
  const credit = { user_id: user.id, amount_usd: 5, reason: 'a tour' };
  await call('POST', '/api/payments/credits/add', { token: admin.token, body: credit, status: 201 });
  await call('PUT', `/api/admin/users/${user.id}`, { token: admin.token, body: { tier: 'pro' } });

  const key = await call('POST', '/api/keys', { token, body: { name: 'tour' }, status: 201 });
  await call('PUT', `/api/keys/${key.id}/limits`, { token, body: { daily_limit: 1, per_request_limit: 0.05 } });

  const receiver = await listen();
  const subscription = { url: receiver.url, events: ['balance.updated', 'payment.confirmed'] };
  const webhook = await call('POST', '/api/webhooks', { token, body: subscription, status: 201 });

  const nano = (usd) => Math.round(usd * 1e9);
  const order = { amount_usd: 50, currency: 'BTC' };
  const payment = await call('POST', '/api/payments/payments', { token, body: order, status: 201 });
  assert.deepEqual(
    [payment.status, payment.network, payment.rate, payment.amount_crypto_text, payment.credited_usd],
    ['created', 'sandbox', 100_000, '0.0005', 0],
  );
  assert.equal(payment.payment_uri, `bitcoin:${payment.address}?amount=0.0005`);
  const image = await fetched('GET', payment.qr_path, { token });
  assert.match(image, /^<svg .*<\/svg>$/s);
  const confirmed = await call('POST', `/api/payments/payments/${payment.id}/confirm`, { token });
  assert.deepEqual([confirmed.status, confirmed.credited_usd], ['confirmed', 50]);
  const paid = (await receiver.next('payment.confirmed')).event.data;
  assert.deepEqual(
    [paid.payment_id, paid.tx_hash, paid.previous_balance, paid.new_balance],
    [payment.id, confirmed.tx_hash, 5, 55],
  );
  const deposited = (await receiver.next('balance.updated')).event.data;
  assert.deepEqual(
    [deposited.change, deposited.new_balance, deposited.reference_id],
    [50, 55, `payment:${payment.id}`],
  );
  assert.equal((await call('GET', '/api/payments/credits/balance', { token })).balance, 55);

  const client = new OpenAI({ apiKey: key.key_value, baseURL: `${url}/v1` });
  const { data: completion, response } = await client.chat.completions
    .create({
      model: 'embedded-extractive-1',
      messages: [
        { role: 'system', content: 'The lighthouse was built in 1874. It stands on the northern cape.' },
        { role: 'user', content: 'When was the lighthouse built?' },
      ],
      max_tokens: 100,
    })
    .withResponse();
  assert.match(completion.choices[0].message.content, /1874/);

  const header = (name) => {
    const value = response.headers.get(name);
    assert.notEqual(value, null, `${name} is missing`);
    return Number(value);
  };
  const tokens = completion.usage.total_tokens;
  const cost = 2_000_000 + 10_000 * tokens;
  assert.equal(header('X-Tokens-Used'), tokens);
  assert.equal(nano(header('X-Request-Cost')), cost);
  assert.equal(nano(header('X-Balance-Remaining')), 55_000_000_000 - cost);
  for (const name of ['Limit', 'Remaining', 'Reset', 'Window']) {
    assert.ok(header(`X-RateLimit-${name}`) >= 0);
  }
  const requestId = response.headers.get('X-Request-Id');

  const { body, event, headers } = await receiver.next('balance.updated');
  assert.equal(headers['x-service-signature'], `sha256=${createHmac('sha256', webhook.secret).update(body).digest('hex')}`);
  assert.equal(nano(event.data.change), -cost);
  assert.equal(nano(event.data.new_balance), 55_000_000_000 - cost);
  const cause = { cause: 'call', request_id: requestId, route: '/v1/chat/completions', method: 'POST' };
  assert.deepEqual(event.data.metadata, cause);
  await call('DELETE', `/api/webhooks/${webhook.id}`, { token, status: 204 });
  receiver.server.close();
  receiver.server.closeAllConnections();

  const { balance } = await call('GET', '/api/payments/credits/balance', { token });
  assert.equal(nano(balance), 55_000_000_000 - cost);
  const { transactions } = await call('GET', '/api/payments/transactions', { token });
  assert.deepEqual(transactions.map(({ type, amount }) => [type, nano(amount)]), [['charge', -cost], ['deposit', 50_000_000_000], ['deposit', 5_000_000_000]]);
  assert.equal(transactions[0].request_id, requestId);
  assert.equal(nano(transactions[0].balance_after), nano(balance));
  const usage = await call('GET', '/api/monitoring/usage', { token });
  assert.deepEqual([usage.requests_today, nano(usage.cost_today), usage.tokens_today], [1, cost, tokens]);
  const receipt = await call('GET', `/api/monitoring/requests/${requestId}`, { token });
  assert.deepEqual([nano(receipt.charged), receipt.outcome, receipt.transaction_id], [cost, 'settled', transactions[0].id]);
  assert.equal(nano(receipt.reserved) - nano(receipt.released), cost);
  const limits = await call('GET', `/api/keys/${key.id}/limits`, { token });
  assert.equal(nano(limits.daily_spent), cost);
  assert.equal(nano(limits.daily_remaining), 1_000_000_000 - cost);

  const stream = await client.chat.completions.create({
    model: 'embedded-extractive-1',
    messages: [{ role: 'user', content: 'The cape has a lighthouse. Its lamp was lit in 1874. When was the lamp lit?' }],
    max_tokens: 100,
    stream: true,
    stream_options: { include_usage: true },
  });
  let said = '';
  let streamed;
  for await (const { choices, usage: told } of stream) {
    said += choices[0]?.delta.content ?? '';
    streamed = told ?? streamed;
  }
  assert.match(said, /1874/);
  assert.equal(nano(streamed.cost), 2_000_000 + 10_000 * streamed.total_tokens);
  const rest = await call('GET', '/api/payments/credits/balance', { token });
  assert.equal(nano(rest.balance), 55_000_000_000 - cost - nano(streamed.cost));

  const spent = (await hub(key.key_value, nano)) + (await documents(token, nano));
  const left = await call('GET', '/api/payments/credits/balance', { token });
  assert.equal(nano(left.balance), nano(rest.balance) - spent);

  const books = await call('GET', '/api/admin/reconciliation', { token: admin.token });
  assert.deepEqual([books.difference_usd, books.open_reservations, books.mismatches], [0, 0, []]);
  console.log(`The tour holds: one chat of ${tokens} tokens cost ${cost / 1e9} USD, wherever it is told.`);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
SCRIPT
