import { createHash } from 'node:crypto';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { formOf, uploadOf } from '../../support/api/form';
import { documentOf } from '../../support/api/store-document';
import { boundStorage } from '../../support/api/stored-bytes';
import type { ApiRequest } from '../../support/api/service';
import type { World } from '../../support/api/world';
import { newId } from '../../../src/runtime/ids';

const PRICE_NANO_USD = 1_000_000n;
const FILE_BYTES_MAX = 25 * 1024 * 1024;

describeOperation(
  'uploadDocument',
  (_, variant) =>
    uploadOf(`The harbour is closed on Sundays. Copy ${variant}.`, 'harbour.txt', { title: 'Harbour' }),
  (status) => {
    status(400, 'refuses what has not the documented form, free of charge', async (world) => {
      await expectFreeOf(world, 400, {
        'no body': {},
        'no boundary': { body: Buffer.from('x'), headers: { 'content-type': 'multipart/form-data' } },
        'a form that ends early': {
          body: Buffer.from(
            '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc',
          ),
          headers: { 'content-type': 'multipart/form-data; boundary=b' },
        },
        'no file': formOf([{ name: 'metadata', value: '{}' }]),
        'a file without a name': formOf([{ name: 'file', value: 'text' }]),
        'two files': formOf([
          { name: 'file', value: 'text', fileName: 'a.txt' },
          { name: 'file', value: 'text', fileName: 'b.txt' },
        ]),
        'a file in another field': formOf([{ name: 'picture', value: 'text', fileName: 'a.txt' }]),
        'an unknown field': formOf([
          { name: 'colour', value: 'red' },
          { name: 'file', value: 'text', fileName: 'a.txt' },
        ]),
        'a field twice': formOf([
          { name: 'metadata', value: '{}' },
          { name: 'metadata', value: '{}' },
          { name: 'file', value: 'text', fileName: 'a.txt' },
        ]),
        'metadata that are no JSON': formOf([
          { name: 'metadata', value: '{' },
          { name: 'file', value: 'text', fileName: 'a.txt' },
        ]),
        'metadata that are a list': uploadOf('text', 'a.txt', []),
        'an empty title': uploadOf('text', 'a.txt', { title: '' }),
        'a title of 301 characters': uploadOf('text', 'a.txt', { title: 'x'.repeat(301) }),
        'metadata of 257 values': uploadOf('text', 'a.txt', { list: Array.from({ length: 257 }, () => 1) }),
      });
    });

    status(400, 'names the field that takes the file', async (world) => {
      const form = formOf([{ name: 'document', value: 'text', fileName: 'a.txt' }]);
      const { status: code, body } = await callAs('uploadDocument', world, form);
      expect([code, body.message]).toEqual([
        400,
        'body: must bring its file in the field file, and none in another',
      ]);
    });

    status(413, 'names how large a file may be', async (world) => {
      const { body } = await callAs('uploadDocument', world, uploadOf(Buffer.alloc(FILE_BYTES_MAX + 1, 'a')));
      expect(body.message).toBe('The body is too large: a file has at most 25 MiB.');
    });

    status(409, 'refuses a document beyond the bytes that an account may have', async (world) => {
      const id = await documentOf(world);
      await boundStorage(world, 4 * 1024 ** 3);
      await world.service.database.query('UPDATE documents SET size_bytes = 2147483647 WHERE id = $1', [id]);
      await expectFreeOf(world, 409, { 'one more': uploadOf('One more.') });
    });

    status(413, 'refuses a file of more than 25 MiB and a long field, free of charge', async (world) => {
      await expectFreeOf(world, 413, {
        'a long file': uploadOf(Buffer.alloc(FILE_BYTES_MAX + 1, 'a')),
        'a longer body': uploadOf(Buffer.alloc(FILE_BYTES_MAX + 200_000, 'a')),
        'a long field': formOf([
          { name: 'metadata', value: JSON.stringify({ title: 'x'.repeat(70_000) }) },
          { name: 'file', value: 'text', fileName: 'a.txt' },
        ]),
      });
    });

    status(422, 'refuses what is not read or not what it is called, free of charge', async (world) => {
      const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
      await expectFreeOf(world, 422, {
        'an empty file': uploadOf(''),
        'a program': uploadOf(Buffer.from('7f454c4602010100', 'hex'), 'a.txt'),
        'a picture called PDF': uploadOf(png, 'a.pdf'),
        'a text called PDF': uploadOf('text', 'a.pdf'),
        'a text called exe': uploadOf('text', 'a.exe'),
        'a text that the metadata call PDF': uploadOf('text', 'a.txt', { type: 'application/pdf' }),
        'a text that the metadata call docx': uploadOf('text', 'a.txt', { type: 'DOCX' }),
      });
    });

    status(201, 'stores the file as it is, and charges the upload', async (world) => {
      const before = await world.balanceNanoUsd();
      const bytes = Buffer.from('Ein Brief über den Hafen.\n'.repeat(30_000));
      const metadata = { title: 'Häfen', type: 'letter', project: { id: 7 } };
      const { body } = await callAs(
        'uploadDocument',
        world,
        uploadOf(bytes, '../../etc/Brief "1".txt', metadata),
      );
      const checksum = createHash('sha256').update(bytes).digest('hex');
      expect(body.data).toMatchObject({
        name: expect.stringMatching(/^[^/\\"]+\.txt$/),
        title: 'Häfen',
        type: 'txt',
        media_type: 'text/plain',
        size_bytes: bytes.length,
        checksum,
        metadata: { type: 'letter', project: { id: 7 } },
        status: 'uploaded',
        progress: 0,
        deduplicated: false,
      });
      expect(before - (await world.balanceNanoUsd())).toBe(PRICE_NANO_USD);
      const rows: { bytes: Buffer }[] = await world.service.database.query(
        'SELECT bytes FROM document_bytes WHERE document_id = $1 ORDER BY position',
        [body.data.id],
      );
      expect(rows.length).toBe(Math.ceil(bytes.length / (256 * 1024)));
      expect(Buffer.concat(rows.map((row) => row.bytes)).equals(bytes)).toBe(true);
    });

    status(201, 'calls a document after its file where no title is given', async (world) => {
      const { body } = await callAs('uploadDocument', world, uploadOf('# A plan', 'The plan.v2.md'));
      expect(body.data).toMatchObject({ title: 'The plan.v2', type: 'md', metadata: {} });
    });

    status(
      201,
      'takes metadata that a browser sends as a blob of JSON, which has a file name',
      async (world) => {
        const value = JSON.stringify({ title: 'The plan', project: 'harbour' });
        const { body } = await callAs(
          'uploadDocument',
          world,
          formOf([
            { name: 'metadata', value, fileName: 'blob', mediaType: 'application/json' },
            { name: 'file', value: 'A plan from a browser.', fileName: 'plan.txt', mediaType: 'text/plain' },
          ]),
        );
        expect(body.data).toMatchObject({
          name: 'plan.txt',
          title: 'The plan',
          metadata: { project: 'harbour' },
        });
      },
    );

    status(201, 'answers the same file with the same document, however many calls race', async (world) => {
      const request = uploadOf('The same file.');
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => callAs('uploadDocument', world, request)),
      );
      expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 8 }, () => 201));
      expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
      expect(answers.filter(({ body }) => !body.data.deduplicated)).toHaveLength(1);
      const other = await callAs('uploadDocument', world, request, world.stranger);
      expect(other.body.data.deduplicated).toBe(false);
    });

    status(201, 'tells a retry whose first answer was lost the same as the first', async (world) => {
      const request = uploadOf('A retried file.');
      const headers = { ...request.headers, 'idempotency-key': newId() };
      const first = await callAs('uploadDocument', world, { ...request, headers });
      await world.service.database.query('DELETE FROM idempotency_claims');
      const retry = await callAs('uploadDocument', world, { ...request, headers });
      expect(retry.body.data).toEqual(first.body.data);
    });
  },
);

async function expectFreeOf(
  world: World,
  status: number,
  requests: Record<string, ApiRequest>,
): Promise<void> {
  const before = await world.balanceNanoUsd();
  const answers: Record<string, unknown> = {};
  for (const [name, request] of Object.entries(requests)) {
    answers[name] = (await callAs('uploadDocument', world, request)).status;
  }
  expect(answers).toEqual(Object.fromEntries(Object.keys(requests).map((name) => [name, status])));
  expect(await world.balanceNanoUsd()).toBe(before);
  const [row]: { count: string }[] = await world.service.database.query(
    `SELECT count(*) FROM documents WHERE account_id = $1 AND name <> 'letter.txt'`,
    [world.owner.id],
  );
  expect(Number(row?.count)).toBe(0);
}
