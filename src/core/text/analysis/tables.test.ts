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
});
