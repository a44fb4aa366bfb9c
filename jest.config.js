const { readdirSync, readFileSync, existsSync } = require('node:fs');
const { join } = require('node:path');

/** Packages that ship only ES modules: jest's own loader cannot require() them, so they are transformed. */
function esModulePackages(root = join(__dirname, 'node_modules')) {
  const names = readdirSync(root)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(root, name)).map((sub) => `${name}/${sub}`) : [name],
    );
  return names.flatMap((name) => {
    const manifest = join(root, name, 'package.json');
    const isEsModule = existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).type === 'module';
    const own = join(root, name, 'node_modules');
    return [...(isEsModule ? [name] : []), ...(existsSync(own) ? esModulePackages(own) : [])];
  });
}

const swcrc = JSON.parse(readFileSync(join(__dirname, '.swcrc'), 'utf8'));
const javascript = { jsc: { target: 'es2023' }, module: { type: 'commonjs', ignoreDynamic: false } };

/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  roots: ['<rootDir>/test', '<rootDir>/src', '<rootDir>/scripts', '<rootDir>/bench'],
  testEnvironment: 'node',
  testMatch: ['**/*.test.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { ...swcrc, swcrc: false }],
    '\\.m?js$': ['@swc/jest', { ...javascript, swcrc: false }],
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:${esModulePackages().join('|').replaceAll('.', '\\.')})/)`],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  reporters: ['default', '<rootDir>/test/support/closing-line.reporter.js'],
  testTimeout: 60_000,
  maxWorkers: 2,
};
