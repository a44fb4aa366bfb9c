// A worker thread starts outside of jest and does not inherit its transform. Compiled code never loads this file.
const { transformFileSync } = require('@swc/core');

require.extensions['.ts'] = (module, filename) => {
  module._compile(transformFileSync(filename, { swcrc: true }).code, filename);
};
