import { request as httpRequest } from 'undici';
import { formatUsd } from '../../src/ledger/money';
import { changedJson, changedStream, type Told } from '../support/api/documented-changes';
import { RawUpstream } from '../support/upstream/raw-upstream';
import { bytesOf, isStream, readRecordings, type Recording } from '../support/upstream/recordings';
import { policyOf } from '../support/api/service';
import { ServiceWithUpstreams } from '../support/upstream/service-with-upstreams';
import { jsonReaction } from '../support/upstream/upstream-answers';
import type { Reaction } from '../support/upstream/upstream-reaction';
import { World } from '../support/api/world';

const MODEL = 'recorded';
/** Small and odd, so that chunks end within lines, within characters and between \r and \n. */
const CHUNK_BYTES = 43;
const PRICES = { chat_completion: [2_000_000n, 10_000n], embeddings: [100_000n, 1_000n] } as const;
const recordings = readRecordings();

describe('the bytes of an upstream', () => {
  let upstream: RawUpstream;
  let running: ServiceWithUpstreams;
  let world: World;
  beforeAll(async () => {
    upstream = await RawUpstream.start(() => jsonReaction({}));
    const models = [{ id: MODEL }];
    running = await ServiceWithUpstreams.start([{ name: 'recorded', base_url: upstream.baseUrl, models }]);
    world = await World.create(running.service);
  });
  afterAll(async () => {
    await running.stop();
    await upstream.stop();
  });

  it('are recorded from many servers, and from odd ones', () => {
    expect(recordings.length).toBeGreaterThanOrEqual(50);
  });

  it.each(recordings.map((recording) => [recording.file, recording] as const))(
    'leave as they came, but for what the document adds: %s',
    async (_, recording) => {
      const { operation, request, asksUsage, usage } = recording;
      upstream.script = () => replayOf(recording);
      const before = await world.balanceNanoUsd();
      const { path, price } = policyOf(operation);
      const answer = await httpRequest(`${running.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': world.owner.key },
        body: JSON.stringify({ model: MODEL, ...request }),
      });
      const left = Buffer.from(await answer.body.arrayBuffer()).toString('latin1');
      expect([answer.statusCode, String(answer.headers['content-type']).split(';')[0]]).toEqual([
        200,
        isStream(recording) ? 'text/event-stream' : 'application/json',
      ]);

      const receipt = await running.lastReceipt(world.owner);
      const { inputTokens, outputTokens, chargedNanoUsd } = receipt;
      const told: Told = {
        costUsd: formatUsd(chargedNanoUsd),
        balanceUsd: formatUsd(before - chargedNanoUsd),
        inputTokens,
        outputTokens,
      };
      const came = bytesOf(recording).toString('latin1');
      expect(left).toBe(isStream(recording) ? changedStream(came, told, asksUsage) : changedJson(came, told));

      const [base, perToken] = PRICES[price as keyof typeof PRICES];
      expect(chargedNanoUsd).toBe(base + perToken * BigInt(inputTokens + outputTokens));
      expect(await world.balanceNanoUsd()).toBe(before - chargedNanoUsd);
      if (usage) {
        expect([inputTokens, outputTokens]).toEqual(usage);
      } else {
        expect(Math.min(inputTokens, outputTokens)).toBeGreaterThan(0);
      }
      // The cap goes by the name that every server knows.
      const { max_completion_tokens: newer, ...sent } = request as Record<string, unknown>;
      const cap = newer === undefined ? {} : { max_tokens: newer };
      expect(upstream.lastCall.body).toMatchObject({ model: MODEL, ...sent, ...cap });
      if (isStream(recording)) {
        expect(upstream.lastCall.body?.stream_options).toMatchObject({ include_usage: true });
      }
      expect(await running.faults()).toEqual([]);
    },
  );
});

function replayOf(recording: Recording): Reaction {
  const bytes = bytesOf(recording);
  const chunks = Array.from({ length: Math.ceil(bytes.length / CHUNK_BYTES) }, (_, index) =>
    bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
  );
  const contentType = isStream(recording) ? 'text/event-stream; charset=utf-8' : 'application/json';
  return { headers: { 'content-type': contentType }, chunks };
}
