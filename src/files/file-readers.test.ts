import sharp from 'sharp';
import { pdfOf } from '../../test/support/hostile-files/hostile-pdfs';
import { documentWith, simpleField } from '../../test/support/hostile-files/hostile-documents';
import { processorMsBelow } from '../../test/support/processor-time';
import { UnreadableFile, UnsupportedFile } from './file-errors';
import type { ReadFile } from './file-jobs';
import type { FileKind } from './sniff-file-kind';
import { FileReaders } from './file-readers';
import { readJson } from './readers/read-text';

const MARKDOWN = `# Quarterly report

The **revenue** grew by *12 %* to \`USD 1,250.00\`, see [the site](https://example.com/report).

1. First point
2. Second point
   - a nested one

> A quote of the board.

| Region | Revenue |
| --- | --- |
| North | 1200 |
| South | 800 |

\`\`\`
const total = 2000;
\`\`\`
`;

const OWN = { accountId: 'own' };

/** By what the decoder makes of each byte, and of each two. */
function encodedIn(encoding: string, text: string): Buffer {
  const decoder = new TextDecoder(encoding);
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const pairs =
    encoding === 'shift_jis' ? bytes.slice(0x81).flatMap((lead) => bytes.map((byte) => [lead, byte])) : [];
  const byLetter = new Map(
    [...pairs, ...bytes.map((byte) => [byte])].map((each) => [decoder.decode(Buffer.from(each)), each]),
  );
  return Buffer.from([...text].flatMap((letter) => byLetter.get(letter) ?? []));
}

describe('FileReaders', () => {
  const files = new FileReaders({ deadlineMs: 60_000 });
  afterAll(() => files.onApplicationShutdown());

  const read = (kind: FileKind, content: string | Uint8Array): Promise<ReadFile> =>
    files.read(kind, typeof content === 'string' ? Buffer.from(content) : content, OWN);

  describe('reads text', () => {
    it.each<[string, Buffer]>([
      ['UTF-8', Buffer.from('Grüße – 日本')],
      ['UTF-8 with a byte order mark', Buffer.from('\ufeffGrüße – 日本')],
      ['UTF-16 with a byte order mark', Buffer.from('\ufeffGrüße – 日本', 'utf16le')],
      ['UTF-16, big end first', Buffer.from('\ufeffGrüße – 日本', 'utf16le').swap16()],
    ])('in %s', async (_, bytes) => {
      expect((await read('txt', bytes)).text).toBe('Grüße – 日本');
    });

    it.each([
      ['Gr\xfc\xdfe \x80 5', 'Grüße € 5'],
      ['L\x92\xe9l\xe8ve cr\xe9\xe9 a f\xeat\xe9', 'L’élève créé a fêté'],
      ['\xc5\xc4\xd6 \xe5\xe4\xf6', 'ÅÄÖ åäö'],
      ['Accents: \xe9\xe8\xea\xeb\xe0\xe2', 'Accents: éèêëàâ'],
      ['\xc5\xc5\xc5\xc5\xc5\xc5\xc5\xc5h', 'ÅÅÅÅÅÅÅÅh'],
      ['\x83a, \x83b, \x83c', 'ƒa, ƒb, ƒc'],
      ['\x82\xc4pfel\x91, \x82\xd6l\x91, \x82\xdcber\x91', '‚Äpfel‘, ‚Öl‘, ‚Über‘'],
    ])('in windows-1252 where it is no UTF-8: %j', async (bytes, text) => {
      expect((await read('txt', Buffer.from(bytes, 'latin1'))).text).toBe(text);
    });

    it.each<[string, string[]]>([
      [
        'windows-1251',
        ['Договор заключён 1 марта.', 'Цена;Имя\n100;Яблоки\n', 'Київ є столицею України.', 'Привет, мир'],
      ],
      ['shift_jis', ['ラーメン', '東京都の図書館は九時に開きます。', '名前,価格\nりんご,100\nみかん,80\n']],
    ])('in %s that no mark tells', async (encoding, texts) => {
      for (const text of texts) {
        expect((await read('txt', encodedIn(encoding, text))).text).toBe(text);
      }
    });

    it('with plain line ends, and cuts it at two million characters', async () => {
      expect((await read('txt', 'a\r\nb\rc')).text).toBe('a\nb\nc');
      const long = await read('txt', 'ä'.repeat(2_000_001));
      expect([long.text.length, long.isCut]).toEqual([2_000_000, true]);
    });

    it('but no bytes with NUL', async () => {
      await expect(read('txt', 'a\0b')).rejects.toThrow(UnsupportedFile);
    });
  });

  it('hands on tables with two million characters together', async () => {
    const rows = Array.from({ length: 300 }, () => ({ cell: 'x'.repeat(9_000) }));
    const { tables, isCut } = await read('json', JSON.stringify(rows));
    expect([tables[0]?.header, tables[0]?.rows.length, isCut]).toEqual([['cell'], 222, true]);
  });

  it('reads Markdown as it is, with its title and tables', async () => {
    expect(await read('md', MARKDOWN)).toEqual({
      text: MARKDOWN,
      markdown: MARKDOWN,
      pages: null,
      title: 'Quarterly report',
      tables: [
        {
          header: ['Region', 'Revenue'],
          rows: [
            ['North', '1200'],
            ['South', '800'],
          ],
        },
      ],
      isCut: false,
    });
  });

  it('reads the main text of a page, without scripts and navigation', async () => {
    const page = await read(
      'html',
      `<!doctype html><html><head><title>The &amp; title</title><style>p {}</style></head><body><nav>Home</nav>
      <main><h1>Bees</h1><p>They <b>dance</b>,<br>and <a href="javascript:alert(1)">fly</a> to
      <a href="https://example.com/">flowers</a>.</p><script>alert(1)</script>
      <table><tr><td>Hive</td><td>Bees</td></tr><tr><td>A|1</td><td>20 000</td></tr></table>
      <ul><li>one</li><li>two</li></ul></main><p>Imprint</p></body></html>`,
    );
    expect(page.title).toBe('The & title');
    expect(page.text).toBe('Bees\n\nThey dance,\nand fly to flowers.\n\nHive\tBees\nA|1\t20 000\n\none\ntwo');
    expect(page.tables).toEqual([{ header: ['Hive', 'Bees'], rows: [['A|1', '20 000']] }]);
    expect(page.markdown).toBe(
      '# Bees\n\nThey **dance**,  \nand fly to [flowers](https://example.com/).\n\n' +
        '| Hive | Bees |\n| --- | --- |\n| A\\|1 | 20 000 |\n\n-   one\n-   two',
    );
  });

  it('keeps the numbers of lists and the places of empty cells', async () => {
    const lists =
      '<ol><li>one<ol><li>a<li>b</ol></li><li><p>two</p></li></ol><ol start=7><li>seven</ol><ol><li>alone</ol>';
    const table = '<table><tr><td></td><td>Q1<td>Q2<tr><td>North<td></td><td>5</td></tr></table>';
    expect((await read('html', `<body>${lists}${table}`)).text).toBe(
      '1. one\n\n1. a\n2. b\n2. two\n\n7. seven\n\nalone\n\n\tQ1\tQ2\nNorth\t\t5',
    );
  });

  it.each([
    ['<ol type=a><li>x<li>y</ol><ol reversed><li>x<li>y</ol>', 'x\ny\n\nx\ny'],
    ['<ol><li value=5>x<li>y</ol><ol><li></li><li></li></ol>', '5. x\n6. y'],
    ['<table><tr>loose<td>a</td> words </tr></table>', 'loose\ta\twords'],
  ])('tells no wrong numbers, none of nothing, and loses no words of %s', async (page, text) => {
    expect((await read('html', page)).text).toBe(text);
  });

  it('repeats a cell of a page over its rows and columns, as far as a table may have cells', async () => {
    const spans =
      '<table><tr><td colspan="2" rowspan=2>a<td>b</tr><tr><td>c</tr><tr><td>d<td>e<td>f</tr></table>';
    expect((await read('html', spans)).tables).toEqual([
      {
        header: ['a', 'a', 'b'],
        rows: [
          ['a', 'a', 'c'],
          ['d', 'e', 'f'],
        ],
      },
    ]);
    const endless = `<table><tr><td colspan=9999 rowspan=99999>x</tr>${'<tr><td>y</tr>'.repeat(9_000)}</table>`;
    const { tables, isCut } = await read('html', endless);
    expect([tables[0]?.header.length, isCut]).toEqual([500, true]);
  });

  it('reads a page in the charset that it names', async () => {
    const page = Buffer.from('<meta charset="iso-8859-2"><p>\xb3\xf3d\xbc', 'latin1');
    expect((await read('html', page)).text).toBe('łódź');
  });

  it.each([
    ['commas', 'name,price\n"Tea, green",3.50\n"a ""b""",1\n'],
    ['semicolons', 'name;price\r\n"Tea, green";3.50\r\n"a ""b""";1\r\n'],
    ['tabs', 'name\tprice\nTea, green\t3.50\n"a ""b"""\t1\n'],
    ['bars', 'name|price\nTea, green|3.50\n"a ""b"""|1\n'],
  ])('reads a table with %s between its values', async (_, csv) => {
    const { tables, markdown } = await read('csv', csv);
    expect(tables).toEqual([
      {
        header: ['name', 'price'],
        rows: [
          ['Tea, green', '3.50'],
          ['a "b"', '1'],
        ],
      },
    ]);
    expect(markdown).toBe('| name | price |\n| --- | --- |\n| Tea, green | 3.50 |\n| a "b" | 1 |');
  });

  it('reads a table with rows of any length, and no more than 50,000', async () => {
    expect((await read('csv', 'a,b\n1\n1,2,3\n')).tables[0]?.rows).toEqual([['1'], ['1', '2', '3']]);
    const long = await read('csv', 'a,b\n' + '1,2\n'.repeat(60_000));
    expect(long.isCut).toBe(true);
    expect(long.tables[0]?.rows.length).toBe(49_999);
    await expect(read('csv', 'a,b\n"1,2\n')).rejects.toThrow(UnreadableFile);
    const cutInCell = await read('csv', `a,b\n${`1,"x\n${'x'.repeat(140_000)}"\n`.repeat(15)}`);
    expect(cutInCell.isCut).toBe(true);
    expect(cutInCell.tables[0]?.rows.length).toBe(14);
  });

  it('reads JSON indented, without a number losing digits', async () => {
    const json = await read('json', '[{"id":12345678901234567890,"a":"x,\\"{"},{"id":1.10,"b":null}]');
    expect(json.text).toBe(
      '[\n  {\n    "id": 12345678901234567890,\n    "a": "x,\\"{"\n  },\n  {\n    "id": 1.10,\n    "b": null\n  }\n]',
    );
    expect(json.tables[0]?.header).toEqual(['id', 'a', 'b']);
    expect((await read('json', '{"a":[],"b":{}}')).text).toBe('{\n  "a": [],\n  "b": {}\n}');
    await expect(read('json', '{"a":}')).rejects.toThrow(UnreadableFile);
  });

  it('cuts JSON with a text of megabytes, or with more cells than are kept', async () => {
    expect(await read('json', `["${'x'.repeat(9_000_000)}"]`)).toMatchObject({ isCut: true });
    const sparse = JSON.stringify(Array.from({ length: 30_000 }, (_, row) => ({ [row % 500]: row })));
    const rows: number[] = [];
    const work = () => rows.push(readJson(Buffer.from(sparse)).tables[0]?.rows.length ?? 0);
    expect(await processorMsBelow(4_000, work)).toBeLessThan(4_000);
    expect(rows[0]).toBe(999);
  });

  describe('writes Markdown', () => {
    const words = [
      'Quarterly report',
      'USD 1,250.00',
      'the site',
      'Second point',
      'a nested one',
      'A quote of the board.',
      'South',
      'const total = 2000;',
    ];

    it.each(['docx', 'pdf', 'html'] as const)('as %s, which reads the same', async (kind) => {
      const bytes = await files.write(kind, MARKDOWN, OWN);
      const { text, title, pages } = await read(kind, bytes);
      expect(words.filter((word) => !text.includes(word))).toEqual([]);
      expect(title).toBe('Quarterly report');
      expect(pages).toBe(kind === 'pdf' ? 1 : null);
    });

    it('as a Word document with its headings, lists, tables and links', async () => {
      const { text, markdown, tables } = await read('docx', await files.write('docx', MARKDOWN, OWN));
      expect(tables).toEqual([
        {
          header: ['Region', 'Revenue'],
          rows: [
            ['North', '1200'],
            ['South', '800'],
          ],
        },
      ]);
      expect(text).toContain('Region\tRevenue\nNorth\t1200\nSouth\t800');
      expect(text).toContain('1. First point\n2. Second point');
      expect(markdown).toContain('# Quarterly report\n');
      expect(markdown).toContain('The **revenue** grew by *12 %*');
      expect(markdown).toContain('[the site](https://example.com/report)');
      expect(markdown).toMatch(/1\. +First point\n2\. +Second point\n {4}- +a nested one/);
    });

    it('as a PDF whose code is read with its indentation', async () => {
      const code = `Words of prose.\n\n\`\`\`\nwhile (true) {\n    next();\n}\n\`\`\``;
      const { text } = await read('pdf', await files.write('pdf', code, OWN));
      expect(text).toContain('\n\nwhile (true) {\n    next();\n}');
    });

    it('and keeps what a field of a Word document holds', async () => {
      expect((await read('docx', simpleField())).text).toBe('Dear Ada Lowe');
    });

    it('with the title of a Word document, but not one that is a tree of elements', async () => {
      const [closed, open] = ['</x>'.repeat(5_000), '<x>'.repeat(5_000)];
      const titled = (title: string) => read('docx', documentWith(`${closed}<dc:title>${title}</dc:title>`));
      expect(await titled('Bees &amp; &lt;hives&gt;')).toMatchObject({
        title: 'Bees & <hives>',
        text: 'hello',
      });
      expect(await titled(`${open}Bees${closed}`)).toMatchObject({ title: null, text: 'hello' });
    });

    it('as a page in which nothing runs', async () => {
      const hostile =
        '<script>alert(1)</script>\n\n[a](javascript:alert(1)) [b](https://e.com/?"x) ![c](https://e.com/p.png)';
      const page = Buffer.from(
        await files.write('html', `${hostile}\n\nok <b onclick="x">bold</b>`, OWN),
      ).toString();
      expect(page).not.toMatch(/<script|<b |<img|javascript:|"x\)/);
      expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    });

    it('as plain text and as it is', async () => {
      const text = Buffer.from(await files.write('txt', MARKDOWN, OWN)).toString();
      expect(text).toContain(
        'Quarterly report\n\nThe revenue grew by 12 % to USD 1,250.00, see the site.\n\n1. First point\n2. Second point\n   - a nested one\n\n  A quote',
      );
      expect(text).toContain('Region\tRevenue\nNorth\t1200\n');
      expect(Buffer.from(await files.write('md', MARKDOWN, OWN)).toString()).toBe(MARKDOWN);
      const plain = '# no heading\n*no stress* 1. [no](link)';
      const markdown = Buffer.from(await files.writePlain('md', plain, OWN)).toString();
      expect(markdown).toBe('\\# no heading  \n\\*no stress\\* 1. \\[no\\](link)');
      expect(
        Buffer.from(await files.write('txt', markdown, OWN))
          .toString()
          .trim(),
      ).toBe(plain);
    });

    it('as a PDF of many pages with their numbers, in the letters of Europe', async () => {
      const { text, pages } = await read(
        'pdf',
        await files.write('pdf', 'Żółć, Grüße, Ελλάδα, Привет.\n\n'.repeat(200), OWN),
      );
      expect(pages).toBeGreaterThan(3);
      expect(text).toContain('Żółć, Grüße, Ελλάδα, Привет.');
      expect(text).toContain(`1 / ${pages}`);
      expect(text).not.toContain(`2 / ${pages}`);
    });

    it('as a PDF whose rows do not cover a cell of several pages', async () => {
      const table = `| a | b |\n| --- | --- |\n| ${'word '.repeat(900)} | short |\n| next | row |`;
      const { text } = await read('pdf', await files.write('pdf', table, OWN));
      expect(text.indexOf('next')).toBeGreaterThan(text.lastIndexOf('word'));
    });

    it('refuses a PDF for letters that its fonts lack, and names them', async () => {
      await expect(files.write('pdf', 'A word: 日本', OWN)).rejects.toThrow(
        new UnsupportedFile(
          'The fonts for PDF have no letters for 日 (U+65E5), 本 (U+672C); write it as DOCX or HTML.',
        ),
      );
    });
  });

  it('reads the signs of Chinese, which are all of one width, without the indentation of code', async () => {
    const signs = Array.from({ length: 9 }, (_, index) => `/uni4E0${index}`).join('');
    const shown =
      'BT /F2 10 Tf 50 700 Td (Words) Tj /F1 10 Tf 0 -12 Td (ABC) Tj 20 -12 Td (DEF) Tj 0 -12 Td (GHI) Tj ET';
    const pdf = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>>>',
      `<</Length ${shown.length}>>\nstream\n${shown}\nendstream`,
      `<</Type/Font/Subtype/TrueType/BaseFont/Song/FirstChar 65/LastChar 73/Widths[${'1000 '.repeat(9)}]/Encoding<</Differences[65${signs}]>>>>`,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ]);
    expect((await read('pdf', pdf)).text).toBe('Words\n一丁丂\n七丄丅\n丆万丈');
  });

  it('reads a scanned PDF, which has no text', async () => {
    expect(await read('pdf', emptyPdf())).toMatchObject({ text: '', pages: 1, isCut: false });
  });

  it('reads a picture, which has no text, and refuses a broken one', async () => {
    const png = await picture().png().toBuffer();
    expect(await read('png', png)).toMatchObject({ text: '', markdown: null });
    await expect(read('png', png.subarray(0, png.length - 20))).rejects.toThrow(UnreadableFile);
  });
});

function picture() {
  return sharp({ create: { width: 40, height: 30, channels: 3, background: '#204060' } });
}

function emptyPdf(): Buffer {
  return Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
      '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R/Size 4>>\n%%EOF\n',
  );
}
