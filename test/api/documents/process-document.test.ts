import { setTimeout } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { In } from 'typeorm';
import { RETRIED_FOR_MS } from '../../../src/accounts/account-rows';
import { type ApiError, NothingCharged, ServiceUnavailable } from '../../../src/errors/api-errors';
import { CallTraces } from '../../../src/events/call-traces';
import { FileReaders } from '../../../src/files/file-readers';
import { Ledger } from '../../../src/ledger/ledger';
import { DocumentAttempts, DocumentDispatcher } from '../../../src/modules/documents/document-attempts';
import { DocumentProcessor, DocumentReading } from '../../../src/modules/documents/document-reading';
import { DocumentRecord } from '../../../src/retrieval/documents.repository';
import { RagIndexing } from '../../../src/retrieval/rag-indexing';
import { newId } from '../../../src/runtime/ids';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { uploadOf } from '../../support/api/form';
import { documentOf, uploaded } from '../../support/api/store-document';
import { boundStorage } from '../../support/api/stored-bytes';
import type { World } from '../../support/api/world';
import { checkDocuments } from '../../support/soak/checks/work-checks';
import { until } from '../../support/until';

const BASE_NANO_USD = 2_000_000n;
const TOKEN_NANO_USD = 10_000n;
const TEXT = 'The harbour is closed on Sundays. Ships may wait in the bay of Kolding until Monday.';
/** A worker that has said nothing for so long is taken for dead. */
const LEASE_MS = 15_000;
/** Longer than any document waits that a worker has died with. */
const LOST_WAIT_MS_MAX = 90_000;
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describeOperation(
  'processDocument',
  async (world, variant) => ({
    params: { doc_id: await documentOf(world, { text: `${TEXT} Copy ${variant}.`, status: 'uploaded' }) },
  }),
  (status) => {
    status(503, 'has no model that reads a picture, and charges nothing', async (world) => {
      const doc_id = await uploaded(world, PNG, 'a.png');
      const before = await world.balanceNanoUsd();
      const answer = await callAs('processDocument', world, { params: { doc_id } });
      expect([answer.status, answer.body.error]).toEqual([503, 'Model upstream not configured']);
      expect(answer.body.message).toMatch(/^No model is configured that reads pictures and scans/);
      expect(await world.balanceNanoUsd()).toBe(before);
      expect(await recordOf(world, doc_id)).toMatchObject({ status: 'uploaded', error: null });
    });

    status(503, 'reads a scan once, however often it is asked, and charges nothing', async (world) => {
      const doc_id = await uploaded(world, await scan(), 'scan.pdf');
      const before = await world.balanceNanoUsd();
      const reading = jest.spyOn(world.service.app.get(FileReaders), 'read');
      for (let call = 0; call < 3; call += 1) {
        const answer = await callAs('processDocument', world, { params: { doc_id } });
        expect([answer.status, answer.body.error]).toEqual([503, 'Model upstream not configured']);
      }
      expect(reading).toHaveBeenCalledTimes(1);
      expect(await world.balanceNanoUsd()).toBe(before);
      expect(await recordOf(world, doc_id)).toMatchObject({
        status: 'uploaded',
        error: null,
        characters: null,
      });
    });

    status(503, 'reads few files of an account at once, and refuses when too many wait', async (world) => {
      const { database, app } = world.service;
      const doc_ids = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          documentOf(world, { text: `${TEXT} Load ${index}.`, status: 'uploaded' }),
        ),
      );
      const own = await database.getRepository(DocumentRecord).findBy({ id: In(doc_ids) });
      const other = await database.getRepository(DocumentRecord).findOneByOrFail({
        id: await documentOf(world, { text: TEXT, status: 'uploaded' }, world.stranger),
      });
      let open: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => (open = resolve));
      let [loaded, most] = [0, 0];
      jest.spyOn(app.get(FileReaders), 'read').mockImplementation(async (_, bytes, { accountId }) => {
        if (accountId === world.owner.id) {
          most = Math.max(most, (loaded += 1));
          await gate;
          loaded -= 1;
        }
        const text = Buffer.from(bytes).toString();
        return { text, markdown: null, pages: null, title: null, tables: [], isCut: false };
      });
      const { signal } = new AbortController();
      const reading = app.get(DocumentReading);
      const ends = Promise.allSettled(own.map((record) => reading.tokensOf(record, signal)));
      await until('two files are in memory', () => Promise.resolve(loaded === 2));
      await expect(reading.tokensOf(other, signal)).resolves.toBeGreaterThan(0);
      open();
      const refused = (await ends).flatMap((end) =>
        end.status === 'rejected' ? [end.reason as ApiError] : [],
      );
      expect(refused.map(({ status: code }) => code)).toEqual(Array(2).fill(503));
      expect(most).toBe(2);
    });

    status(404, 'finds nothing where the document is deleted while it is read', async (world) => {
      const doc_id = await uploaded(world, TEXT);
      const { database, app } = world.service;
      const before = await world.balanceNanoUsd();
      const deletion = database.createQueryRunner();
      const readers = app.get(FileReaders);
      const real = readers.read.bind(readers);
      jest.spyOn(readers, 'read').mockImplementation(async (...given) => {
        await deletion.startTransaction();
        await deletion.query('DELETE FROM documents WHERE id = $1', [doc_id]);
        // It ends when the text is being stored.
        void setTimeout(700).then(() => deletion.commitTransaction().then(() => deletion.release()));
        return real(...given);
      });
      expect((await callAs('processDocument', world, { params: { doc_id } })).status).toBe(404);
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(404, 'finds nothing where the document is deleted when it was read', async (world) => {
      const doc_id = await uploaded(world, TEXT);
      const before = await world.balanceNanoUsd();
      const attempts = world.service.app.get(DocumentAttempts);
      const real = attempts.begin.bind(attempts);
      jest.spyOn(attempts, 'begin').mockImplementation(async (...given) => {
        await callAs('deleteDocument', world, { params: { doc_id } });
        return real(...given);
      });
      expect((await callAs('processDocument', world, { params: { doc_id } })).status).toBe(404);
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(422, 'refuses what can not be read, charges nothing, and the record says why', async (world) => {
      const before = await world.balanceNanoUsd();
      for (const [bytes, name] of [
        ['%PDF-1.7\nnothing of a PDF follows', 'a.pdf'],
        [' \n … \n', 'a.txt'],
      ] as const) {
        const doc_id = await uploaded(world, bytes, name);
        const charged = before - (await world.balanceNanoUsd());
        const answer = await callAs('processDocument', world, { params: { doc_id } });
        const again = await callAs('processDocument', world, { params: { doc_id } });
        expect([answer.status, again.status, again.body.message]).toEqual([422, 422, answer.body.message]);
        expect(before - (await world.balanceNanoUsd())).toBe(charged);
        expect(await recordOf(world, doc_id)).toMatchObject({ status: 'failed', error: answer.body.message });
      }
    });

    status(409, 'refuses and stores no text beyond the bytes of an account', async (world) => {
      const { database } = world.service;
      const full = await documentOf(world);
      const doc_id = await uploaded(world, TEXT);
      const before = await world.balanceNanoUsd();
      await boundStorage(world, 4 * 1024 ** 3);
      // There is room for all of it but one byte: the text, and `[]` for its tables.
      const room = 2 * TEXT.length + 2 - 1;
      await database.query(
        'UPDATE documents SET size_bytes = 2147483647, read_bytes = 1 - $2 WHERE id = $1',
        [full, room],
      );
      const refused = await callAs('processDocument', world, { params: { doc_id } });
      expect([refused.status, refused.body.message]).toEqual([
        409,
        'The documents of an account have at most 2 GiB, with what was read from them; delete one first.',
      ]);
      expect(await world.balanceNanoUsd()).toBe(before);
      expect(await database.query('SELECT FROM document_texts WHERE document_id = $1', [doc_id])).toEqual([]);
      expect(await recordOf(world, doc_id)).toMatchObject({ status: 'uploaded', error: null });

      await database.query('UPDATE documents SET read_bytes = read_bytes - 1 WHERE id = $1', [full]);
      expect((await callAs('processDocument', world, { params: { doc_id } })).status).toBe(200);
      const more = await callAs('uploadDocument', world, uploadOf('x'));
      expect(more.status).toBe(409);
    });

    status(409, 'refuses a document that is in work or ready, and charges nothing', async (world) => {
      const doc_id = await uploaded(world, TEXT);
      const first = await callAs('processDocument', world, { params: { doc_id } });
      const before = await world.balanceNanoUsd();
      const second = await callAs('processDocument', world, { params: { doc_id } });
      await carryOut(world, doc_id);
      const third = await callAs('processDocument', world, { params: { doc_id } });
      expect([first.status, second.status, third.status]).toEqual([200, 409, 409]);
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(409, 'refuses a ready document by a key of the day before, for nothing', async (world) => {
      const doc_id = await uploaded(world, TEXT);
      const request = { params: { doc_id }, headers: { 'idempotency-key': newId() } };
      expect((await callAs('processDocument', world, request)).status).toBe(200);
      world.service.clock.advance(60_000);
      await carryOut(world, doc_id);
      world.service.clock.advance(RETRIED_FOR_MS - 60_000);
      const { email, password } = world.owner;
      const { body } = await callAs('login', world, { body: { email, password } });
      const before = await world.balanceNanoUsd();
      const later = await callAs('processDocument', world, { ...request, credential: body.token });
      expect([later.status, later.body.message]).toEqual([409, 'The document was processed already.']);
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(200, 'reads the text, charges its tokens, and has it found when it is indexed', async (world) => {
      const before = await world.balanceNanoUsd();
      const doc_id = await uploaded(world, TEXT, 'harbour.txt', { title: 'Harbour' });
      const uploadCost = before - (await world.balanceNanoUsd());
      const { body } = await callAs('processDocument', world, { params: { doc_id } });
      const tokens = body.data.tokens ?? 0;
      expect(body.data).toMatchObject({ status: 'processing', characters: TEXT.length, pages: null });
      expect(tokens).toBeGreaterThan(10);
      const cost = BASE_NANO_USD + TOKEN_NANO_USD * BigInt(tokens);
      expect(before - (await world.balanceNanoUsd())).toBe(uploadCost + cost);

      await carryOut(world, doc_id);
      const record = await recordOf(world, doc_id);
      expect(record).toMatchObject({ status: 'ready', progress: 100, language: 'en', chunks: 1, tokens });
      expect(record.processed_at).not.toBeNull();
      const found = await callAs('retrieveRagChunks', world, {
        body: { query: 'When is the harbour closed?', collection: 'documents' },
      });
      expect(JSON.stringify(found.body.data)).toContain(doc_id);
      expect(before - (await world.balanceNanoUsd())).toBeGreaterThanOrEqual(uploadCost + cost);
    });

    status(200, 'charges one of two calls at once', async (world) => {
      const doc_id = await uploaded(world, TEXT);
      const before = await world.balanceNanoUsd();
      const answers = await Promise.all(
        [1, 2].map(() => callAs('processDocument', world, { params: { doc_id } })),
      );
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
      const tokens = answers.find((answer) => answer.status === 200)?.body.data.tokens ?? 0;
      expect(before - (await world.balanceNanoUsd())).toBe(BASE_NANO_USD + TOKEN_NANO_USD * BigInt(tokens));
    });

    status(200, 'charges the tokens once where the background fails, in whichever call', async (world) => {
      const doc_id = await uploaded(world, TEXT);
      const { database, app } = world.service;
      const costs: bigint[] = [];
      const calls: Parameters<typeof checkDocuments>[1][number][] = [];
      const process = async (key = newId()) => {
        const before = await world.balanceNanoUsd();
        const requestId = newId();
        const headers = { 'idempotency-key': key, 'x-request-id': requestId };
        const request = { params: { doc_id }, headers };
        calls.push({ operation: 'processDocument', requestId, request });
        await callAs('processDocument', world, request);
        costs.push(before - (await world.balanceNanoUsd()));
      };
      const unpaid = (key?: string) => {
        jest.spyOn(app.get(Ledger), 'settle').mockRejectedValueOnce(new NothingCharged());
        return process(key);
      };
      const fail = () =>
        database.query(`UPDATE documents SET status = 'failed', stage = 'idle' WHERE id = $1`, [doc_id]);
      await unpaid();
      await fail();
      await unpaid('first').then(() => process('first'));
      await fail();
      await unpaid('second').then(() => process('second'));
      await fail();
      await process();
      const { tokens } = await recordOf(world, doc_id);
      const whole = BASE_NANO_USD + TOKEN_NANO_USD * BigInt(tokens ?? 0);
      expect(costs).toEqual([0n, 0n, whole, 0n, BASE_NANO_USD, BASE_NANO_USD]);
      // What a soak takes for a fault, as its clients process no document again.
      const { faults } = await checkDocuments(world.service, calls);
      expect(faults).toContainEqual(JSON.stringify({ id: doc_id, count: '3' }));
    });

    status(200, 'becomes ready although twenty workers have died of something else', async (world) => {
      const doc_id = await uploaded(world, TEXT);
      await callAs('processDocument', world, { params: { doc_id } });
      await loseWorkers(world, doc_id, 20);
      const before = await world.balanceNanoUsd();
      await carryOut(world, doc_id);
      expect(await recordOf(world, doc_id)).toMatchObject({ status: 'ready', error: null });
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(200, 'leaves the others more time for each worker that it was lost with', async (world) => {
      const doc_id = await uploaded(world, TEXT);
      await callAs('processDocument', world, { params: { doc_id } });
      await loseWorkers(world, doc_id, 10);
      const attempts = world.service.app.get(DocumentAttempts);
      await attempts.claim();
      expect(await attempts.take({ itemId: doc_id, runId: newId() })).not.toBeNull();
      world.service.clock.advance(LEASE_MS);
      // The eleventh: 22 seconds from when it is missed.
      expect(idsOf((await attempts.claim()).items)).not.toContain(doc_id);
      world.service.clock.advance(21_000);
      expect(idsOf((await attempts.claim()).items)).not.toContain(doc_id);
      world.service.clock.advance(1_000);
      expect(idsOf((await attempts.claim()).items)).toContain(doc_id);
    });

    status(200, 'ends as failed where it was begun thirty times in vain', async (world) => {
      const doc_id = await uploaded(world, TEXT);
      await callAs('processDocument', world, { params: { doc_id } });
      await loseWorkers(world, doc_id, 30);
      const attempts = world.service.app.get(DocumentAttempts);
      expect(idsOf((await attempts.claim()).items)).toContain(doc_id);
      expect(await attempts.take({ itemId: doc_id, runId: newId() })).toBeNull();
      expect(await recordOf(world, doc_id)).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('30 times'),
      });
    });

    status(200, 'ends as failed after five faults; lost workers and much work are none', async (world) => {
      const doc_id = await uploaded(world, TEXT);
      await callAs('processDocument', world, { params: { doc_id } });
      await loseWorkers(world, doc_id, 6);
      const index = jest.spyOn(world.service.app.get(RagIndexing), 'index');
      index.mockRejectedValueOnce(new ServiceUnavailable('Too much text waits.', 5));
      index.mockRejectedValue(new Error('a fault'));
      for (let run = 1; run <= 6; run += 1) {
        expect((await recordOf(world, doc_id)).status).toBe('processing');
        await carryOut(world, doc_id);
        world.service.clock.advance(LOST_WAIT_MS_MAX);
      }
      const degraded = index.mock.calls.map(([, order]) => order.allowDegraded);
      expect(degraded).toEqual([false, false, false, false, false, true]);
      expect(await recordOf(world, doc_id)).toMatchObject({ status: 'failed', chunks: null });
    });

    status(200, 'does nothing more for a document that is deleted meanwhile', async (world) => {
      const doc_id = await uploaded(world, TEXT);
      await callAs('processDocument', world, { params: { doc_id } });
      const { app } = world.service;
      const attempts = app.get(DocumentAttempts);
      await attempts.claim();
      const index = app.get(RagIndexing);
      const real = index.index.bind(index);
      jest.spyOn(index, 'index').mockImplementation(async (account, order, signal, beside) => {
        await callAs('deleteDocument', world, { params: { doc_id } });
        return real(account, order, signal, beside);
      });
      await runsOf(world).run(doc_id);
      expect((await callAs('getDocument', world, { params: { doc_id } })).status).toBe(404);
      const rows: unknown[] = await world.service.database.query(
        'SELECT FROM rag_documents WHERE document_id = $1',
        [doc_id],
      );
      expect(rows).toHaveLength(0);
    });
  },
);

/** A PDF of one page with a drawing and no text. */
async function scan(): Promise<Buffer> {
  const writer = new PDFDocument();
  writer.rect(50, 50, 100, 100).fill('#888888').end();
  return Buffer.concat((await writer.toArray()) as Buffer[]);
}

async function recordOf(world: World, doc_id: string) {
  return (await callAs('getDocument', world, { params: { doc_id } })).body.data;
}

/** Begins a document that so many workers die with. */
async function loseWorkers({ service }: World, id: string, workers: number): Promise<void> {
  const attempts = service.app.get(DocumentAttempts);
  for (let worker = 0; worker < workers; worker += 1) {
    expect(idsOf((await attempts.claim()).items)).toContain(id);
    expect(await attempts.take({ itemId: id, runId: newId() })).not.toBeNull();
    service.clock.advance(LEASE_MS);
    await attempts.claim();
    service.clock.advance(LOST_WAIT_MS_MAX);
  }
}

function idsOf(handed: readonly { id: string }[]): string[] {
  return handed.map(({ id }) => id);
}

async function carryOut(world: World, id: string): Promise<void> {
  await world.service.app.get(DocumentAttempts).claim();
  await runsOf(world).run(id);
}

function runsOf({ service: { app } }: World): DocumentProcessor {
  return new DocumentProcessor(
    app.get(DocumentAttempts),
    app.get(DocumentReading),
    app.get(RagIndexing),
    app.get(DocumentDispatcher),
    app.get(CallTraces),
  );
}

afterEach(() => {
  jest.restoreAllMocks();
});
