import type { OmmEntity } from '../../../generated/types';
import { processorMsOf } from '../../../test/support/processor-time';
import { FaultTally } from '../../models/generation/output-schema';
import type { ReadInput } from '../../models/multimodal/inputs';
import { processingQuestion } from './processing';

/** A text of 200,000 characters, and as many entities of it as a model may tell. */
const NAMES = Array.from({ length: 1_000 }, (_, index) => `Person ${index}`);
const TEXT = `${NAMES.join(' met ')}. `.padEnd(200_000, 'They talked. ');

function input(): ReadInput {
  const file = { text: TEXT, markdown: null, pages: null, title: null, tables: [], isCut: false };
  const about = {
    accountId: 'own',
    index: 0,
    name: 'inputs.0',
    type: 'text',
    kind: 'txt',
    isCounted: true,
  } as const;
  return { ...about, bytes: Buffer.from(TEXT), file };
}

test('finds a thousand entities in a long text in no more time than it takes to look a thousand words up', async () => {
  const question = processingQuestion([input()], [], 'extract', {});
  const read = (answer: object) => question.read(answer as never, new FaultTally());
  const told = (names: readonly string[]) => ({
    results: [{ index: 0, entities: names.map((text) => ({ type: 'person', text, value: null })) }],
  });
  read(told(NAMES.slice(0, 1)));
  const oneMs = await processorMsOf(() => read(told(NAMES.slice(0, 1))));
  let entities: OmmEntity[] = [];
  const allMs = await processorMsOf(() => (entities = read(told(NAMES))[0]?.entities ?? []));
  expect(entities.map(({ text }) => text)).toEqual(NAMES);
  expect(entities.every(({ text, start }) => start !== null && TEXT.startsWith(text, start))).toBe(true);
  // Each by itself would take the text apart a thousand times.
  expect(allMs).toBeLessThan(100 * (oneMs + 5));
});
