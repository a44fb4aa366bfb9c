import { pageBlocks } from './pdf-layout';
import { type RuledLine, withRuledTables } from './pdf-ruled-tables';
import { textOfPages, type TextRun } from './pdf-text';

const HEIGHT = 10;
const LETTER = 5;

function run(text: string, left: number, baseline: number, more: Partial<TextRun> = {}): TextRun {
  const right = left + text.length * LETTER;
  return { text, left, right, baseline, height: HEIGHT, isRightToLeft: false, ...more };
}

/** The lines around all cells between these places. */
function gridOf(xs: readonly number[], ys: readonly number[], isEdge = false): RuledLine[] {
  const [left = 0, right = 0] = [xs[0], xs.at(-1)];
  const [top = 0, bottom = 0] = [ys[0], ys.at(-1)];
  return [
    ...xs.map((at) => ({ isVertical: true, isEdge, at, from: top, to: bottom })),
    ...ys.map((at) => ({ isVertical: false, isEdge, at, from: left, to: right })),
  ];
}

describe('pageBlocks', () => {
  it('reads columns one after the other where their lines do not stand on the same height', () => {
    const left = [
      'The left column tells',
      'of a harbour in the',
      'north of the island',
      'and of its people.',
    ];
    const right = [
      'The right column says',
      'when the boats leave',
      'and who rows them',
      'across the cold bay.',
    ];
    const runs = left.flatMap((text, line) => [
      run(text, 0, 100 + 12 * line),
      run(right[line] ?? '', 150, 107 + 12 * line),
    ]);
    expect(pageBlocks(runs)).toEqual([{ text: left.join('\n') }, { text: right.join('\n') }]);
  });

  const narrow = ['SKILLS', 'Python', 'SQL', 'Docker', 'TONGUES', 'Swedish', 'German'];
  const wide = [
    'Engineer at a harbour, 2019 to today',
    'Led the team that rebuilt the billing',
    'and the services beside it',
    'Engineer at a railway, 2014 to 2019',
    'Built the service that plans the trains',
    'of eleven cities in the winter',
    'Student at Uppsala, 2009 to 2014',
  ];

  it.each([12, 14])('reads a narrow column beside prose apart, with lines %d points apart', (leading) => {
    const runs = narrow.flatMap((text, line) => [
      run(text, 0, 100 + 12 * line),
      run(wide[line] ?? '', 150, 100 + leading * line),
    ]);
    expect(pageBlocks(runs)).toEqual([{ text: narrow.join('\n') }, { text: wide.join('\n') }]);
  });

  it.each([
    narrow.map((_, line) => (line === 0 ? 'What it is called' : 'a thing of iron or wood')),
    'What it holds,A snake,rows of a bank,A box on a ship with all its needs,A word or two,words of a land,A land of ice'.split(
      ',',
    ),
  ])('reads names and what they mean as a table', (...meant) => {
    const runs = narrow.flatMap((text, line) => [
      run(text, 0, 100 + 12 * line),
      run(meant[line] ?? '', 150, 100 + 12 * line),
    ]);
    expect(pageBlocks(runs)).toEqual([{ rows: narrow.map((text, line) => [text, meant[line]]) }]);
  });

  it('reads words from right to left, and numbers and foreign words among them as they are', () => {
    const arabic = { isRightToLeft: true };
    const runs = [run('قطط', 0, 100, arabic), run('47', 20, 100), run('عندي', 35, 100, arabic)];
    expect(pageBlocks(runs)).toEqual([{ text: 'عندي 47 قطط' }]);
  });

  it('turns the brackets of what runs from right to left, which are drawn as their mirror images', () => {
    const hebrew = { isRightToLeft: true };
    const runs = [run('(', 0, 100), run('12%', 5, 100), run('עלייה של', 25, 100, hebrew), run(')', 65, 100)];
    expect(pageBlocks(runs)).toEqual([{ text: '(עלייה של 12%)' }]);
  });

  it('sets one space between the words of a justified line, and two between what stands apart otherwise', () => {
    const justified = [run('Die', 0, 100), run('Besprechung', 45, 100), run('über', 130, 100)];
    expect(pageBlocks(justified)).toEqual([{ text: 'Die Besprechung über' }]);
    const apart = [run('Page 3', 0, 100), run('of', 45, 100), run('Leeds', 130, 100)];
    expect(pageBlocks(apart)).toEqual([{ text: 'Page 3  of  Leeds' }]);
  });

  it('tells the columns of an invoice by its items: totals reach over columns, and a long text over a false gutter', () => {
    const lines: [string, number][][] = [
      [
        ['#', 0],
        ['Item', 130],
        ['Qty', 250],
        ['Price', 275],
        ['Total', 320],
      ],
      [
        ['1', 0],
        ['Bolt of steel, with a washer, galvanised', 20],
        ['40', 255],
        ['1.20', 280],
        ['48.00', 320],
      ],
      [
        ['2', 0],
        ['Nut', 20],
        ['80', 255],
        ['0.35', 280],
        ['28.00', 320],
      ],
      [
        ['3', 0],
        ['Freight', 20],
        ['1', 260],
        ['15.00', 275],
        ['15.00', 320],
      ],
      [
        ['Subtotal', 260],
        ['91.00', 320],
      ],
      [
        ['VAT 20%', 262],
        ['18.20', 320],
      ],
      [
        ['Total sum', 255],
        ['GBP', 330],
      ],
      [['109.20', 320]],
    ];
    const runs = lines.flatMap((cells, line) =>
      cells.map(([text, left]) => run(text, left, 100 + 14 * line)),
    );
    expect(pageBlocks(runs)).toEqual([
      {
        rows: [
          ['#', 'Item', 'Qty', 'Price', 'Total'],
          ['1', 'Bolt of steel, with a washer, galvanised', '40', '1.20', '48.00'],
          ['2', 'Nut', '80', '0.35', '28.00'],
          ['3', 'Freight', '1', '15.00', '15.00'],
          ['', '', 'Subtotal', '', '91.00'],
          ['', '', 'VAT 20%', '', '18.20'],
          ['', '', 'Total sum', '', 'GBP'],
          ['', '', '', '', '109.20'],
        ],
      },
    ]);
  });

  it('reads the columns of a table from right to left where its words are', () => {
    const arabic = { isRightToLeft: true };
    const runs = ['قارب', 'مركب', 'سفينة'].flatMap((text, line) => [
      run(`${line}5`, 0, 100 + 15 * line),
      run(text, 100, 100 + 15 * line, arabic),
    ]);
    expect(pageBlocks(runs)).toEqual([
      {
        rows: [
          ['قارب', '05'],
          ['مركب', '15'],
          ['سفينة', '25'],
        ],
      },
    ]);
  });

  it('joins the letters of a heading that is set wide', () => {
    const placed = [...'REPORT'].map((letter, index) => run(letter, 14 * index, 50));
    const spaced = run('A N N U A L  R E P O R T', 0, 100);
    expect(pageBlocks([...placed, spaced])).toEqual([{ text: 'REPORT' }, { text: 'ANNUAL REPORT' }]);
  });

  it('keeps a raised mark on its line, and reads letters once that are drawn twice', () => {
    const runs = [
      run('Seen', 0, 100),
      run('Seen', 0.4, 100.2),
      run('9', 20, 95, { height: 6, right: 23 }),
      run('in May', 28, 100),
    ];
    expect(pageBlocks(runs)).toEqual([{ text: 'Seen9 in May' }]);
  });

  it('takes three columns of two lines for a table, and two for none', () => {
    const three = [100, 112].flatMap((y) => [run('Oak', 0, y), run('12', 60, y), run('8,50', 120, y)]);
    expect(pageBlocks(three)).toEqual([{ rows: [0, 1].map(() => ['Oak', '12', '8,50']) }]);
    const two = [100, 112].flatMap((y) => [run('Our sign', 0, y), run('Oslo', 160, y)]);
    expect(pageBlocks(two)).toEqual([{ text: 'Our sign  Oslo\nOur sign  Oslo' }]);
  });

  it('names the value of a form by the text before it, or by its field', () => {
    const runs = [
      run('Yearly rent', 0, 100),
      run('85,50 EUR', 200, 100, { field: 'rent' }),
      run('B 14', 200, 130, { field: 'plot' }),
    ];
    expect(pageBlocks(runs)).toEqual([{ text: 'Yearly rent: 85,50 EUR' }, { text: 'plot: B 14' }]);
  });

  it('keeps the indentation of code', () => {
    const code = [run('if a:', 50, 100, { indentation: 0 }), run('b()', 70, 112, { indentation: 4 })];
    expect(pageBlocks(code)).toEqual([{ text: 'if a:\n    b()' }]);
  });

  it('takes time in proportion to the lines where none of them makes a table', () => {
    const torn = Array.from({ length: 4_000 }, (_, line) => [
      run('a', (line * 37) % 400, 12 * line),
      run('wide words of prose', ((line * 37) % 400) + 15, 12 * line),
    ]).flat();
    expect(pageBlocks(torn).length).toBeGreaterThan(0);
  });
});

describe('textOfPages', () => {
  const readAs = (pages: readonly string[][]) => pages.flat().join('\n\n');
  const pagesOf = (parts: (page: number) => string[]) => [1, 2, 3, 4].map(parts);
  const body = 'The same words stand within each page.';

  it('keeps headers and footers on their first page', () => {
    const pages = pagesOf((page) => [
      'Acme  Report',
      'Confidential',
      `Text ${page}.`,
      body,
      `Text ${page}.`,
      `Page ${page} of 4`,
      `- ${page} -`,
    ]);
    expect(textOfPages(pages)).toBe(
      readAs([
        ['Acme  Report', 'Confidential', 'Text 1.', body, 'Text 1.', 'Page 1 of 4', '- 1 -'],
        ...[2, 3, 4].map((page) => [`Text ${page}.`, body, `Text ${page}.`]),
      ]),
    );
  });

  it('keeps what numbers something else, and what few pages share', () => {
    const numbered = pagesOf((page) => [`Chapter ${page}`, body, `Total: ${page}`]);
    expect(textOfPages(numbered)).toBe(readAs(numbered));
    const pages = pagesOf((page) => [`Text ${page}.`, `Sum ${Math.min(page, 3) * 7}`]).concat([['Notes']]);
    expect(textOfPages(pages)).toBe(readAs(pages));
  });

  it('keeps equal pages, and what has too many lines for a header', () => {
    const copies = pagesOf((page) => ['Certificate', 'Ann Lee took part.', 'Bergen, 3 May', `Page ${page}`]);
    expect(textOfPages(copies)).toBe(readAs(copies));
    const prose = pagesOf((page) => ['The\nsame\nfour\nlines', `Text ${page}.`, body, `Text ${page}.`]);
    expect(textOfPages(prose)).toBe(readAs(prose));
    const few = ['Ann Lee', 'Bo Fox'].map((name) => ['It is certified.', name, 'It took a day.']);
    expect(textOfPages(few)).toBe(readAs(few));
  });

  it('joins a paragraph that pages divide, with what ends them between, and no lists', () => {
    const line = 'The harbour of the northern island keeps the win-';
    const pages = [
      ['Report', 'Before it.', line, 'Page 1'],
      ['Report', 'ter storms away from all the boats that lie there', 'Page 2'],
      ['Report', 'and rest.', 'Behind it.', 'Page 3'],
    ];
    const joined =
      'The harbour of the northern island keeps the winter storms away from all the boats that lie there\nand rest.';
    expect(textOfPages(pages)).toBe(readAs([['Report', 'Before it.', joined, 'Page 1', 'Behind it.']]));
    const next = ['b) the next of them', 'The boats', 'oil\t12'];
    const apart = next.map((part) => [['The boats that lie there in the winter,'], [part]]);
    expect(apart.map(textOfPages)).toEqual(apart.map(readAs));
    const short = [['flour'], ['eggs']];
    expect(textOfPages(short)).toBe(readAs(short));
  });

  it('takes time in proportion to a paragraph of signs alone', () => {
    const pages = [['!'.repeat(1_000_000)], ['Notes']];
    expect(textOfPages(pages)).toBe(readAs(pages));
  });
});

describe('withRuledTables', () => {
  const rules = gridOf([0, 100, 160, 260], [80, 105, 130, 180]);
  const runs = [
    run('Item', 5, 95),
    run('Shelf', 105, 95),
    run('Note', 165, 95),
    run('Hinge', 5, 120),
    run('of brass', 165, 120),
    run('Knob', 5, 145),
    run('turned from', 165, 145),
    run('old oak', 165, 157),
    run('Below the table', 0, 220),
  ];
  const rows = [
    ['Item', 'Shelf', 'Note'],
    ['Hinge', '', 'of brass'],
    ['Knob', '', 'turned from old oak'],
  ];

  it.each(['lines', 'edges of filled areas'])('reads cells of several lines, and empty ones, by %s', (by) => {
    const drawn = gridOf([0, 100, 160, 260], [80, 105, 130, 180], by !== 'lines');
    expect(pageBlocks(withRuledTables(runs, drawn))).toEqual([{ rows }, { text: 'Below the table' }]);
  });

  it('reads lines as rows where rules stand between columns alone, and keeps empty columns out', () => {
    const columns = gridOf([0, 50, 100, 150], [80, 105, 180]);
    const texts = [95, 120, 135, 150].flatMap((y) => [run('Oak', 5, y), run('12', 105, y)]);
    expect(pageBlocks(withRuledTables(texts, columns))).toEqual([
      { rows: texts.map(() => ['Oak', '12']).slice(4) },
    ]);
  });

  it('leaves to the places of the texts a frame whose cells hold several columns each', () => {
    const frame = gridOf([0, 200, 400], [80, 105, 180]);
    const texts = [95, 120, 135, 150].flatMap((y) => [0, 100, 200, 300].map((x) => run('12', x + 5, y)));
    expect(pageBlocks(withRuledTables(texts, frame))).toEqual([
      { rows: [1, 2, 3, 4].map(() => ['12', '12', '12', '12']) },
    ]);
  });

  it('leaves all runs as they are where a page has no grid', () => {
    expect(withRuledTables(runs, rules.slice(0, 4))).toEqual(runs);
  });
});
