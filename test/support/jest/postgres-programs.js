const { existsSync, readdirSync } = require('node:fs');
const { delimiter, join } = require('node:path');

/** All of one version, because pg_dump refuses a server that is newer than itself. The embedded Postgres comes without it. */
const PROGRAMS = ['postgres', 'initdb', 'pg_dump', 'pg_restore'];
const DEBIANS = '/usr/lib/postgresql';

const folders = [
  ...process.env.PATH.split(delimiter),
  ...(existsSync(DEBIANS) ? readdirSync(DEBIANS).map((version) => join(DEBIANS, version, 'bin')) : []),
];

/** The folder of an installed Postgres with its client programs; undefined where the machine has none. */
const postgresPrograms = folders.find((folder) =>
  PROGRAMS.every((program) => existsSync(join(folder, program))),
);

const withoutPostgres = postgresPrograms
  ? []
  : [
      {
        folder: '/test/deployment/backup',
        needs: `${PROGRAMS.join(', ')} in one folder of the PATH or of ${DEBIANS}`,
      },
    ];

module.exports = { postgresPrograms, withoutPostgres };
