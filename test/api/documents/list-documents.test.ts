import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { documentOf, uploaded } from '../../support/api/store-document';

describeOperation(
  'listDocuments',
  () => ({}),
  (status) => {
    status(200, "lists the account's own documents by state, format, time and size", async (world) => {
      const ready = await documentOf(world, { title: 'B', text: 'short' });
      world.service.clock.advance(1000);
      const page = await uploaded(world, '<!doctype html><title>x</title><p>A longer page.</p>', 'a.html', {
        title: 'A',
      });
      const list = async (query: object) => {
        const { body } = await callAs('listDocuments', world, { query: { ...query } });
        return [body.data.documents.map(({ id }) => id), body.data.total];
      };
      expect(await list({})).toEqual([[page, ready], 2]);
      expect(await list({ order: 'asc' })).toEqual([[ready, page], 2]);
      expect(await list({ sort: 'title', order: 'asc' })).toEqual([[page, ready], 2]);
      expect(await list({ sort: 'size_bytes' })).toEqual([[page, ready], 2]);
      expect(await list({ status: 'ready' })).toEqual([[ready], 1]);
      expect(await list({ type: 'html' })).toEqual([[page], 1]);
      expect(await list({ limit: 1, offset: 1 })).toEqual([[ready], 2]);
      expect(await list({ start_date: world.service.clock.now().toISOString() })).toEqual([[page], 1]);
      const { body } = await callAs('listDocuments', world, {}, world.stranger);
      expect(body.data.documents).toEqual([]);
    });
  },
);
