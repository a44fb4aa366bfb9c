import { NotFoundError } from 'openai';
import { RawUpstream } from '../support/upstream/raw-upstream';
import { apiErrorOf, ServiceWithUpstreams } from '../support/upstream/service-with-upstreams';
import { jsonReaction } from '../support/upstream/upstream-answers';
import { World } from '../support/api/world';

const LISTED = ['meta-llama/Llama-3.3-70B', 'qwen2.5:7b', 'talker large'];

describe('the openai package: models', () => {
  let upstream: RawUpstream;
  let running: ServiceWithUpstreams;
  let world: World;
  beforeAll(async () => {
    const data = LISTED.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'lab' }));
    upstream = await RawUpstream.start(() => jsonReaction({ object: 'list', data }));
    running = await ServiceWithUpstreams.start([{ name: 'listing', base_url: upstream.baseUrl }]);
    world = await World.create(running.service);
  });
  afterAll(async () => {
    expect(await running.faults()).toEqual([]);
    await running.stop();
    await upstream.stop();
  });

  it('throws NotFoundError for a model that nobody serves', async () => {
    const error = await apiErrorOf(running.clientOf(world.owner).models.retrieve('meta-llama/none'));
    expect(error).toBeInstanceOf(NotFoundError);
  });

  it('lists what the upstream lists, first, free of charge', async () => {
    const before = await world.balanceNanoUsd();
    const ids: string[] = [];
    for await (const model of running.clientOf(world.owner).models.list()) {
      ids.push(model.id);
    }
    expect(ids.slice(0, LISTED.length)).toEqual(LISTED);
    expect(await world.balanceNanoUsd()).toBe(before);
  });

  it.each(LISTED)('retrieves %j, whatever its id holds', async (id) => {
    const model = await running.clientOf(world.owner).models.retrieve(id);
    expect(model).toMatchObject({ id, object: 'model', created: expect.any(Number) });
  });
});
