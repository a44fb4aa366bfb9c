import { TestService } from '../../test/support/api/service';
import { documentOf } from '../../test/support/api/store-document';
import { World } from '../../test/support/api/world';
import { newId } from '../runtime/ids';
import { SourceTexts } from './source-texts';

describe('the texts of documents', () => {
  let service: TestService;
  let world: World;
  let texts: SourceTexts;

  beforeAll(async () => {
    service = await TestService.start();
    world = await World.create(service);
    texts = service.app.get(SourceTexts);
  });
  afterAll(() => service.stop());

  it('gives the text of a document that is ready to its owner alone', async () => {
    const id = await documentOf(world, { text: 'A clause.', title: 'A contract' });
    expect(await texts.of(world.owner.id, { document_id: id })).toEqual({
      documentId: id,
      title: 'A contract',
      text: 'A clause.',
    });
    await expect(texts.of(world.stranger.id, { document_id: id })).rejects.toMatchObject({ status: 404 });
    await expect(texts.of(world.owner.id, { document_id: newId() })).rejects.toMatchObject({ status: 404 });
    await expect(texts.of(world.owner.id, { document_id: 'none' })).rejects.toMatchObject({ status: 404 });
  });

  it.each(['uploaded', 'processing', 'failed'] as const)('refuses a document that is %s', async (status) => {
    const id = await documentOf(world, { status });
    await expect(texts.of(world.owner.id, { document_id: id })).rejects.toMatchObject({ status: 409 });
  });

  it('refuses a text that is longer than an operation reads', async () => {
    const id = await documentOf(world, { text: 'a'.repeat(400_001) });
    await expect(texts.of(world.owner.id, { document_id: id })).rejects.toMatchObject({ status: 422 });
  });
});
