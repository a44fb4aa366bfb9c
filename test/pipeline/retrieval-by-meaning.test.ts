import { ledgerFaults } from '../support/ledger/ledger-faults';
import { callAs } from '../support/api/call-as';
import { TestService } from '../support/api/service';
import { boundStorage, recountedBytes } from '../support/api/stored-bytes';
import { World } from '../support/api/world';
import { RawUpstream, type Script } from '../support/upstream/raw-upstream';
import { errorReaction, jsonReaction } from '../support/upstream/upstream-answers';

/** A vector has a number for each of these subjects, which its words tell, and one for none of them. */
const SUBJECTS = [
  ['doctor', 'physician', 'hospital'],
  ['car', 'automobile', 'engine'],
  ['soup', 'broth', 'kitchen'],
];
const PHYSICIANS = 'Physicians see patients from nine o’clock.';
const AUTOMOBILES = 'Automobiles are repaired on Mondays.';

const embed: Script = ({ body }) => {
  const texts = body?.input as string[];
  const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
  return jsonReaction({
    object: 'list',
    data,
    model: 'embed-1',
    usage: { prompt_tokens: 1, total_tokens: 1 },
  });
};

describe('retrieval by meaning', () => {
  let upstream: RawUpstream;
  let service: TestService;
  let replica: TestService;
  let world: World;

  beforeAll(async () => {
    upstream = await RawUpstream.start(embed);
    const entry = { name: 'vectors', base_url: upstream.baseUrl, models: [{ id: 'embed-1' }] };
    service = await TestService.start({ UPSTREAMS: JSON.stringify([entry]) });
    replica = await service.startReplica();
  });
  beforeEach(async () => {
    upstream.script = embed;
    world = await World.create(service);
  });
  afterEach(async () => expect(await ledgerFaults(service.database)).toEqual([]));
  afterAll(async () => {
    await replica.stop();
    await service.stop();
    await upstream.stop();
  });

  it('finds a chunk that has no word of the query, and says how', async () => {
    await index(PHYSICIANS, 'physicians');
    await index(AUTOMOBILES, 'automobiles');
    const { body, status } = await retrieve('When is the doctor in?');
    expect([status, documentsOf(body)]).toEqual([200, ['physicians']]);
    expect(body.metadata.engine).toEqual({ provider: 'vectors', method: 'bm25+vectors', quality: 'model' });
  });

  it('ranks highest what is found by its words and by its meaning', async () => {
    await index('The doctor is out.', 'both');
    await index(PHYSICIANS, 'meaning');
    await index('A painted picture of a soup.', 'neither');
    const { body } = await retrieve('doctor');
    expect(documentsOf(body)).toEqual(['both', 'meaning']);
    expect(body.data.results[0]?.score).toBe(1);
    expect(documentsOf((await retrieve('doctor', { min_score: 0.9 })).body)).toEqual(['both']);
  });

  it('keeps to the collection, the filter and the account', async () => {
    await index(PHYSICIANS, 'one', { collection: 'a', metadata: { year: 1 } });
    await index(`${PHYSICIANS} Again.`, 'two', { collection: 'b', metadata: { year: 2 } });
    expect(documentsOf((await retrieve('doctor', { collection: 'a' })).body)).toEqual(['one']);
    expect(documentsOf((await retrieve('doctor', { filter: { year: 2 } })).body)).toEqual(['two']);
    const strange = await callAs('retrieveRagChunks', world, { body: { query: 'doctor' } }, world.stranger);
    expect(strange.body.data.results).toEqual([]);
  });

  it('finds at once what another replica has indexed, and nothing that it has deleted', async () => {
    await index(AUTOMOBILES, 'automobiles');
    expect(documentsOf((await retrieve('car', {}, replica)).body)).toEqual(['automobiles']);
    await index('An engine needs oil.', 'engine');
    expect(documentsOf((await retrieve('car', {}, replica)).body).sort()).toEqual(['automobiles', 'engine']);
    await callAs('deleteRagDocument', world, { params: { document_id: 'automobiles' } });
    expect(documentsOf((await retrieve('car', {}, replica)).body)).toEqual(['engine']);
    await index('A kitchen without any.', 'engine');
    expect(documentsOf((await retrieve('car', {}, replica)).body)).toEqual([]);
  });

  it('stores nothing and charges nothing when the upstream fails at indexing', async () => {
    const before = await world.balanceNanoUsd();
    upstream.script = () => errorReaction(500, 'out of order');
    const failed = await callAs('indexRagDocument', world, { body: { content: PHYSICIANS } });
    expect(failed.status).toBe(502);
    upstream.script = () => errorReaction(429, 'slow down', { headers: { 'retry-after': '7' } });
    const busy = await callAs('indexRagDocument', world, { body: { content: PHYSICIANS } });
    expect([busy.status, busy.headers['retry-after']]).toEqual([503, '7']);
    expect((await callAs('listRagDocuments', world, {})).body.data.total).toBe(0);
    expect(await world.balanceNanoUsd()).toBe(before);
  });

  it('asks no upstream for what there is no room to store, whether it is new or replaces another', async () => {
    await index(PHYSICIANS, 'named', { metadata: { year: 1 } });
    const stored = await recountedBytes(world);
    const replacing = { content: `${PHYSICIANS} Ask.`, document_id: 'named', metadata: { year: 10 } };
    // A document and its one chunk both count for the content; a chunk for its vector too.
    const ofNew = 2 * Buffer.byteLength(AUTOMOBILES) + '{}'.length + 256 + 256 + 4096;
    const ofReplacing = 2 * ' Ask.'.length + '0'.length;
    const asked = upstream.calls.length;
    for (const [body, bytes] of [
      [{ content: AUTOMOBILES }, ofNew],
      [{ content: AUTOMOBILES, document_id: 'new' }, ofNew],
      [replacing, ofReplacing],
    ] as const) {
      await boundStorage(world, stored + bytes - 1);
      const refused = await callAs('indexRagDocument', world, { body });
      expect([refused.status, refused.body.error, upstream.calls.length]).toEqual([409, 'Conflict', asked]);
    }
    await boundStorage(world, stored + ofReplacing);
    expect((await callAs('indexRagDocument', world, { body: replacing })).status).toBe(201);
    expect(await recountedBytes(world)).toBe(stored + ofReplacing);
  });

  it('stores a longer document of fewer chunks in the room of the one that it replaces', async () => {
    const sections = Array.from({ length: 10 }, (_, section) => `# Part ${section}\n\n${PHYSICIANS}`);
    await index(sections.join('\n\n'), 'sections');
    const stored = await recountedBytes(world);
    await boundStorage(world, stored);
    const replacing = { content: `${PHYSICIANS} `.repeat(40), document_id: 'sections' };
    expect(await callAs('indexRagDocument', world, { body: replacing })).toMatchObject({ status: 201 });
    expect(await recountedBytes(world)).toBeLessThan(stored);
  });

  it('fails uncharged when the upstream fails at retrieving', async () => {
    await index(PHYSICIANS, 'physicians');
    const before = await world.balanceNanoUsd();
    upstream.script = () => jsonReaction({ object: 'list', data: [], model: 'embed-1' });
    expect((await retrieve('doctor')).status).toBe(502);
    expect(await world.balanceNanoUsd()).toBe(before);
  });

  it('does with words alone where the caller allows it, and finds by words what has no vector', async () => {
    upstream.script = () => errorReaction(500, 'out of order');
    const degraded = { allow_degraded: true };
    await index(PHYSICIANS, 'unembedded', degraded);
    const byWords = await retrieve('patients', degraded);
    expect(documentsOf(byWords.body)).toEqual(['unembedded']);
    expect(byWords.body.metadata.engine).toEqual({ provider: 'embedded', method: 'bm25', quality: 'basic' });
    upstream.script = embed;
    await index('The hospital is open.', 'embedded');
    const both = await retrieve('patients of a doctor');
    expect(documentsOf(both.body).sort()).toEqual(['embedded', 'unembedded']);
  });

  async function index(content: string, document_id: string, fields: object = {}): Promise<void> {
    const { status } = await callAs('indexRagDocument', world, { body: { content, document_id, ...fields } });
    expect(status).toBe(201);
  }

  function retrieve(query: string, fields: object = {}, at: TestService = service) {
    const { key } = world.owner;
    const body = { query, ...fields };
    return at.call('retrieveRagChunks', { ip: world.ip, credential: key, body });
  }
});

function documentsOf(body: { data: { results: { document_id: string }[] } }): string[] {
  return body.data.results.map(({ document_id }) => document_id);
}

function vectorOf(text: string): number[] {
  const words = text.toLowerCase();
  const subjects = SUBJECTS.map((subject) =>
    Number(subject.some((word) => new RegExp(`\\b${word}s?\\b`).test(words))),
  );
  return [...subjects, Number(!subjects.includes(1))];
}
