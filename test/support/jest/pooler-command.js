const { existsSync } = require('node:fs');
const { delimiter, join } = require('node:path');

/** Debian puts it where only root's PATH leads. */
const poolerCommand = [...process.env.PATH.split(delimiter), '/usr/sbin']
  .map((folder) => join(folder, 'pgbouncer'))
  .find((file) => existsSync(file));

const withoutPooler = poolerCommand
  ? []
  : [{ folder: '/test/deployment/pooler', needs: 'pgbouncer on the PATH or in /usr/sbin' }];

module.exports = { poolerCommand, withoutPooler };
