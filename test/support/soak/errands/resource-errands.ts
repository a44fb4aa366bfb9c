import type { OperationId } from '../../api/service';
import { chatParameters, TASK_MODEL } from '../../tasks/task-upstream';
import { inSteps, perhapsKeyed, step, anyAccount, type Errand } from './errand';

const LEFT_SHARE = 0.4;
const PARTS_READ_MAX = 8;
const STREAM_MS_MAX = 900;

/** What is stored, found again, used and deleted. */
export const resourceErrands: readonly Errand[] = [
  {
    share: 4,
    run: inSteps(
      step(
        'createMemory',
        ({ name }, scene) => perhapsKeyed(scene, { body: { key: name, value: name } }),
        (body, memory) => (memory.id = body.data.id),
      ),
      step(
        'getMemory',
        ({ id }) => ({ params: { memory_id: id } }),
        ({ data }, { name }, { faults }) => {
          if (data.value !== name) {
            faults.push(`a memory reads ${JSON.stringify(data.value)} and was written as ${name}`);
          }
        },
      ),
    ),
  },
  {
    share: 3,
    run: inSteps(
      step(
        'createAgent',
        ({ name }, scene) => perhapsKeyed(scene, { body: { name } }),
        (body, memory) => (memory.id = body.data.id),
      ),
      step('chatWithAgent', ({ id }, scene) => ({
        body: {
          agent_id: id,
          ...chatParameters(`within ${scene.random.between(0, STREAM_MS_MAX)}`),
          stream: scene.random.next() < 0.5,
        },
      })),
      step('updateAgent', ({ id }) => ({ params: { agent_id: id }, body: { temperature: 0 } })),
      step('getAgent', ({ id }) => ({ params: { agent_id: id } })),
      step('deleteAgent', ({ id }) => ({ params: { agent_id: id } })),
    ),
  },
  {
    share: 3,
    run: inSteps(
      step('indexRagDocument', ({ name }, scene) =>
        perhapsKeyed(scene, {
          body: {
            document_id: name,
            collection: 'soak',
            content: `Ship ${name} has come. It carries pumps.`,
          },
        }),
      ),
      step('generateWithRag', ({ name }) => ({
        body: {
          query: `What does ship ${name} carry?`,
          collection: 'soak',
          max_tokens: 60,
          model: 'embedded-extractive-1',
        },
      })),
      step('getRagDocument', ({ name }) => ({ params: { document_id: name } })),
      step('deleteRagDocument', ({ name }) => ({ params: { document_id: name } })),
    ),
  },
  {
    share: 3,
    run: inSteps(
      step('indexSearchItems', ({ name }, scene) =>
        perhapsKeyed(scene, { body: { items: [{ id: name, title: 'Tea', content: `Green tea ${name}.` }] } }),
      ),
      step('search', ({ name }) => ({ body: { query: name } })),
      step('getSearchItem', ({ name }) => ({ params: { item_id: name } })),
      step('deleteSearchItem', ({ name }) => ({ params: { item_id: name } })),
    ),
  },
  {
    share: 2,
    run: inSteps(
      step(
        'generateStory',
        (_, scene) =>
          perhapsKeyed(scene, {
            body: {
              prompt: 'A lighthouse keeper finds a letter.',
              characters: [{ name: 'Mara' }],
              length: 'short',
              max_tokens: 400,
              model: TASK_MODEL,
            },
          }),
        (body, memory) => (memory.id = body.data.id),
      ),
      step('getStory', ({ id }) => ({ params: { story_id: id } })),
      step('deleteStory', ({ id }) => ({ params: { story_id: id } })),
    ),
  },
];

/** Streams of a slow upstream, of which some are left before their end. */
export const streamErrands: readonly Errand[] = [
  streamErrand('createChatCompletion', (wish) => chatParameters(wish)),
  streamErrand('createResponse', (wish) => {
    return { model: 'embedded-extractive-1', input: `The library opens at nine. When does it open ${wish}?` };
  }),
];

function streamErrand(
  operation: OperationId,
  bodyOf: (wish: `within ${number}`) => Record<string, unknown>,
): Errand {
  return {
    share: 5,
    run: async (scene) => {
      const { random } = scene;
      const body = { ...bodyOf(`within ${random.between(100, STREAM_MS_MAX)}`), stream: true };
      const partsRead = random.next() < LEFT_SHARE ? random.between(1, PARTS_READ_MAX) : undefined;
      await scene.calls.call(operation, anyAccount(scene), { body, partsRead });
    },
  };
}
