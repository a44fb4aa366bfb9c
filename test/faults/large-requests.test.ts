import { WatchedService } from '../support/processes/watched-service';
import { createAccount, type TestAccount } from '../support/api/world';
import { TestService } from '../support/api/service';
import { RawUpstream } from '../support/upstream/raw-upstream';
import { chatAnswer, jsonReaction } from '../support/upstream/upstream-answers';

const MIB = 1024 * 1024;
/** So many times as long as this machine takes to read the largest body and to write it again may one turn take. */
const TURN_TIMES_MAX = 2;
/** Collections of garbage and other processes take their share at random; what the service itself does, it does each time. */
const TURNS_MAX = 12;
const READS = 3;

const said = (content: unknown) => ({ role: 'user', content });
const pictured = (url: string) => said([{ type: 'image_url', image_url: { url } }]);
const CONVERSATION = Array.from({ length: 1_100 }, (_, index) =>
  said(`${index}: The library opens at nine, and nobody minds. `.repeat(250)),
);

/** Each is within the bounds of /v1, and nearly as large as these let it be. */
const REQUESTS: Readonly<Record<string, () => object[]>> = {
  'a photo of 31 MiB': () => [pictured(`data:image/png;base64,${'A'.repeat(31 * MIB)}`)],
  '1,100 long messages': () => CONVERSATION,
  '9,000 short messages': () => Array.from({ length: 9_000 }, (_, index) => said(`No ${index}.`)),
  'escapes alone': () => [pictured(`data:image/png;base64,${'\\"'.repeat(7 * MIB)}`)],
};

const bodyOf = (messages: object[]) => ({ model: 'plain', max_tokens: 10, messages });

/** The processor time in which the largest of some requests is read and written again, the best of several, milliseconds. */
function readAndWrittenMs(requests: readonly object[][]): number {
  const bytes = requests
    .map((messages) => Buffer.from(JSON.stringify(bodyOf(messages))))
    .reduce((largest, body) => (body.length > largest.length ? body : largest));
  const needed = Array.from({ length: READS }, () => {
    const before = process.cpuUsage();
    Buffer.from(JSON.stringify(JSON.parse(bytes.toString())));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...needed);
}

describe('requests as large as /v1 takes', () => {
  let service: TestService;
  let upstream: RawUpstream;
  let watched: WatchedService;
  let account: TestAccount;
  let turnMsMax: number;
  beforeAll(async () => {
    turnMsMax = TURN_TIMES_MAX * readAndWrittenMs(Object.values(REQUESTS).map((messages) => messages()));
    service = await TestService.start();
    account = await createAccount(service, { creditUsd: '100000' });
    upstream = await RawUpstream.start(() => jsonReaction(chatAnswer('plain')));
    watched = await WatchedService.start({
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
      UPSTREAMS: JSON.stringify([{ name: 'main', base_url: upstream.baseUrl, models: [{ id: 'plain' }] }]),
    });
    await post([said('Hello')]);
  });
  afterAll(async () => {
    await watched.stop();
    await upstream.stop();
    await service.stop();
  });

  const post = async (messages: object[]) => {
    const body = JSON.stringify(bodyOf(messages));
    const answer = await watched.post('/v1/chat/completions', body, { 'x-api-key': account.key });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Hello there.')]);
  };

  it.each(Object.entries(REQUESTS))('are answered, and hold nobody up for long: %s', async (_, messages) => {
    const turns: number[] = [];
    while (turns.length < TURNS_MAX && Math.min(...turns) > turnMsMax) {
      turns.push(Math.round(await watched.longestTurnMs(() => post(messages()))));
    }
    expect({ turns, turnMsMax, isShort: Math.min(...turns) <= turnMsMax }).toEqual({
      turns,
      turnMsMax,
      isShort: true,
    });
  });
});
