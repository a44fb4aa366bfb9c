import { Logger } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { DocumentBytes } from '../../../src/modules/documents/document-bytes';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { documentOf, uploaded } from '../../support/api/store-document';
import type { World } from '../../support/api/world';

const BYTES = Buffer.from(Array.from({ length: 60_000 }, (_, index) => `${index} äöü\n`).join(''));

describeOperation(
  'getDocumentContent',
  async (world) => ({ params: { doc_id: await documentOf(world) } }),
  (status) => {
    status(416, 'refuses a range that the file has nothing of, and says how long it is', async (world) => {
      const doc_id = await uploaded(world, 'Twelve bytes');
      for (const range of ['bytes=12-', 'bytes=12-20', 'bytes=-0', 'bytes=99999999-']) {
        const answer = await callAs('getDocumentContent', world, { params: { doc_id }, headers: { range } });
        expect([answer.status, answer.headers['content-range']]).toEqual([416, 'bytes */12']);
      }
    });

    status(404, 'is what a document is that is deleted before its first byte is read', async (world) => {
      const doc_id = await uploaded(world, 'Soon gone.');
      const bytes = world.service.app.get(DocumentBytes);
      const range = bytes.range.bind(bytes);
      jest.spyOn(bytes, 'range').mockImplementationOnce(async function* (...asked) {
        await callAs('deleteDocument', world, { params: { doc_id } });
        yield* range(...asked);
      });
      const answer = await callAs('getDocumentContent', world, { params: { doc_id } });
      expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('No such document.')]);
    });

    status(200, 'breaks off where the document is deleted between two pieces', async (world) => {
      const doc_id = await uploaded(world, BYTES);
      const bytes = world.service.app.get(DocumentBytes);
      const range = bytes.range.bind(bytes);
      jest.spyOn(bytes, 'range').mockImplementationOnce(async function* (...asked) {
        for await (const piece of range(...asked)) {
          yield piece;
          await callAs('deleteDocument', world, { params: { doc_id } });
        }
      });
      const log = jest.spyOn(Logger.prototype, 'error');
      await expect(bytesOf(world, doc_id, {})).rejects.toThrow('destroyed before completion');
      expect(log).not.toHaveBeenCalled();
      expect((await bytesOf(world, doc_id, {})).status).toBe(404);
    });

    status(304, 'sends nothing to who has the file already', async (world) => {
      const doc_id = await uploaded(world, 'Known.');
      const etag = `"${createHash('sha256').update('Known.').digest('hex')}"`;
      for (const known of [etag, `"other", W/${etag}`, '*']) {
        const headers = { 'if-none-match': known };
        const answer = await callAs('getDocumentContent', world, { params: { doc_id }, headers });
        expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', etag]);
      }
    });

    status(206, 'sends exactly the range that is asked for, across the stored pieces', async (world) => {
      const doc_id = await uploaded(world, BYTES);
      const size = BYTES.length;
      const ranges: [string, number, number][] = [
        ['bytes=0-0', 0, 1],
        ['bytes=262143-262144', 262_143, 262_145],
        ['bytes=100000-600000', 100_000, 600_001],
        ['bytes=-5', size - 5, size],
        [`bytes=${size - 1}-`, size - 1, size],
        ['bytes=5-99999999', 5, size],
        ['bytes=-99999999', 0, size],
      ];
      for (const [range, start, end] of ranges) {
        const { raw, ...answer } = await bytesOf(world, doc_id, { range });
        expect(answer).toMatchObject({
          status: 206,
          headers: {
            'content-range': `bytes ${start}-${end - 1}/${size}`,
            'content-length': String(end - start),
          },
        });
        expect(raw.equals(BYTES.subarray(start, end))).toBe(true);
      }
      const etag = `"${createHash('sha256').update(BYTES).digest('hex')}"`;
      expect((await bytesOf(world, doc_id, { range: 'bytes=0-0', 'if-range': etag })).status).toBe(206);
      const answer = await callAs('getDocumentContent', world, {
        params: { doc_id },
        headers: { range: 'bytes=0-4' },
      });
      expect(answer.status).toBe(206);
    });

    status(200, 'sends the file as it was uploaded, never to be shown in a page', async (world) => {
      const doc_id = await uploaded(world, BYTES, 'Brief an "Zoë".txt');
      for (const range of [undefined, 'bytes=0-1,5-6', 'lines=1-2', 'bytes=9-2']) {
        const {
          status: told,
          raw,
          headers,
        } = await bytesOf(world, doc_id, range === undefined ? {} : { range });
        expect([told, raw.equals(BYTES)]).toEqual([200, true]);
        expect(headers).toMatchObject({
          'content-type': 'text/plain',
          'content-length': String(BYTES.length),
          'accept-ranges': 'bytes',
          'x-content-type-options': 'nosniff',
          'content-security-policy': expect.stringMatching(/^default-src 'none';.*; sandbox$/),
          'content-disposition': expect.stringMatching(
            /^attachment; filename="[ -~]+"; filename\*=UTF-8''[\w%.-]+$/,
          ),
        });
        expect(String(headers['content-disposition'])).toContain('Zo%C3%AB');
      }
      expect((await bytesOf(world, doc_id, { range: 'bytes=0-0', 'if-range': '"old"' })).status).toBe(200);
    });

    status(200, 'lets a page of another origin read what the headers tell of the file', async (world) => {
      const doc_id = await uploaded(world, BYTES);
      const { headers } = await bytesOf(world, doc_id, { origin: 'https://shop.example' });
      const readable = String(headers['access-control-expose-headers']).split(', ');
      expect(readable).toEqual(
        expect.arrayContaining(['Accept-Ranges', 'Content-Disposition', 'Content-Range', 'ETag']),
      );
    });

    status(200, 'tells HEAD the size and sends nothing', async (world) => {
      const doc_id = await uploaded(world, BYTES);
      const { status: told, raw, headers } = await bytesOf(world, doc_id, {}, 'HEAD');
      expect([told, raw.length, headers['content-length']]).toEqual([200, 0, String(BYTES.length)]);
    });
  },
);

async function bytesOf(
  world: World,
  id: string,
  headers: Record<string, string>,
  method: 'GET' | 'HEAD' = 'GET',
) {
  const {
    statusCode,
    rawPayload,
    headers: told,
  } = await world.service.app.inject({
    method,
    url: `/api/documents/${id}/content`,
    headers: { ...headers, authorization: `Bearer ${world.owner.token}` },
  });
  return { status: statusCode, raw: rawPayload, headers: told };
}
