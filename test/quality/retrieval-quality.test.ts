import { publicTexts, type PublicText } from '../../bench/retrieval/public-text';
import { titledSections, type TitledSection } from '../../bench/retrieval/titled-sections';
import { RagIndexing } from '../../src/retrieval/rag-indexing';
import { ChunkRetrieval } from '../../src/retrieval/rag-retrieval';
import { searchableText } from '../../src/text/searchable-text';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { plainRanking } from '../../bench/retrieval/plain-ranking';

const CHUNKS_MIN = 2_000;
const QUERIES = 220;
const QUERIES_MIN = 200;
const RANKS = 10;

interface Place {
  documentId: string;
  start: number;
  end: number;
}

let service: TestService;
let world: World;

beforeAll(async () => {
  service = await TestService.start();
  world = await World.create(service);
});
afterAll(async () => service.stop());

/**
 * The headings of the manuals and READMEs in node_modules are asked for, each of which is there once. Found counts what
 * stood below the heading, without the heading itself, so that its words have to be those of the text.
 */
it('finds what headings announce no worse than plain ts_rank, in 2,000 chunks or more', async () => {
  const texts = publicTexts();
  const chunks = await index(texts);
  expect(chunks).toBeGreaterThanOrEqual(CHUNKS_MIN);
  const asked = titledSections(texts, QUERIES);
  expect(asked.length).toBeGreaterThanOrEqual(QUERIES_MIN);
  const ours: number[] = [];
  const plain: number[] = [];
  for (const section of asked) {
    ours.push(reciprocalRank(section, await retrieved(section.heading)));
    const words = searchableText(section.heading);
    plain.push(reciprocalRank(section, await plainRanking(service.database, world.owner.id, words, RANKS)));
  }
  const [oursMean, plainMean] = [mean(ours), mean(plain)];
  process.stdout.write(
    `retrieval: ${chunks} chunks, ${asked.length} headings: MRR@${RANKS} ${oursMean.toFixed(3)}, plain ts_rank ${plainMean.toFixed(3)}\n`,
  );
  expect(oursMean).toBeGreaterThanOrEqual(plainMean);
});

async function index(texts: readonly PublicText[]): Promise<number> {
  const indexing = service.app.get(RagIndexing);
  let chunks = 0;
  for (const [number, { content }] of texts.entries()) {
    const order = {
      content,
      collection: 'default',
      metadata: {},
      documentId: `text-${number}`,
      tokens: 1,
    };
    const options = { callId: null, allowDegraded: false };
    const indexed = await indexing.index(
      world.owner.id,
      { ...order, ...options },
      new AbortController().signal,
    );
    chunks += indexed.chunks;
  }
  return chunks;
}

function retrieved(query: string): Promise<readonly Place[]> {
  const order = { query, topK: RANKS, collection: null, filter: null, minScore: null, allowDegraded: false };
  const { signal } = new AbortController();
  return service.app
    .get(ChunkRetrieval)
    .retrieve(world.owner.id, order, signal)
    .then(({ chunks }) => chunks);
}

/** One divided by the rank of the first chunk that is mostly of the section, or has most of it; 0 where there is none. */
function reciprocalRank(section: TitledSection, found: readonly Place[]): number {
  const rank = found.findIndex((chunk) => {
    const shared = Math.min(chunk.end, section.end) - Math.max(chunk.start, section.start);
    const shorter = Math.min(chunk.end - chunk.start, section.end - section.start);
    return chunk.documentId === `text-${section.number}` && shared > shorter / 2;
  });
  return rank === -1 ? 0 : 1 / (rank + 1);
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
