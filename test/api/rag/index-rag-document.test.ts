import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { at, type JsonObject } from '../../../scripts/generate/json';
import { RETRIED_FOR_MS } from '../../../src/accounts/account-rows';
import { newId } from '../../../src/runtime/ids';
import { examplesOf, operationOf, responseOf } from '../../support/api/published-document';
import { documentOf, indexDocument, retrieveChunks, storedDocuments } from '../../support/api/index-document';
import { documentOf as uploadedDocumentOf } from '../../support/api/store-document';
import { ledgerFaults } from '../../support/ledger/ledger-faults';

const BASE_NANO_USD = 500_000n;
const TOKEN_NANO_USD = 1_000n;

describeOperation(
  'indexRagDocument',
  (_, variant) => ({ body: { content: `The library opens at ${variant}.` } }),
  (status) => {
    status(422, 'refuses a content in which nothing could be found, free of charge', async (world) => {
      const before = await world.balanceNanoUsd();
      for (const content of [' \n ', '***', '🙂 — !']) {
        const answer = await callAs('indexRagDocument', world, { body: { content } });
        expect([answer.status, answer.body.error]).toEqual([422, 'Unprocessable']);
      }
      expect(await world.balanceNanoUsd()).toBe(before);
      expect(await storedDocuments(world)).toEqual([]);
    });

    status(402, 'stores nothing when the balance does not cover the tokens', async (world) => {
      await world.setBalanceUsd(world.owner, '0.0009');
      const body = { content: 'The library opens at nine. '.repeat(100) };
      const answer = await callAs('indexRagDocument', world, { body });
      expect([answer.status, await storedDocuments(world)]).toEqual([402, []]);
    });

    status(409, 'refuses to pass 50,000 documents of one account, free of charge', async (world) => {
      await indexDocument(world, { document_id: 'd' });
      await world.service.database.query('UPDATE rag_totals SET documents = 49999 WHERE account_id = $1', [
        world.owner.id,
      ]);
      const before = await world.balanceNanoUsd();
      const answers = await Promise.all(
        [1, 2, 3].map((each) => callAs('indexRagDocument', world, { body: { content: `Text ${each}.` } })),
      );
      expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409]);
      expect(answers.map(({ body }) => body.message)).toContain(
        'An account has at most 50000 documents indexed; delete a document first.',
      );
      expect(before - (await world.balanceNanoUsd())).toBeLessThan(2n * BASE_NANO_USD);
      await indexDocument(world, { document_id: 'd', content: 'Replaced.' });
    });

    status(
      409,
      'leaves the entry of an uploaded document to its processing, free of charge',
      async (world) => {
        const document_id = await uploadedDocumentOf(world);
        const before = await world.balanceNanoUsd();
        const body = { content: 'Something else.', document_id };
        expect((await callAs('indexRagDocument', world, { body })).status).toBe(409);
        expect(await world.balanceNanoUsd()).toBe(before);
        expect(await storedDocuments(world)).toEqual([]);
        await callAs('deleteDocument', world, { params: { doc_id: document_id } });
        expect((await callAs('indexRagDocument', world, { body })).status).toBe(201);
      },
    );

    status(
      201,
      'answers the examples of the document as they say, and so does the retrieval',
      async (world) => {
        for (const [operationId, success] of [
          ['indexRagDocument', '201'],
          ['retrieveRagChunks', '200'],
        ] as const) {
          const operation = operationOf(operationId);
          const [body] = examplesOf(operation.definition.requestBody as JsonObject) as JsonObject[];
          const [expected] = examplesOf(responseOf(operation, success)) as JsonObject[];
          const answer = await callAs(operationId, world, { body });
          const [chunk] = (at(expected, 'data', 'results') ?? []) as JsonObject[];
          const measured = {
            chunk_id: expect.any(String) as string,
            score: expect.closeTo(1, 5) as number,
          };
          expect(answer.body).toMatchObject({
            data: {
              ...(at(expected, 'data') as JsonObject),
              ...(chunk && { results: [{ ...chunk, ...measured }] }),
            },
            metadata: { cost: at(expected, 'metadata', 'cost') },
          });
        }
      },
    );

    status(201, 'charges the base price and the tokens of the content, and says so', async (world) => {
      const before = await world.balanceNanoUsd();
      const answer = await callAs('indexRagDocument', world, {
        body: { content: 'The library opens at nine on weekdays.', metadata: { a: [1, { b: null }] } },
      });
      const { document_id: documentId, tokens, ...data } = answer.body.data;
      expect(data).toEqual({ collection: 'default', chunks: 1, deduplicated: false });
      expect(before - (await world.balanceNanoUsd())).toBe(BASE_NANO_USD + BigInt(tokens) * TOKEN_NANO_USD);
      expect(answer.headers).toMatchObject({ 'x-tokens-used': String(tokens) });
      const read = await callAs('getRagDocument', world, { params: { document_id: documentId } });
      expect(read.body.data).toMatchObject({ tokens, metadata: { a: [1, { b: null }] } });
      expect(await ledgerFaults(world.service.database)).toEqual([]);
    });

    status(
      201,
      'stores a content once in a collection, and charges the base price for the rest',
      async (world) => {
        const first = await indexDocument(world, { metadata: { first: true } });
        const before = await world.balanceNanoUsd();
        const again = await indexDocument(world, { metadata: { second: true } });
        expect(again).toEqual({ ...first, deduplicated: true });
        expect(before - (await world.balanceNanoUsd())).toBe(BASE_NANO_USD);
        const elsewhere = await indexDocument(world, { collection: 'other' });
        const named = await indexDocument(world, { document_id: 'named' });
        const theirs = await indexDocument(world, {}, world.stranger);
        expect([elsewhere, named, theirs].map(({ deduplicated }) => deduplicated)).toEqual([
          false,
          false,
          false,
        ]);
        expect(new Set([first, elsewhere, named, theirs].map((each) => each.document_id)).size).toBe(4);
      },
    );

    status(
      201,
      'charges only the base price for what is stored, also by the Idempotency-Key of the day before',
      async (world) => {
        const headers = { 'idempotency-key': newId() };
        const body = { content: 'The library opens at nine.' };
        const first = await callAs('indexRagDocument', world, { body, headers });
        world.service.clock.advance(RETRIED_FOR_MS);
        const before = await world.balanceNanoUsd();
        const later = await callAs('indexRagDocument', world, { body, headers });
        expect(later.body.data).toEqual({ ...first.body.data, deduplicated: true });
        expect(before - (await world.balanceNanoUsd())).toBe(BASE_NANO_USD);
      },
    );

    status(
      201,
      'replaces all of the document of the same id, and nothing of another account',
      async (world) => {
        const documentId = await documentOf(world);
        await indexDocument(world, { document_id: documentId }, world.stranger);
        await indexDocument(world, { document_id: documentId, metadata: { old: 1 }, collection: 'old' });
        world.service.clock.advance(1000);
        const content = '# Zoo\n\nThe zoo opens at ten.';
        const replaced = await indexDocument(world, { document_id: documentId, content });
        expect(replaced).toMatchObject({
          document_id: documentId,
          collection: 'default',
          deduplicated: false,
        });
        expect(await retrieveChunks(world)).toEqual([]);
        const [chunk] = await retrieveChunks(world, { query: 'zoo' });
        expect(chunk).toMatchObject({ text: content, heading: 'Zoo', metadata: {}, collection: 'default' });
        expect(await storedDocuments(world)).toEqual([documentId]);
      },
    );

    status(201, 'stores one document when two replicas index the same content at once', async (world) => {
      const replica = await world.service.startReplica();
      try {
        const body = { content: 'The library opens at nine. '.repeat(300) };
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, turn) => {
            const service = turn % 2 === 0 ? world.service : replica;
            return service.call('indexRagDocument', { credential: world.owner.key, ip: world.ip, body });
          }),
        );
        expect(answers.map((answer) => answer.status)).toEqual(Array<number>(10).fill(201));
        expect(new Set(answers.map(({ body: { data } }) => data.document_id)).size).toBe(1);
        expect(answers.filter(({ body: { data } }) => !data.deduplicated)).toHaveLength(1);
        expect(await storedDocuments(world)).toHaveLength(1);
        expect(await ledgerFaults(world.service.database)).toEqual([]);
      } finally {
        await replica.stop();
      }
    });

    status(201, 'takes the largest of everything, and what is hard to cut or to search', async (world) => {
      const metadata = { a: Array.from({ length: 254 }, () => '\u{10ffff}'.repeat(14)) };
      const contents = {
        'one letter': 'x'.repeat(400_000),
        headings: '# x\n'.repeat(100_000),
        'what stands for eighteen': '\ufdfa'.repeat(340_000),
        accents: `e${'\u0315\u0300'.repeat(199_999)}`,
        'Chinese characters': Array.from({ length: 300_000 }, (_, at) =>
          String.fromCodePoint(0x4e00 + (at % 20_000)),
        ).join(''),
      };
      for (const [kind, content] of Object.entries(contents)) {
        const body = { content, metadata, document_id: 'd'.repeat(128) };
        let answer = await callAs('indexRagDocument', world, { body });
        // A machine on which much else runs may need more than the ten seconds of an operation; work without a bound does each time.
        for (let tries = 1; answer.status === 504 && tries < 3; tries += 1) {
          answer = await callAs('indexRagDocument', world, { body });
        }
        expect([kind, answer.status]).toEqual([kind, 201]);
        expect(answer.body.data.chunks).toBeLessThan(2_500);
      }
    });
  },
);
