import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { startBackgroundWork } from '../../../src/application';
import { DocumentDispatcher } from '../../../src/modules/documents/document-attempts';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { TestService } from '../../support/api/service';
import { documentOf, uploaded } from '../../support/api/store-document';
import { World } from '../../support/api/world';
import { until } from '../../support/until';

const TEXT = 'The harbour is closed on Sundays. '.repeat(200);

describeOperation(
  'deleteDocument',
  async (world) => ({ params: { doc_id: await documentOf(world) } }),
  (status) => {
    status(204, 'leaves no row and no job of a document that waits to be processed', async (world) => {
      const doc_id = await uploaded(world, TEXT);
      await callAs('processDocument', world, { params: { doc_id } });
      await world.service.app.get(DocumentDispatcher).run();
      const queue = world.service.app.get<Queue>(getQueueToken('documents'), { strict: false });
      expect(JSON.stringify(await queue.getJobs())).toContain(doc_id);
      expect((await callAs('deleteDocument', world, { params: { doc_id } })).status).toBe(204);
      expect(JSON.stringify(await queue.getJobs())).not.toContain(doc_id);
      expect(await placesOf(world.service, doc_id)).toEqual([]);
      expect((await callAs('deleteDocument', world, { params: { doc_id } })).status).toBe(404);
    });
  },
);

describe('a document that was processed', () => {
  it('leaves nothing in any table when it is deleted', async () => {
    const service = await TestService.start();
    try {
      const world = await World.create(service);
      startBackgroundWork(service.app, 'all');
      const doc_id = await uploaded(world, TEXT);
      await callAs('processDocument', world, { params: { doc_id } });
      await until('the document is ready', async () => {
        const { body } = await callAs('getDocument', world, { params: { doc_id } });
        return body.data.status === 'ready';
      });
      const places = await placesOf(service, doc_id);
      expect(places).toEqual(expect.arrayContaining(['documents.id', 'rag_chunks.document_id']));
      await callAs('deleteDocument', world, { params: { doc_id } });
      await until('nothing is left', async () => (await placesOf(service, doc_id)).length === 0);
    } finally {
      await service.stop();
    }
  });
});

/** The columns of all tables, those of the queue among them, in which a row has the id anywhere. */
async function placesOf(service: TestService, id: string): Promise<string[]> {
  const columns: { place: string; schema: string; table: string; column: string }[] =
    await service.database.query(
      `SELECT c.table_name || '.' || c.column_name AS place, c.table_schema AS schema, c.table_name AS table,
       c.column_name AS column
     FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE t.table_type = 'BASE TABLE' AND c.table_schema NOT IN ('pg_catalog', 'information_schema')
       AND c.data_type IN ('uuid', 'text', 'character varying', 'jsonb', 'json')`,
    );
  const found: string[] = [];
  for (const { place, schema, table, column } of columns) {
    const rows: unknown[] = await service.database.query(
      `SELECT 1 FROM "${schema}"."${table}" WHERE "${column}"::text LIKE $1 LIMIT 1`,
      [`%${id}%`],
    );
    found.push(...(rows.length > 0 ? [place] : []));
  }
  return found;
}
