import { In } from 'typeorm';
import { AccountDatabases } from '../../src/database/account-databases';
import { DocumentAttempts } from '../../src/modules/documents/document-attempts';
import { DocumentRecord } from '../../src/retrieval/documents.repository';
import { callAs } from '../support/api/call-as';
import { TestService } from '../support/api/service';
import { uploaded, waitForLong } from '../support/api/store-document';
import { createAccount, World } from '../support/api/world';

describe('a document that waits', () => {
  let service: TestService;
  let world: World;
  let attempts: DocumentAttempts;

  beforeAll(async () => {
    service = await TestService.start();
    attempts = service.app.get(DocumentAttempts);
  });
  afterAll(() => service.stop());

  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(async () => {
    for (const database of service.app.get(AccountDatabases).all) {
      await database.query('DELETE FROM documents');
    }
  });

  it('begins soon, however many documents of another account wait for longer', async () => {
    // As many as an account may have.
    await waitForLong(world, world.stranger, 10_000);
    const doc_id = await uploaded(world, 'Mara found a letter.');
    await callAs('processDocument', world, { params: { doc_id } });
    const handed = (await attempts.claim()).items.map(({ id }) => id);
    expect(handed).toContain(doc_id);
    const others = { accountId: world.stranger.id, id: In(handed) };
    expect(await service.database.getRepository(DocumentRecord).countBy(others)).toBe(4);
  });

  it('waits on while a hundred are in hand, of whichever accounts', async () => {
    const accounts = Array.from({ length: 26 }, () => createAccount(service, { creditUsd: '0' }));
    await Promise.all((await Promise.all(accounts)).map((account) => waitForLong(world, account, 4)));
    const handed = (await attempts.claim()).items;
    expect(handed).toHaveLength(100);
    expect(await attempts.claim()).toMatchObject({ items: [], areKeptBack: true, isQuiet: false });

    await attempts.putBack(handed.slice(0, 10).map(({ id }) => id));
    expect((await attempts.claim()).items).toHaveLength(10);
  });

  it('is handed again half a minute after the clock was set back, where its job was lost', async () => {
    const doc_id = await uploaded(world, 'Mara found a letter.');
    await callAs('processDocument', world, { params: { doc_id } });
    expect((await attempts.claim()).items).toHaveLength(1);
    service.clock.advance(-3_600_000);
    expect((await attempts.claim()).items).toEqual([]);
    service.clock.advance(29_999);
    expect((await attempts.claim()).items).toEqual([]);
    service.clock.advance(1);
    expect((await attempts.claim()).items.map(({ id }) => id)).toEqual([doc_id]);
  });
});
