import type { GenerateStoryRequest, Story } from '../../../generated/types';
import { newId } from '../../../src/runtime/ids';
import { Stories } from '../../../src/modules/stories/stories';
import { callAs } from './call-as';
import type { TestAccount, World } from './world';
import { scriptModel } from '../upstream/scripted-model';

/** Has a scripted model write a story by the API, the owner's unless another account is named. */
export async function storeStory(
  world: World,
  body: Partial<GenerateStoryRequest> = {},
  account: TestAccount = world.owner,
): Promise<Story> {
  const request = { prompt: 'A lighthouse keeper finds a letter.', length: 'short' as const, ...body };
  scriptModel(world, [{ content: 'The Letter\n\nMara read it.' }]);
  const answer = await callAs('generateStory', world, { body: request }, account);
  expect(answer.status).toBe(201);
  return answer.body.data;
}

/** The id of a story of the owner's that no call has stored, so that no rate counts it and nothing is charged for it. */
export async function storyOf(
  world: World,
  fields: { title?: string; content?: string } = {},
): Promise<string> {
  const { id } = await world.service.app.get(Stories).insert({
    id: newId(),
    accountId: world.owner.id,
    idempotencyId: null,
    title: 'A letter',
    kind: 'prose',
    content: 'Mara found a letter.',
    acts: [],
    prompt: 'A letter.',
    genre: null,
    characters: [],
    length: 'short',
    tone: null,
    model: 'scripted-1',
    finishReason: 'stop',
    inputTokens: 1,
    outputTokens: 5,
    createdAt: world.service.clock.now(),
    ...fields,
  });
  return id;
}

/** How many stories the owner has, past every layer that could hide some. */
export async function storedStories(world: World): Promise<number> {
  const [row]: { count: string }[] = await world.service.database.query(
    'SELECT count(*) FROM stories WHERE account_id = $1',
    [world.owner.id],
  );
  return Number(row?.count);
}
