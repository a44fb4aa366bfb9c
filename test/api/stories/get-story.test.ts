import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { storeStory, storyOf } from '../../support/api/store-story';

describeOperation(
  'getStory',
  async (world) => ({ params: { story_id: await storyOf(world) } }),
  (status) => {
    status(200, 'returns the story as it was stored, free of charge', async (world) => {
      const story = await storeStory(world, {
        characters: [{ name: 'Mara', description: 'a <b> "keeper"' }],
      });
      const before = await world.balanceNanoUsd();
      const answer = await callAs('getStory', world, { params: { story_id: story.id } });
      expect(answer.body.data).toEqual(story);
      expect(answer.body.metadata.cost).toBe(0);
      expect(await world.balanceNanoUsd()).toBe(before);
    });
  },
);

afterEach(() => {
  jest.restoreAllMocks();
});
