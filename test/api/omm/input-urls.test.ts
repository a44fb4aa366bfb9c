import { AddressResolver } from '../../../src/http/outbound/outbound-http';
import { callAs } from '../../support/api/call-as';
import { TestService } from '../../support/api/service';
import { World } from '../../support/api/world';
import { ledgerFaults } from '../../support/ledger/ledger-faults';
import { base64, NEWS, picture, textInput } from '../../support/omm/inputs';
import { HttpsReceiver } from '../../support/receiver/https-receiver';
import { InnerServer } from '../../support/receiver/inner-server';
import { depth } from '../../support/jest/depth';
import { until } from '../../support/until';

const MIB = 1024 * 1024;
const TIMES_MS_MAX = depth('URL_MS_MAX', { short: Infinity, deep: 8_000 });

let receiver: HttpsReceiver;
let service: TestService;
let world: World;

beforeAll(async () => {
  receiver = await HttpsReceiver.start();
  service = await TestService.start({ ...receiver.environment, ALLOW_INSECURE_INPUT_URLS: 'true' });
});
beforeEach(async () => {
  world = await World.create(service);
  receiver.requests.length = 0;
});
afterEach(async () => {
  jest.restoreAllMocks();
  expect(await ledgerFaults(service.database)).toEqual([]);
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

describe('an input that is an address', () => {
  it('is fetched, told by its bytes whatever it is called, and charged by what was read', async () => {
    receiver.reaction = { kind: 'answer', status: 200, body: `<html><body><p>${NEWS}</p></body></html>` };
    const before = await world.balanceNanoUsd();
    const { status, body } = await analyze([{ type: 'url', url: receiver.url('/news.png') }]);
    expect([status, body.data.results[0]?.media_type, body.data.results[0]?.type]).toEqual([
      200,
      'text/html',
      'text',
    ]);
    expect(before - (await world.balanceNanoUsd())).toBe(
      3_000_000n + 20_000n * BigInt(body.data.usage.total_tokens),
    );
    expect(receiver.requests.map(({ method, path }) => [method, path])).toEqual([['GET', '/news.png']]);
    expect(receiver.requests[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it('may be a picture', async () => {
    const bytes = Buffer.from(await picture(30, 10), 'base64');
    receiver.reaction = {
      kind: 'answer',
      status: 200,
      body: bytes,
      headers: { 'content-type': 'text/html' },
    };
    const { body } = await analyze([{ type: 'image', url: receiver.url() }]);
    expect(body.data.results[0]).toMatchObject({ type: 'image', image: { width: 30, height: 10 } });
  });

  it('has to be what its type says', async () => {
    receiver.reaction = { kind: 'answer', status: 200, body: NEWS };
    const message = "inputs.0: an input of type image can't be text/plain.";
    await expectRefused([{ type: 'image', url: receiver.url() }], 422, message);
  });

  it('is not fetched for a caller without a credential, with a faulty body, or without credit', async () => {
    receiver.reaction = { kind: 'answer', status: 200, body: NEWS };
    const inputs = [{ type: 'url', url: receiver.url() }];
    const anonymous = await service.call('analyzeInputs', { body: { inputs } });
    const faulty = await callAs('analyzeInputs', world, { body: { inputs, colour: 'red' } });
    await world.setBalanceUsd(world.owner, '0.05');
    const poor = await callAs('analyzeInputs', world, { body: { inputs } });
    expect([anonymous.status, faulty.status, poor.status, receiver.requests]).toEqual([401, 400, 402, []]);
  });

  it.each([
    [
      'a redirect',
      { kind: 'redirect', to: 'https://169.254.169.254/' },
      /answered 302\. Redirects are not followed\.$/,
    ],
    ['an error', { kind: 'answer', status: 404, body: NEWS }, /answered 404\.$/],
    ['nothing', { kind: 'answer', status: 200, body: '' }, /empty/],
    ['a reset', { kind: 'reset' }, /^inputs\.0\.url: /],
    ['a body of 11 MiB', { kind: 'huge', status: 200, bytes: 11 * MIB }, /sends more than 10485760 bytes\.$/],
    [
      'an endless head',
      { kind: 'raw', first: 'HTTP/1.1 200 OK\r\n', repeated: `x: ${'y'.repeat(500)}\r\n` },
      /headers/,
    ],
    ['drops', { kind: 'drip', status: 200, everyMs: 100 }, /within 5 seconds/],
    ['no word', { kind: 'hang' }, /within 5 seconds/],
  ] as const)('that answers with %s is refused, uncharged and in time', async (_, reaction, message) => {
    receiver.reaction = reaction;
    const begunAt = performance.now();
    await expectRefused([{ type: 'url', url: receiver.url() }], 422, expect.stringMatching(message));
    expect(performance.now() - begunAt).toBeLessThan(TIMES_MS_MAX);
  });

  it('that leads inside is refused when it connects, whatever the name says, and nothing arrives', async () => {
    const inner = await InnerServer.start();
    const resolver = jest.spyOn(service.app.get(AddressResolver), 'resolve');
    for (const address of [
      '10.0.0.1',
      '127.0.0.1',
      '169.254.169.254',
      '::ffff:127.0.0.1',
      '100.64.0.1',
      '0.0.0.0',
    ]) {
      resolver.mockResolvedValue(address === '127.0.0.1' ? [address, '10.1.1.1'] : [address]);
      const url = `https://files.example.com:${inner.port}/`;
      await expectRefused([{ type: 'url', url }], 422, expect.stringMatching(/^inputs\.0\.url: /));
    }
    expect(inner.connectionCount).toBe(0);
    await inner.close();
  });

  it('on this machine is refused where only webhooks may go there, and nothing arrives', async () => {
    const [inner, other] = await Promise.all([
      InnerServer.start(),
      TestService.start({ ALLOW_INSECURE_WEBHOOKS: 'true' }),
    ]);
    const caller = await World.create(other);
    jest.spyOn(other.app.get(AddressResolver), 'resolve').mockResolvedValue(['127.0.0.1']);
    for (const url of [`http://127.0.0.1:${inner.port}/`, `https://files.example.com:${inner.port}/`]) {
      const inputs = [{ type: 'url', url }];
      expect((await callAs('analyzeInputs', caller, { body: { inputs } })).status).toBe(422);
    }
    expect(inner.connectionCount).toBe(0);
    await Promise.all([inner.close(), other.stop()]);
  });

  it('and nine more of 10 MiB each are refused before all of them are held', async () => {
    receiver.reaction = { kind: 'answer', status: 200, body: Buffer.alloc(9 * MIB, 'word ') };
    const inputs = Array.from({ length: 10 }, () => ({ type: 'url', url: receiver.url() }));
    await expectRefused(inputs, 422, expect.stringMatching(/sends more than \d+ bytes/));
    expect(receiver.requests.length).toBeLessThan(5);
  });
});

it('addresses of one account that are slow let the files of others through, and texts', async () => {
  receiver.reaction = { kind: 'hang' };
  const urls = Array.from({ length: 3 }, () => ({ type: 'url', url: receiver.url() }));
  const slow = Array.from({ length: 4 }, () => analyze(urls));
  await until('all of them are paid for and an address is fetched', async () => {
    const reserved: unknown[] = await service.database.query(
      'SELECT id FROM reservations WHERE account_id = $1',
      [world.owner.id],
    );
    return reserved.length === slow.length && receiver.requests.length >= 1;
  });
  const inputs = [{ type: 'document', content: base64('\u0000 no file') }];
  const ofAnother = callAs('analyzeInputs', world, { body: { inputs } }, world.stranger);
  const first = await Promise.race([
    Promise.all([ofAnother, analyze([textInput()])]),
    Promise.race(slow).then(() => null),
  ]);
  expect(first?.map(({ status }) => status)).toEqual([422, 200]);
  receiver.reaction = { kind: 'reset' };
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([422, 422, 422, 422]);
});

describe('hostile inputs are refused, uncharged:', () => {
  it.each([
    ['a picture of 100 megapixels', async () => ['image', await picture(10_000, 10_000)]],
    ['a picture in the place of a document', async () => ['document', await picture(10, 10)]],
    ['a PDF in a text', () => ['document', base64(`hello\n%PDF-1.7\n1 0 obj`)]],
    ['broken XML in a Word document', () => ['document', base64('PK\u0003\u0004 nothing')]],
    ['a program', () => ['document', Buffer.from('7f454c460201010000000000', 'hex').toString('base64')]],
    ['base64 with line breaks', () => ['document', base64(NEWS).replace(/(.{40})/g, '$1\n')]],
    ['base64 for addresses', () => ['document', '__--__--']],
    ['base64 without its end', () => ['document', base64(`${NEWS}x`).replace(/=+$/, '')]],
    ['letters that are none of base64', () => ['document', 'Ł'.repeat(8)]],
  ] as [string, () => Promise<string[]> | string[]][])('%s', async (_, make) => {
    const [type, content] = await make();
    await expectRefused([{ type, content }], 422, expect.stringMatching(/^inputs\.0/));
  });

  it('ten bodies of nearly 16 MiB at once, with bounded memory', async () => {
    const content = Buffer.alloc(11 * MIB).toString('base64');
    const before = process.memoryUsage.rss();
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
    const calls = Array.from({ length: 10 }, () => analyze([{ type: 'image', content }]));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    clearInterval(watch);
    // On a slow machine some wait for room until their time is over.
    expect(statuses.filter((status) => status !== 422 && status !== 503)).toEqual([]);
    expect(statuses).toContain(422);
    expect((most - before) / MIB).toBeLessThan(depth('OMM_MIB_MAX', { short: Infinity, deep: 900 }));
  });
});

function analyze(inputs: readonly object[]) {
  return callAs('analyzeInputs', world, { body: { inputs } });
}

async function expectRefused(inputs: readonly object[], status: number, message: unknown): Promise<void> {
  const before = await world.balanceNanoUsd();
  const answer = await analyze(inputs);
  expect([answer.status, answer.body.message]).toEqual([status, message]);
  expect(await world.balanceNanoUsd()).toBe(before);
}
