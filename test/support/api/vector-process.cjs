// A Postgres with pgvector as a process of its own, because PGlite loads itself by import(), which jest does not know.
const { PGlite } = require('@electric-sql/pglite');
const { btree_gin } = require('@electric-sql/pglite/contrib/btree_gin');
const { pg_trgm } = require('@electric-sql/pglite/contrib/pg_trgm');
const { vector } = require('@electric-sql/pglite-pgvector');
const { PGLiteSocketServer } = require('@electric-sql/pglite-socket');

async function serve() {
  const db = await PGlite.create({ extensions: { btree_gin, pg_trgm, vector } });
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 4 });
  await server.start();
  process.send(server.getServerConn());
}

process.on('disconnect', () => process.exit());
void serve();
