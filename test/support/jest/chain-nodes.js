const { existsSync } = require('node:fs');
const { delimiter, join } = require('node:path');

const ROOT = join(__dirname, '../../..');

/** The path that a module of this name would be loaded from, or undefined where the machine has none. */
function resolved(name) {
  try {
    return require.resolve(name, { paths: [ROOT] });
  } catch {
    return undefined;
  }
}

/** The program of this name on the PATH. */
function onPath(name) {
  return process.env.PATH.split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
}

const fetched = [join(ROOT, '.cache/bitcoind/bitcoind')].find((file) => existsSync(file));
const bitcoind = process.env.TEST_BITCOIND ?? onPath('bitcoind') ?? fetched;
// npm has installed these two where they fit the machine.
const anvil = onPath('anvil') ?? resolved('@foundry-rs/anvil-linux-amd64/bin/anvil');
const surfpool = resolved('@solana/surfpool-linux-x64-gnu');

/** What a test has to start to have a chain of its own; undefined where the machine has it not. */
const chainNodes = { bitcoind, anvil, surfpool };

const folders = [
  {
    node: 'bitcoind',
    folder: 'bitcoin',
    needs: 'bitcoind on the PATH or in TEST_BITCOIND, or .ci/bitcoin-node',
  },
  { node: 'anvil', folder: 'ethereum', needs: 'anvil on the PATH, or @foundry-rs/anvil-linux-amd64' },
  {
    node: 'surfpool',
    folder: 'solana',
    needs: '@solana/surfpool-linux-x64-gnu',
  },
];

/** The folders of tests that have no node here. CI requires them all, so that these tests can't go missing there. */
const withoutNode =
  process.env.TEST_CHAINS === 'required'
    ? []
    : folders
        .filter(({ node }) => chainNodes[node] === undefined)
        .map(({ folder, needs }) => ({ folder: `/test/chains/${folder}/`, needs }));

module.exports = { chainNodes, withoutNode };
