// Lets a worker thread or a child process load TypeScript: it does not inherit the transform of jest. Compiled code
// never loads this file.
const { transformFileSync } = require('@swc/core');

require.extensions['.ts'] = (module, filename) => {
  module._compile(transformFileSync(filename, { swcrc: true }).code, filename);
};
