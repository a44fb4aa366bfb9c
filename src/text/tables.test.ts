import { tablesIn } from './tables';

describe('tablesIn', () => {
  it('reads pipe tables of Markdown', () => {
    const text = 'Before\n\n| Item | Price |\n|:-----|------:|\n| A \\| B | 5 |\n| C |\n\nAfter';
    const [table, ...more] = tablesIn(text);
    expect(more).toEqual([]);
    expect(table).toMatchObject({
      header: ['Item', 'Price'],
      rows: [
        ['A | B', '5'],
        ['C', ''],
      ],
    });
    expect(text.slice(table?.start, table?.end)).toBe(
      '| Item | Price |\n|:-----|------:|\n| A \\| B | 5 |\n| C |',
    );
  });

  it.each([
    [
      'commas and quotes',
      'name,city\n"Lee, Ann","New ""Big"" York"\nBo,Rome',
      [
        ['Lee, Ann', 'New "Big" York'],
        ['Bo', 'Rome'],
      ],
    ],
    [
      'semicolons',
      'name;city\nAnn;Bonn\nBo;Rome',
      [
        ['Ann', 'Bonn'],
        ['Bo', 'Rome'],
      ],
    ],
    ['tabs', 'name\tcity\nAnn\tBonn', [['Ann', 'Bonn']]],
    [
      'aligned columns',
      'name    city\n------  ----\nAnn     Bonn\nBo      Rome',
      [
        ['Ann', 'Bonn'],
        ['Bo', 'Rome'],
      ],
    ],
  ])('reads columns between %s', (_, text, rows) => {
    expect(tablesIn(`Title\n\n${text}\n\nEnd.`)).toMatchObject([{ header: ['name', 'city'], rows }]);
  });

  it('finds none in prose', () => {
    const prose =
      'We came, we saw, we won.\nThey left, they cried, they slept.\nYou know, I know, we know.\n\nA | B is not a table.';
    expect(tablesIn(prose)).toEqual([]);
  });

  it('takes the comma of a sum for none between columns', () => {
    const sums = 'Nettobetrag: 3.483,00 €\nzzgl. 19 % MwSt.: 661,77 €\nRechnungsbetrag: 4.144,77 €';
    expect(tablesIn(sums)).toEqual([]);
    expect(tablesIn('1,25\n2,30\n3,50')).toHaveLength(1);
  });

  it('begins a table below lines that begin none, and ends it where the columns change', () => {
    const text = 'We came, we saw, we won.\nname,city\nAnn,Bonn\nBo,Rome\na,b,c\n,\n,\n,\n';
    expect(tablesIn(text)).toMatchObject([
      {
        header: ['name', 'city'],
        rows: [
          ['Ann', 'Bonn'],
          ['Bo', 'Rome'],
        ],
      },
    ]);
  });

  it('keeps no more cells than fit into memory where short rows stand below wide headers', () => {
    const wide = `|${'a|'.repeat(200)}\n|${'-|'.repeat(200)}\n`;
    const tables = tablesIn(`${wide}${'|\n'.repeat(9_000)}\n`.repeat(3));
    const cells = tables.flatMap(({ rows }) => rows.map((row) => row.length));
    expect(tables).toHaveLength(3);
    expect(cells.reduce((sum, each) => sum + each, 0)).toBe(500_000);
  });
});
