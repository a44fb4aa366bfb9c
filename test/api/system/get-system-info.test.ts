import { apis } from '../../../generated/contract';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { expectNothingPrivate } from '../../support/api/private-facts';
import { TestService } from '../../support/api/service';
import { World } from '../../support/api/world';

const EMBEDDED = {
  provider: 'embedded',
  quality: 'basic',
  operations: ['chat', 'complete', 'embed'],
  models: 2,
  is_available: true,
};
/** Nothing listens there, so the first finds no list of models; nobody has called the other one yet. */
const UPSTREAMS = JSON.stringify([
  { name: 'away', base_url: 'http://127.0.0.1:9/v1', api_key: 'sk-private-to-the-operator' },
  {
    name: 'named',
    base_url: 'http://localhost:9/v1',
    models: [{ id: 'some-chat' }, { id: 'some-embedding' }],
  },
]);

describeOperation(
  'getSystemInfo',
  () => ({}),
  (status) => {
    status(200, 'names every group of the document, and is free', async (world) => {
      const before = await world.balanceNanoUsd();
      const { body } = await callAs('getSystemInfo', world, {});
      expect([body.data.version, body.data.environment, body.metadata.cost]).toEqual(['1.0', 'test', 0]);
      expect(body.data.features.map(({ name }) => name)).toEqual(apis.map(({ tag }) => tag));
      expect(await world.balanceNanoUsd()).toBe(before);
      expectNothingPrivate(world, JSON.stringify(body.data));
    });

    status(200, 'says what the embedded engine answers, and what would answer better', async (world) => {
      const { data } = (await callAs('getSystemInfo', world, {})).body;
      const feature = (name: string) => data.features.find((candidate) => candidate.name === name);
      expect(data.engines).toEqual([EMBEDDED]);
      expect(feature('memory')).toEqual({ name: 'memory', is_available: true, engine: null, needs: null });
      expect(feature('payments')).toEqual({
        name: 'payments',
        is_available: true,
        engine: null,
        needs: null,
      });
      expect(feature('rag')).toEqual({
        name: 'rag',
        is_available: true,
        engine: 'embedded',
        needs: 'An upstream that serves chat, embed, in UPSTREAMS.',
      });
      expect(feature('stories')).toEqual({
        name: 'stories',
        is_available: false,
        engine: 'upstream',
        needs: 'An upstream that serves chat, in UPSTREAMS.',
      });
      expect(feature('v1')).toMatchObject({
        engine: 'embedded',
        needs: expect.stringContaining('chat, complete, embed'),
      });
    });

    status(200, 'tells which upstreams there are, but neither where nor by which key', async () => {
      await withService({ UPSTREAMS }, async (world) => {
        const { data } = (await callAs('getSystemInfo', world, {})).body;
        const ofUpstream = {
          quality: 'model',
          operations: ['chat', 'complete', 'embed'],
          is_available: true,
        };
        expect(data.engines).toEqual([
          { ...ofUpstream, provider: 'away', operations: [], models: 0, is_available: false },
          { ...ofUpstream, provider: 'named', models: 2 },
          EMBEDDED,
        ]);
        // A call that names no model is refused while the first upstream has no list.
        expect(data.features.find(({ name }) => name === 'stories')).toEqual({
          name: 'stories',
          is_available: false,
          engine: 'upstream',
          needs: null,
        });
        expectNothingPrivate(world, JSON.stringify(data));
      });
    });

    status(200, 'misses nothing where an upstream serves everything', async () => {
      const [, named] = JSON.parse(UPSTREAMS) as object[];
      await withService({ UPSTREAMS: JSON.stringify([named]) }, async (world) => {
        const { data } = (await callAs('getSystemInfo', world, {})).body;
        expect(
          data.features.filter(({ needs, is_available: isAvailable }) => needs !== null || !isAvailable),
        ).toEqual([]);
        expect(data.features.filter(({ engine }) => engine === 'upstream').map(({ name }) => name)).toEqual(
          expect.arrayContaining(['agents', 'rag', 'stories', 'v1']),
        );
      });
    });
  },
);

async function withService(environment: Record<string, string>, test: (world: World) => Promise<void>) {
  const service = await TestService.start(environment);
  try {
    await test(await World.create(service));
  } finally {
    await service.stop();
  }
}
