import { pageStructure } from './docs.jobs';

const gapsOf = (text: string) =>
  pageStructure({ text, depthMax: 6 }).gaps.map(({ number, expected }) => `${number} for ${expected}`);

describe('pageStructure', () => {
  it('makes a tree, and leaves the title of the page out of the contents', () => {
    const text = '# Page\n\n## One\n\n#### Deep\n\n### Less deep\n\n## [Two](x.md)\n\n## One\n';
    const { outline, tableOfContents, headings } = pageStructure({ text, depthMax: 6 });
    expect(outline).toMatchObject([
      {
        title: 'Page',
        children: [
          { title: 'One', children: [{ title: 'Deep' }, { title: 'Less deep' }] },
          { title: 'Two' },
          { title: 'One' },
        ],
      },
    ]);
    expect(tableOfContents).toBe(
      '- [One](#one)\n  - [Deep](#deep)\n  - [Less deep](#less-deep)\n- [Two](#two)\n- [One](#one-1)',
    );
    expect(headings.map(({ start, end }) => text.slice(start, end))).toEqual(text.trim().split('\n\n'));
    expect(pageStructure({ text, depthMax: 1 }).tableOfContents).toBe(
      '- [One](#one)\n- [Two](#two)\n- [One](#one-1)',
    );
  });

  it('lists all headings where none is the title, and escapes brackets', () => {
    const { tableOfContents } = pageStructure({ text: '## [1.0.0]\n\n## A\n', depthMax: 6 });
    expect(tableOfContents).toBe('- [\\[1.0.0\\]](#100)\n- [A](#a)');
  });

  it('takes no code for a heading', () => {
    const text = '````md\n# a\n```\n# b\n````\n\n# c\n';
    expect(pageStructure({ text, depthMax: 6 }).headings.map(({ title }) => title)).toEqual(['c']);
  });

  it('names numbers that are left out or there twice', () => {
    expect(gapsOf('# 1. A\n\n## 1.1 B\n\n## 1.3 C\n\n# 2. D\n\n## 2.2 E\n\n# 2. F\n\n# 4. G\n')).toEqual([
      '1.3 for 1.2',
      '2.2 for 2.1',
      '2 for 3',
      '4 for 3',
    ]);
    expect(gapsOf('Article I\n\nText here.\n\nArticle II\n\nText.\n\nArticle IV\n\nText.\n')).toEqual([
      'IV for III',
    ]);
  });

  it('takes neither the releases of a changelog nor letters nor years for a row', () => {
    expect(gapsOf('## 2.0.1\n\n## 2.0.0\n\n## 1.4.0\n')).toEqual([]);
    expect(gapsOf('# Appendix C\n\n# Appendix D\n\n# 2024 in rivers\n\n# 2026 in rivers\n')).toEqual([]);
  });

  it('has at most 1000 headings, and counts the others', () => {
    const { headings, more } = pageStructure({ text: '# A\n\n'.repeat(1_200), depthMax: 6 });
    expect([headings.length, more, headings[999]?.anchor]).toEqual([1_000, 200, 'a-999']);
  });
});
