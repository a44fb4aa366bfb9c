import { prices } from '../../generated/contract';
import { startBackgroundWork } from '../../src/application';
import { Models } from '../../src/models/models';
import { SourceTexts } from '../../src/retrieval/source-texts';
import { parseUsd } from '../../src/ledger/money';
import { newId } from '../../src/runtime/ids';
import { callAs } from '../support/api/call-as';
import { operations } from '../support/api/published-document';
import { policyOf, TestService, type ApiAnswer, type OperationId } from '../support/api/service';
import { documentOf, uploaded } from '../support/api/store-document';
import { World } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { scriptJson, scriptModel } from '../support/upstream/scripted-model';
import { until } from '../support/until';

const SENTENCE = 'The Provider shall deliver all reports by 15 March 2027.';
const FILE = `\uFEFFSERVICE AGREEMENT\r\n\r\nThis Agreement is made on 1 March 2027 between Blåtand Research Ltd. (the "Provider") and Café Müller
GmbH (the "Client"). 😀\r\n\r\n1. Services\r\n\r\n${SENTENCE} The Client shall pay EUR 12,500.00 in order to receive the the reports.

2. Termination\n\nEither party may terminate this Agreement with thirty days' notice. This Agreement is governed by the laws of England.\n`;

/** What a call needs beside the text that it reads, and the places of the text that it has to name without a model. */
interface Reading {
  readonly operationId: OperationId;
  readonly fields?: object;
  readonly names?: readonly string[];
  /** What a model tells, where only one can answer. */
  readonly told?: object;
  /** Where the text's source stands in the body; in the body itself unless told. */
  readonly within?: (source: object) => object;
}

const other = { content: 'This Agreement is made on 1 April 2027 between two other parties.' };
const SUGGESTED = { suggestions: [{ quote: 'in order to', replacement: 'to', reason: 'It is shorter.' }] };
const CHANGED = { changes: [{ before: 'in order to', after: 'to', reason: 'It is shorter.' }] };
const PAGE = { title: 'Services', sections: [{ title: 'Reports', text: 'Reports for money.' }] };
const READINGS: readonly Reading[] = [
  { operationId: 'analyzeLegal', names: ['1 March 2027', 'EUR 12,500.00'] },
  { operationId: 'summarizeLegal', names: [SENTENCE] },
  { operationId: 'extractLegal', names: ['1 March 2027', 'EUR 12,500.00'] },
  { operationId: 'compareLegal', within: (before) => ({ before, after: other }) },
  { operationId: 'analyzeProfessional' },
  { operationId: 'optimizeProfessional', told: CHANGED },
  { operationId: 'summarizeScholar', names: [SENTENCE] },
  { operationId: 'analyzeScholar' },
  { operationId: 'enhanceCreative', names: ['in order to'], told: SUGGESTED },
  { operationId: 'generateDocs', fields: { kind: 'readme' }, told: PAGE },
  { operationId: 'improveDocs' },
  { operationId: 'structureDocs' },
  {
    operationId: 'processAdvanced',
    fields: { processing_type: 'entities' },
    names: ['1 March 2027', 'EUR 12,500.00'],
  },
  { operationId: 'analyzeAdvanced', names: [SENTENCE, '1 March 2027'] },
  { operationId: 'optimizeAdvanced', names: ['in order to'], told: CHANGED },
];

let service: TestService;
let world: World;
let ready: string;
let text: string;

beforeAll(async () => {
  service = await TestService.start();
  world = await World.create(service);
  startBackgroundWork(service.app, 'all');
  ready = await uploaded(world, FILE, 'agreement.txt');
  await callAs('processDocument', world, { params: { doc_id: ready } });
  await until('the document is ready', async () => {
    const { body } = await callAs('getDocument', world, { params: { doc_id: ready } });
    return body.data.status === 'ready';
  });
  text = (await service.app.get(SourceTexts).of(world.owner.id, { document_id: ready })).text;
  expect(text).toContain(SENTENCE);
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  expect(await ledgerFaults(service.database)).toEqual([]);
  await service.stop();
});

it('knows every operation that reads a text of the request or of a document', () => {
  const reading = operations.filter(
    ({ policy, definition }) =>
      policy.tag !== 'documents' && JSON.stringify(definition.responses).includes('/SourceNotReady"'),
  );
  expect(READINGS.map(({ operationId }) => operationId).sort()).toEqual(
    reading.map(({ policy }) => policy.operationId).sort(),
  );
});

describe.each(READINGS)('$operationId', (reading) => {
  const { operationId, names = [], told } = reading;

  it('reads a processed document, names its places exactly, and is charged its price', async () => {
    if (told) {
      scriptJson(world, told);
    }
    const before = await world.balanceNanoUsd();
    const answer = await read(reading, { document_id: ready });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    expect(before - (await world.balanceNanoUsd())).toBe(priceOf(operationId, answer));
    const places = placesIn(dataOf(answer));
    expect(places.filter(({ start, end, quote }) => text.slice(start, end) !== quote)).toEqual([]);
    const quotes = places.map(({ quote }) => quote);
    expect(names.filter((name) => !quotes.some((quote) => quote.includes(name)))).toEqual([]);
  });

  it('refuses no text, two and one that says nothing, free of charge', async () => {
    const either = 'Give either content or document_id.';
    const saysNothing = expect.stringContaining('no letter') as string;
    await expectFree(async () => {
      expect((await read(reading, {})).status).toBe(422);
      for (const [source, message] of [
        [{ content: FILE, document_id: ready }, either],
        [{ content: ' … ' }, saysNothing],
      ] as const) {
        expect(await read(reading, source)).toMatchObject({ status: 422, body: { message } });
      }
    });
  });

  it("refuses another account's document as one that is not there, free of charge", async () => {
    await expectFree(async () => {
      const strange = await read(reading, { document_id: ready }, world.stranger);
      const unknown = await read(reading, { document_id: newId() }, world.stranger);
      expect([strange.status, unknown.status]).toEqual([404, 404]);
      expect((strange.body as { message?: string }).message).toBe(
        (unknown.body as { message?: string }).message,
      );
    });
  });

  it.each(['uploaded', 'processing', 'failed'] as const)(
    'refuses a document that is %s, free of charge',
    async (status) => {
      const document_id = await documentOf(world, { status, text: FILE });
      await expectFree(async () => {
        expect((await read(reading, { document_id })).status).toBe(409);
      });
    },
  );

  it('refuses a deleted document, free of charge', async () => {
    const document_id = await documentOf(world, { text: FILE });
    expect((await callAs('deleteDocument', world, { params: { doc_id: document_id } })).status).toBe(204);
    await expectFree(async () => {
      expect((await read(reading, { document_id })).status).toBe(404);
    });
  });
});

/** By operation, what a model tells of the document. */
const TOLD: readonly (readonly [OperationId, object])[] = [
  ['summarizeLegal', { summary: 'Reports for money.', key_points: [SENTENCE] }],
  ['optimizeProfessional', CHANGED],
  ['summarizeScholar', { summary: 'Reports for money.', key_points: [SENTENCE] }],
  ['enhanceCreative', SUGGESTED],
  ['improveDocs', SUGGESTED],
  ['processAdvanced', { entities: [{ type: 'date', text: '1 March 2027' }] }],
];

describe.each(TOLD)('%s with a model', (operationId, told) => {
  const reading = READINGS.find((each) => each.operationId === operationId);

  it('shows it the document, and names the places of its quotes', async () => {
    const model = scriptModel(world, [{ content: JSON.stringify(told), use: [200, 20] }]);
    const before = await world.balanceNanoUsd();
    const answer = await read(reading ?? { operationId }, { document_id: ready });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    expect(JSON.stringify(model.requests[0]?.messages)).toContain(SENTENCE);
    expect(before - (await world.balanceNanoUsd())).toBe(priceOf(operationId, answer));
    const data = dataOf(answer);
    expect([data.model, data.usage.total_tokens]).toEqual(['scripted-1', 220]);
    const places = placesIn(data);
    expect(places.filter(({ start, end, quote }) => text.slice(start, end) !== quote)).toEqual([]);
    expect(places.length > 0 || operationId === 'optimizeProfessional').toBe(true);
  });

  it('answers of the document that it showed, though that is deleted meanwhile', async () => {
    const document_id = await documentOf(world, { text: FILE });
    const model = scriptJson(world, told);
    jest.spyOn(service.app.get(Models), 'chat').mockImplementation(async (request, options) => {
      await callAs('deleteDocument', world, { params: { doc_id: document_id } });
      return model.chat(request, options);
    });
    const answer = await read(reading ?? { operationId }, { document_id });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
  });

  it('leaves out a quote that is not in the document, and counts it', async () => {
    const invented = JSON.stringify(told).replace(/(in order to|1 March 2027|reports by)/u, 'nowhere');
    scriptModel(world, [{ content: invented }]);
    const data = dataOf(await read(reading ?? { operationId }, { document_id: ready }));
    expect(data.dropped).toBe(1);
    expect(placesIn(data)).toEqual([]);
  });
});

function read(
  { operationId, fields = {}, within = (source) => source }: Reading,
  source: object,
  account = world.owner,
): Promise<ApiAnswer> {
  return callAs(operationId, world, { body: { ...fields, ...within(source) } }, account);
}

async function expectFree(work: () => Promise<void>): Promise<void> {
  const accounts = [world.owner, world.stranger];
  const before = await Promise.all(accounts.map((account) => world.balanceNanoUsd(account)));
  await work();
  expect(await Promise.all(accounts.map((account) => world.balanceNanoUsd(account)))).toEqual(before);
}

function priceOf(operationId: OperationId, answer: ApiAnswer): bigint {
  const { base, perToken } = prices[policyOf(operationId).price as keyof typeof prices];
  const { usage } = dataOf(answer);
  return parseUsd(base) + parseUsd(perToken ?? '0') * BigInt(usage.total_tokens);
}

function dataOf({ body }: ApiAnswer): { model: string; dropped: number; usage: { total_tokens: number } } {
  return (body as unknown as { data: ReturnType<typeof dataOf> }).data;
}

interface Place {
  readonly start: number;
  readonly end: number;
  readonly quote: string;
}

/** Every part of an answer that says where it stands in the text, with the words that it gives for that place. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const { start, end, text: words, before, quote } = value as Record<string, unknown>;
  const said = [quote, before, words].find((each) => typeof each === 'string');
  const own =
    typeof start === 'number' && typeof end === 'number' && said !== undefined
      ? [{ start, end, quote: said }]
      : [];
  return [...own, ...Object.values(value).flatMap(placesIn)];
}
