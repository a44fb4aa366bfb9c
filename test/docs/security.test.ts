import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
const SECTIONS_WITHOUT_TESTS = ['A dependency'];

/** The rows of the tables that name what shows them, with their section. */
const rows = PAGE.split('\n## ')
  .slice(1)
  .flatMap((section) => {
    const title = section.split('\n', 1)[0] ?? '';
    const tables = section.match(/^\|.*(?:\n\|.*)*/gm) ?? [];
    const shown = tables.filter((table) => table.split('\n', 1)[0]?.endsWith('| shown by |'));
    return shown.flatMap((table) => table.split('\n').slice(2)).map((row) => ({ title, row }));
  });

describe('the threat model', () => {
  it('names only tests that there are', () => {
    const named = [...PAGE.matchAll(/`((?:src|test|scripts)\/[^`\s]+)`/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(80);
    expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('names a test for every threat, but where only npm can tell', () => {
    expect(rows.length).toBeGreaterThan(50);
    const unshown = rows.filter(({ row }) => !/`[^`]+\.test\.ts`[^|]*\|$/.test(row));
    expect(unshown.filter(({ title }) => !SECTIONS_WITHOUT_TESTS.includes(title))).toEqual([]);
  });

  it('is linked from where holes are reported, which names no address that nobody reads', () => {
    const reporting = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
    expect(reporting).toContain('(docs/security.md)');
    expect(reporting).not.toMatch(/\w@\w/);
  });
});
