import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { uploadOf } from '../../support/api/form';
import { documentOf } from '../../support/api/store-document';

describeOperation(
  'getDocument',
  async (world) => ({ params: { doc_id: await documentOf(world) } }),
  (status) => {
    status(200, 'returns the record as the upload told it, free of charge', async (world) => {
      const upload = await callAs(
        'uploadDocument',
        world,
        uploadOf('A letter.', 'a.txt', { title: 'T', own: 1 }),
      );
      const { deduplicated, ...document } = upload.body.data;
      const before = await world.balanceNanoUsd();
      const { body } = await callAs('getDocument', world, { params: { doc_id: document.id } });
      expect([deduplicated, body.data, body.metadata.cost]).toEqual([false, document, 0]);
      expect(await world.balanceNanoUsd()).toBe(before);
    });
  },
);
