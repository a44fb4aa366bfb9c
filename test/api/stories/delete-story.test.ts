import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { storedStories, storyOf } from '../../support/api/store-story';

describeOperation(
  'deleteStory',
  async (world) => ({ params: { story_id: await storyOf(world) } }),
  (status) => {
    status(204, 'deletes this story alone, free of charge', async (world) => {
      const [gone, kept] = [await storyOf(world), await storyOf(world)];
      const before = await world.balanceNanoUsd();
      const params = { story_id: gone };
      const answer = await callAs('deleteStory', world, { params });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect((await callAs('getStory', world, { params })).status).toBe(404);
      expect((await callAs('getStory', world, { params: { story_id: kept } })).status).toBe(200);
      expect([await storedStories(world), await world.balanceNanoUsd()]).toEqual([1, before]);
    });

    status(204, 'deletes once when ten deletions race', async (world) => {
      const params = { story_id: await storyOf(world) };
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => callAs('deleteStory', world, { params })),
      );
      expect(answers.map((answer) => answer.status).sort()).toEqual([204, ...Array<number>(9).fill(404)]);
    });
  },
);
