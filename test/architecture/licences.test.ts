import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** Licences that ask for no more than to be named with the package, by their SPDX names. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Zlib',
]);

/** What is allowed to single packages: how the lock names their licence, and why that is no obstacle. */
const EXCEPTIONS: readonly { packages: RegExp; licence: string | null; reason: string }[] = [
  {
    packages: /^@img\/sharp-libvips-[\w-]+$/,
    licence: 'LGPL-3.0-or-later',
    reason: 'libvips is a library of its own that sharp loads, unchanged and replaceable, as section 4 asks.',
  },
  {
    packages: /^@img\/sharp-(?:win32-[\w-]+|wasm32)$/,
    licence: 'Apache-2.0 AND LGPL-3.0-or-later',
    reason: 'The same libvips, packed beside sharp; nothing that runs on Linux installs it.',
  },
  {
    packages: /^@img\/sharp-wasm32$/,
    licence: 'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
    reason: 'The same libvips as WebAssembly; nothing that runs on Linux installs it.',
  },
  {
    packages: /^dejavu-fonts-ttf$/,
    licence: 'SEE LICENSE IN README.md AND LICENSE',
    reason: 'The Bitstream Vera licence: free to embed and pass on under its own name, which PDF files do.',
  },
  {
    packages: /^duck$/,
    licence: 'BSD',
    reason: 'Its LICENSE file is the BSD 2-clause text.',
  },
  {
    packages: /^passport-strategy$/,
    licence: null,
    reason:
      'Its package.json names MIT in a form that the lock does not keep; its LICENSE file is the MIT text.',
  },
  {
    packages: /^pause$/,
    licence: null,
    reason: 'Its Readme.md holds the MIT text.',
  },
  {
    packages: /^png-js$/,
    licence: null,
    reason: 'Its LICENSE file is the MIT text.',
  },
];

/** Where the text stands for a package whose licence the lock does not name, or not by its SPDX name. */
const TEXTS: Record<string, [file: string, text: RegExp]> = {
  duck: [
    'LICENSE',
    /Redistribution and use in source and binary forms[^]*2\. Redistributions in binary form(?![^]*3\. )/,
  ],
  'passport-strategy': ['LICENSE', /The MIT License/],
  pause: ['Readme.md', /Permission is hereby granted, free of charge/],
  'png-js': ['LICENSE', /MIT License/],
  'dejavu-fonts-ttf': ['LICENSE', /Bitstream Vera/],
};

interface Locked {
  license?: string;
  dev?: boolean;
  link?: boolean;
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
/** Every package that the service may be installed with on any system; `npm ci --omit=dev` takes some of them. */
const production = Object.entries(packages)
  .filter(([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true)
  .map(([path, { license }]) => ({
    name: path.replace(/^.*node_modules\//, ''),
    licence: license ?? null,
  }));

describe('the licences of what the service is made of', () => {
  it('ask for no more than to be named, or are exceptions with a reason', () => {
    const refused = production.filter(
      ({ name, licence }) =>
        !isAllowed(licence) &&
        !EXCEPTIONS.some((exception) => exception.packages.test(name) && exception.licence === licence),
    );
    expect(production.length).toBeGreaterThan(100);
    expect(refused).toEqual([]);
  });

  it('have no exception that nothing needs', () => {
    const idle = EXCEPTIONS.filter(
      (exception) =>
        !production.some(
          ({ name, licence }) => exception.packages.test(name) && exception.licence === licence,
        ),
    );
    expect(idle).toEqual([]);
  });

  it.each(Object.entries(TEXTS))(
    'are in the package of %s, where the lock does not tell',
    (name, [file, text]) => {
      expect(existsSync(join(ROOT, 'node_modules', name, file))).toBe(true);
      expect(readFileSync(join(ROOT, 'node_modules', name, file), 'utf8')).toMatch(text);
    },
  );

  it.each([
    ['GPL-3.0-only', false],
    ['MIT AND GPL-3.0-only', false],
    ['(MIT OR GPL-3.0-or-later)', true],
    ['(MIT AND Zlib)', true],
    ['Apache-2.0 WITH LLVM-exception', false],
    ['UNLICENSED', false],
    [null, false],
  ])('are judged: %s', (licence, allowed) => {
    expect(isAllowed(licence)).toBe(allowed);
  });
});

/** Of a choice one has to be allowed, of a sum all (SPDX specification, annex D; no parentheses within others). */
function isAllowed(licence: string | null): boolean {
  const expression = (licence ?? '').replace(/^\((.*)\)$/, '$1');
  return expression.split(' OR ').some((choice) => choice.split(' AND ').every((part) => ALLOWED.has(part)));
}
