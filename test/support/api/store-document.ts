import { createHash } from 'node:crypto';
import { AccountDatabases } from '../../../src/database/account-databases';
import { newId } from '../../../src/runtime/ids';
import { callAs } from './call-as';
import { uploadOf } from './form';
import type { TestAccount, World } from './world';

interface DocumentFacts {
  text?: string;
  title?: string;
  language?: string | null;
  kind?: 'txt' | 'pdf';
  status?: 'uploaded' | 'processing' | 'ready' | 'failed';
}

/** The id of a document, of the owner's unless another account is given, that no call has uploaded or processed, so that nothing is charged for it. */
export async function documentOf(
  world: World,
  facts: DocumentFacts = {},
  account: TestAccount = world.owner,
): Promise<string> {
  const { text = 'Mara found a letter.', title = 'A letter', language = 'en' } = facts;
  const { status = 'ready', kind = 'txt' } = facts;
  const { app, clock } = world.service;
  const database = app.get(AccountDatabases).of(account.id);
  const id = newId();
  const bytes = Buffer.from(text);
  const checksum = createHash('sha256').update(id).update(bytes).digest();
  const isRead = status === 'ready';
  await database.transaction(async (manager) => {
    await manager.query(
      `INSERT INTO documents (id, account_id, name, title, kind, size_bytes, checksum, metadata, status, progress, language,
         characters, tokens, chunks, is_paid, created_at, updated_at, processed_at)
       VALUES ($1, $2, 'letter.txt', $3, $15, $4, $5, '{}', $6, $7, $8, $9, $10, $11, $12, $13, $13, $14)`,
      [
        id,
        account.id,
        title,
        bytes.length,
        checksum,
        status,
        isRead ? 100 : 0,
        isRead ? language : null,
        isRead ? text.length : null,
        isRead ? 5 : null,
        isRead ? 1 : null,
        isRead,
        clock.now(),
        isRead ? clock.now() : null,
        kind,
      ],
    );
    await manager.query('INSERT INTO document_bytes VALUES ($1, 0, $2)', [id, bytes]);
    if (isRead) {
      await manager.query(
        `INSERT INTO document_texts (document_id, content, characters, tokens, is_cut, tables)
         VALUES ($1, $2, $3, 5, false, '[]')`,
        [id, text, text.length],
      );
    }
  });
  return id;
}

/** Has so many documents of an account wait for an hour to be processed. They have a record and nothing else. */
export async function waitForLong(
  { service }: World,
  account: TestAccount,
  documents: number,
): Promise<void> {
  await service.app
    .get(AccountDatabases)
    .of(account.id)
    .query(
      `INSERT INTO documents (id, account_id, name, title, kind, size_bytes, checksum, metadata, status, stage, created_at,
       updated_at)
     SELECT gen_random_uuid(), $1, 'a.txt', 'A', 'txt', 1, decode(md5(n::text), 'hex'), '{}', 'processing', 'waiting', $2, $2
     FROM generate_series(1, $3::integer) AS n`,
      [account.id, new Date(service.clock.now().getTime() - 3_600_000), documents],
    );
}

/** The id of a document that the owner has uploaded by a call. */
export async function uploaded(
  world: World,
  bytes: string | Buffer,
  fileName = 'letter.txt',
  metadata?: unknown,
): Promise<string> {
  const answer = await callAs('uploadDocument', world, uploadOf(bytes, fileName, metadata));
  expect(answer.status).toBe(201);
  return answer.body.data.id;
}
