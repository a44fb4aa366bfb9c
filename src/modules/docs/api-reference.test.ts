import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processorMsBelow } from '../../../test/support/processor-time';
import { apiReference } from './api-reference';
import { lintMarkdown } from './docs.jobs';

const SOURCE = readFileSync(join(__dirname, '../../../test/fixtures/docs/tidemark.openapi.json'), 'utf8');
const OWN = join(__dirname, '../../../generated/openapi.json');

function referenceOf(parts: object) {
  return apiReference(JSON.stringify({ openapi: '3.1.0', info: { title: 'T' }, paths: {}, ...parts }));
}

describe('apiReference', () => {
  const { text, sections, title, omitted, toFillIn } = apiReference(SOURCE);
  const sectionOf = (name: string) => sections.find((section) => section.title === name)?.text ?? '';

  it('has every operation under its tag, in the order of the document', () => {
    expect(title).toBe('Tidemark API');
    expect(sections.map(({ level, title: name }) => `${level} ${name}`)).toEqual([
      ...['2 Overview', '2 Servers', '2 Authentication'],
      ...['2 gauges', '3 GET /gauges', '3 GET /gauges/{gauge_id}'],
      ...['2 Operations', '3 DELETE /gauges/{gauge_id}', '2 warnings', '3 POST /warnings'],
      ...['2 Schemas', '3 Gauge', '3 Fault', '3 Kind'],
    ]);
    expect([omitted, toFillIn]).toEqual([[], []]);
  });

  it('has parameters, bodies and answers as the document says them', () => {
    expect(sectionOf('GET /gauges').split('\n')).toEqual(
      expect.arrayContaining([
        '| `limit` | query | integer | no | How many at most. (at least `1`; at most `100`; default `20`) |',
        '| `river` | query | string | no | Only those of a river \\| by its name. (length at most `80`) |',
        '| `401` | `application/json`: [Fault](#fault) | The key is missing. |',
        '| `gauges` | array of [Gauge](#gauge) | yes |  |',
        'Authentication: `gaugeKey`',
      ]),
    );
    expect(sectionOf('GET /gauges/{gauge_id}')).toContain('Authentication: none');
    expect(sectionOf('DELETE /gauges/{gauge_id}')).toMatch(
      /^Deprecated\.[^]*`gauge_id` \| path \| string \(uuid\) \| yes/,
    );
    expect(sectionOf('POST /warnings').split('\n')).toEqual(
      expect.arrayContaining([
        'Request body (required): `application/json`: object',
        '| `level` | number | yes | In metres. (more than `0`) |',
        '| `kind` | string | no | One of `flood`, `ice`. (default `flood`) |',
        '| `where.street` | string or null | no |  |',
      ]),
    );
  });

  it('links schemas that refer to themselves, and repeats none', () => {
    expect(sectionOf('Gauge')).toContain('| `upstream` | [Gauge](#gauge) or null | no |  |');
    expect(text.split('| `levels[].metres` |')).toHaveLength(2);
  });

  it('links to anchors that are there, also where names repeat', () => {
    expect(lintMarkdown(text).lint).toEqual([]);
    const doubled = referenceOf({
      tags: [{ name: 'Gauge' }],
      paths: { '/a': { get: { tags: ['Gauge'], responses: { 200: { $ref: '#/r' } } } } },
      r: { description: 'A.', content: { a: { schema: { $ref: '#/components/schemas/Gauge' } } } },
      components: { schemas: { Gauge: { type: 'object', properties: { a: {} } } } },
    });
    expect(doubled.text).toContain('[Gauge](#gauge-1)');
    expect(lintMarkdown(doubled.text).lint.filter(({ rule }) => rule === 'broken_anchor')).toEqual([]);
  });

  it('documents this service by its own document, operation by operation', () => {
    const own = readFileSync(OWN, 'utf8');
    const document = JSON.parse(own) as { paths: Record<string, object> };
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((name) => ['get', 'put', 'post', 'delete', 'patch'].includes(name))
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    const page = apiReference(own);
    const left = Number(/^(\d+) operations/.exec(page.omitted.join())?.[1] ?? 0);
    expect(operations.filter((name) => !page.text.includes(`### ${name}\n`))).toHaveLength(left);
    expect(left).toBeLessThan(operations.length / 2);
  });

  it('lets no text of the document change the outline or a table', () => {
    const page = referenceOf({
      info: { title: 'T\n# X', description: '# One\n\nTwo\n===\n\n```sh\n# code' },
      paths: {
        '/a\n# b': {
          get: {
            summary: 'S\n# T',
            description: '## U ##',
            responses: { '2|0': { description: 'a\n| b |' } },
          },
        },
      },
    });
    const headings = page.text.split('\n').filter((line) => /^#|^=+$/.test(line));
    expect(headings).toEqual(['# T # X', '## Overview', '# code', '## Operations', '### GET /a # b']);
    expect(page.text).toContain('| `2\\|0` | none | a \\| b \\| |');
  });

  it('leaves what leads nowhere, outside or in a circle as it is written', () => {
    const schemas = {
      A: {
        type: 'object',
        properties: {
          x: { $ref: '#/x' },
          y: { $ref: 'http://x.example/y' },
          z: { $ref: '#/components/schemas/No' },
        },
      },
      B: { $ref: '#/components/schemas/B' },
      C: { allOf: [{ $ref: '#/components/schemas/C' }] },
      D: { type: 'object', properties: { constructor: { $ref: '#/constructor' } } },
    };
    const { text: page } = referenceOf({ x: { $ref: '#/x' }, components: { schemas } });
    expect(page).toContain('| `x` | `#/x` | no |  |');
    expect(page).toContain('| `y` | `http://x.example/y` | no |  |');
    expect(page).toContain('| `z` | `#/components/schemas/No` | no |  |');
    expect(page).toContain('### B\n\nType: [B](#b).');
    expect(page).toContain('| `constructor` | `#/constructor` | no |  |');
  });

  it('bounds what is huge, and says what it leaves out', () => {
    const paths = Object.fromEntries(
      Array.from({ length: 600 }, (_, n) => [
        `/p${n}`,
        { get: { responses: { 200: { description: 'x'.repeat(900) } } } },
      ]),
    );
    const properties = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${n}`, {}]));
    const page = referenceOf({ paths, components: { schemas: { A: { properties } } } });
    expect(page.omitted).toEqual([expect.stringMatching(/^\d+ operations, because/)]);
    expect(page.text).toContain('The table has only the first 200 fields.');
    expect(page.text.length).toBeLessThan(900_000);
  });

  it('reads nests of any depth', () => {
    let schema = '{}';
    for (let depth = 0; depth < 10_000; depth += 1) {
      schema = `{"type":"array","items":${schema}}`;
    }
    const nested = `{"openapi":"3.0.0","info":{},"paths":{},"components":{"schemas":{"A":${schema}}}}`;
    expect(apiReference(nested).text).toContain('array of array of array');
  });

  it('takes little time where references multiply', async () => {
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
    const source = JSON.stringify(document);
    const ms = await processorMsBelow(5_000, () => (length = apiReference(source).text.length));
    expect(ms).toBeLessThan(5_000);
    expect(length).toBeLessThan(900_000);
  });
});
