import { setTimeout as delay } from 'node:timers/promises';
import { uploadOf } from '../../api/form';
import { textInput } from '../../omm/inputs';
import { inSteps, isServed, perhapsKeyed, step, type Errand, type ErrandScene, type Steps } from './errand';

const LOOKS_MAX = 40;
const BETWEEN_LOOKS_MS = 500;
const DELETED_SHARE = 0.3;
/** A worker reads so many sentences within a fraction of a second. */
const SENTENCES_MAX = 400;

/** Documents from their upload to what is found in them, and batches of inputs. */
export const fileErrands: readonly Errand[] = [
  {
    share: 3,
    run: inSteps(
      step(
        'uploadDocument',
        ({ name }, scene) =>
          perhapsKeyed(scene, uploadOf(textOf(name, scene.random.between(1, SENTENCES_MAX)))),
        (body, memory) => (memory.id = body.data.id),
      ),
      step('processDocument', ({ id }, scene) => perhapsKeyed(scene, { params: { doc_id: id } })),
      untilProcessed,
      step('extractDocument', ({ id }) => ({
        params: { doc_id: id },
        body: { what: 'dates', model: 'embedded-extractive-1' },
      })),
      step('getDocumentContent', ({ id }) => ({ params: { doc_id: id } })),
      deletePerhaps,
    ),
  },
  {
    share: 2,
    run: async (scene) => {
      const { accounts, calls, random } = scene;
      const name = calls.newName();
      const items = Array.from({ length: random.between(2, 5) }, (_, index) => ({
        operation: 'transform',
        body: {
          input: textInput(`Copy ${index} of ${name}. `),
          to: random.pick(['html', 'docx', 'markdown']),
        },
      }));
      await calls.call('runOmmBatch', random.pick(accounts.batching), {
        body: { items },
        idempotencyKey: name,
      });
    },
  },
];

/** Looks until the worker has ended it, or for long enough. */
async function untilProcessed({ calls }: ErrandScene, { account, id }: Steps): Promise<null> {
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const answer = await calls.call('getDocument', account, { params: { doc_id: id } });
    if (isServed(answer) && ['ready', 'failed'].includes(answer.body.data.status)) {
      return null;
    }
    await delay(BETWEEN_LOOKS_MS);
  }
  return null;
}

async function deletePerhaps({ calls, random }: ErrandScene, { account, id }: Steps): Promise<null> {
  if (random.next() < DELETED_SHARE) {
    await calls.call('deleteDocument', account, { params: { doc_id: id } });
  }
  return null;
}

/** No two are the same, because the same file is one document. */
function textOf(name: string, sentences: number): string {
  const sentence = (index: number) => `Ship ${index} of ${name} waited since 1 March 2027 for its cargo. `;
  return Array.from({ length: sentences }, (_, index) => sentence(index)).join('');
}
