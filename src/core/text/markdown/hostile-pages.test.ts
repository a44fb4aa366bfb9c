import { processorMsOf } from '../../../../test/support/processor-time';
import { apiReference } from '../product-docs/api-reference';
import { changelogOf } from '../product-docs/changelog';
import { docsSkeleton } from '../product-docs/docs-skeleton';
import { lintMarkdown, pageSuggestions } from './lint-markdown';
import { pageStructure } from './page-structure';

const LENGTH = 50_000;
const SIGNS = [
  ...[
    '[',
    '*',
    '>',
    '`',
    '![',
    '](',
    '[](#',
    '<',
    '<a id="',
    '<img ',
    '- ',
    '# ',
    '|',
    '~~~',
    '\n',
    ' ',
    '\t',
    '\\',
    '$',
    '_',
  ],
  ...[
    '[a](',
    '`` ` ',
    '> > ',
    'http://',
    'http://a.',
    '# a\n',
    '#\n',
    '- a\n',
    '1. a\n',
    '<!--',
    '---\n',
    '= \n',
    'a\n=\n',
  ],
  ...[
    'feat: ',
    'feat(',
    'commit a1b2c3d\n',
    'feat(a)!: b\n',
    '{',
    '```\n',
    'a  ',
    'a. ',
    '1.1.1 A\n\n',
    '🐝',
    '\ud800',
    'A\n\n',
  ],
];

function lengthened(sign: string): string {
  return sign.repeat(Math.ceil(LENGTH / sign.length)).slice(0, LENGTH);
}

function nestedList(): string {
  return Array.from({ length: 400 }, (_, depth) => `${' '.repeat(2 * Math.min(depth, 120))}- item`).join(
    '\n',
  );
}

describe('pages of hostile Markdown', () => {
  const pages = [
    ...SIGNS.map(lengthened),
    nestedList(),
    '>'.repeat(10_000),
    Array.from({ length: 440 }, (_, n) => '`'.repeat(n)).join(' '),
  ];

  it.each([
    ['lint', lintMarkdown],
    ['suggestions', (page: string) => pageSuggestions(page, 50)],
    ['structure', (text: string) => pageStructure({ text, depthMax: 6 })],
    ['a changelog', (source: string) => changelogOf({ source, version: null })],
    [
      'a skeleton',
      (source: string) =>
        docsSkeleton({ kind: 'guide', title: null, titleOtherwise: 'T', brief: null, source }),
    ],
  ] as const)('take little time for %s', async (_, work) => {
    const slow: string[] = [];
    for (const page of pages) {
      const ms = await processorMsOf(() => {
        work(page);
        return Promise.resolve();
      });
      if (ms > 1_250) {
        slow.push(`${page.slice(0, 20)}: ${Math.round(ms)} ms`);
      }
    }
    expect(slow).toEqual([]);
  });

  it('take little time as documents whose references multiply', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [
        `n${n}`,
        { oneOf: Array.from({ length: 12 }, () => ({ $ref: `#/x/n${(n + 1) % 12}` })) },
      ]),
    );
    const all = { allOf: Array.from({ length: 12 }, () => ({ $ref: '#/y' })) };
    const paths = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`/p${n}`, { $ref: '#/item' }]));
    const body = { content: { a: { schema: { type: 'object', properties: many, ...all } } } };
    const item = { get: { requestBody: body, responses: { 200: body } }, post: { responses: {} } };
    const document = { openapi: '3.1.0', info: { title: 'T' }, paths, x: many, y: all, item };
    let length = 0;
    const ms = await processorMsOf(() => {
      length = apiReference(JSON.stringify(document)).text.length;
      return Promise.resolve();
    });
    expect(ms).toBeLessThan(5_000);
    expect(length).toBeLessThan(900_000);
  });
});
