const { existsSync } = require('node:fs');
const { delimiter, join } = require('node:path');

/** The Redis to test with; Valkey is what some systems have in its place. */
const redisCommand = process.env.PATH.split(delimiter)
  .flatMap((folder) => ['redis-server', 'valkey-server'].map((name) => join(folder, name)))
  .find((file) => existsSync(file));

// A bare machine has none, and no package brings one. CI requires it, so that these tests can't go missing there.
const withoutRedis =
  redisCommand || process.env.TEST_REDIS_URL || process.env.TEST_REDIS === 'required'
    ? []
    : [
        {
          folder: '/test/redis/',
          needs: 'redis-server or valkey-server on the PATH, or TEST_REDIS_URL',
        },
      ];

module.exports = { redisCommand, withoutRedis };
