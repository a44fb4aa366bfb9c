import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { storeStory, storyOf } from '../../support/api/store-story';
import type { World } from '../../support/api/world';

describeOperation(
  'listStories',
  () => ({}),
  (status) => {
    status(200, "lists the account's own stories whole, newest first, free of charge", async (world) => {
      const own = [await storeStory(world), await storeStory(world, { tone: 'loud' })];
      await storeStory(world, {}, world.stranger);
      const before = await world.balanceNanoUsd();
      const { data } = (await callAs('listStories', world, {})).body;
      expect(data).toEqual({ stories: own.reverse(), total: 2, limit: 20, offset: 0, truncated: false });
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(200, 'sorts by title and time, either way, and counts those of a period', async (world) => {
      for (const title of ['b', 'c', 'a']) {
        world.service.clock.advance(1000);
        await storyOf(world, { title });
      }
      expect(await titles(world, { sort: 'title', order: 'asc' })).toEqual(['a', 'b', 'c']);
      expect(await titles(world, { sort: 'title' })).toEqual(['c', 'b', 'a']);
      expect(await titles(world, { order: 'asc' })).toEqual(['b', 'c', 'a']);
      const now = world.service.clock.now().getTime();
      const period = {
        start_date: new Date(now - 1000).toISOString(),
        end_date: new Date(now).toISOString(),
      };
      const { data } = (await callAs('listStories', world, { query: period })).body;
      expect([data.stories.map(({ title }) => title), data.total]).toEqual([['c'], 1]);
    });

    status(200, 'passes over no story and repeats none, though all are of one moment', async (world) => {
      const all = Array.from({ length: 12 }, (_, index) => `story ${index}`);
      await Promise.all(all.map((title) => storyOf(world, { title })));
      const pages = await Promise.all([0, 5, 10].map((offset) => titles(world, { offset, limit: 5 })));
      expect(pages.flat().sort()).toEqual(all.sort());
      expect(await titles(world, { offset: 100_000 })).toEqual([]);
    });

    status(200, 'ends a page before a mebibyte of JSON, says so, and goes on behind it', async (world) => {
      for (let index = 0; index < 4; index += 1) {
        await storyOf(world, { content: '\u{10ffff}"'.repeat(80_000) });
      }
      const first = (await callAs('listStories', world, {})).body.data;
      expect([first.stories.length, first.total, first.limit, first.truncated]).toEqual([2, 4, 2, true]);
      expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThanOrEqual(1024 * 1024);
      const last = (await callAs('listStories', world, { query: { offset: 2 } })).body.data;
      expect([last.stories.length, last.truncated]).toEqual([2, false]);
    });
  },
);

async function titles(world: World, query: Record<string, unknown>): Promise<string[]> {
  const answer = await callAs('listStories', world, { query });
  expect(answer.status).toBe(200);
  return answer.body.data.stories.map(({ title }) => title);
}

afterEach(() => {
  jest.restoreAllMocks();
});
