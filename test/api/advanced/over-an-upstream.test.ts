import { TestService } from '../../support/api/service';
import { World } from '../../support/api/world';
import { callAs } from '../../support/api/call-as';
import { faultsInBooks } from '../../support/ledger/books';
import { MockUpstream } from '../../support/upstream/mock-upstream';

const TEXT = 'Northwind GmbH opened a plant in Hamburg on 1 March 2027. The plant employs 140 people.';
const BASE_NANO_USD = 4_000_000n;
const TOKEN_NANO_USD = 20_000n;

let upstream: MockUpstream;
let service: TestService;
let world: World;

beforeAll(async () => {
  upstream = await MockUpstream.start();
  const entry = { name: 'mock', base_url: upstream.baseUrl, models: [{ id: 'mock-1' }] };
  service = await TestService.start({ UPSTREAMS: JSON.stringify([entry]) });
});
beforeEach(async () => {
  upstream.reset();
  world = await World.create(service);
});
afterAll(async () => {
  expect(await faultsInBooks(service.database)).toEqual([]);
  await service.stop();
  await upstream.stop();
});

describe('the advanced group over an upstream that others wrote', () => {
  it('translates, and charges what the upstream says it used', async () => {
    says('{"text":"Ein Werk wurde eröffnet."}');
    const before = await world.balanceNanoUsd();
    const answer = await process({ processing_type: 'translate', parameters: { target_language: 'de' } });
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { result: { type: 'translate', text: 'Ein Werk wurde eröffnet.' } } },
    });
    expect(upstream.bodies).toHaveLength(1);
    const cost = BASE_NANO_USD + TOKEN_NANO_USD * BigInt(answer.body.data.usage.total_tokens);
    expect(before - (await world.balanceNanoUsd())).toBe(cost);
  });

  it('places what the upstream found', async () => {
    says('```json\n{"entities":[{"type":"location","text":"Hamburg"}]}\n```');
    const answer = await process({ processing_type: 'entities' });
    expect(answer.body.data.result).toEqual({
      type: 'entities',
      entities: [{ type: 'location', text: 'Hamburg', start: 33, end: 40, value: null }],
    });
  });

  it.each([
    ['no JSON', 'Here you are.'],
    ['another shape', '{"result":"Ein Werk."}'],
    ['an empty text', '{"text":""}'],
  ])('asks once more after %s, and charges nothing when it comes again', async (_, content) => {
    says(content);
    const before = await world.balanceNanoUsd();
    const answer = await process({ processing_type: 'rewrite', parameters: { style: 'simple' } });
    expect([answer.status, upstream.bodies.length]).toEqual([502, 2]);
    expect(await world.balanceNanoUsd()).toBe(before);
  });

  it('asks no upstream for what rules answer, nor to fill a template', async () => {
    says('{"language":"xx"}');
    expect((await process({ processing_type: 'language' })).body.data.model).toBe('embedded-rules-1');
    const body = { template: 'Hi {{name}}', variables: [{ name: 'name', value: 'Lee' }] };
    const filled = await callAs('generateAdvanced', world, { body });
    expect(filled.body.data.text).toBe('Hi Lee');
    expect(upstream.bodies).toEqual([]);
  });
});

function says(content: string): void {
  upstream.mock.onMessage(/./, { content });
}

function process(fields: object) {
  return callAs('processAdvanced', world, { body: { content: TEXT, ...fields } });
}
