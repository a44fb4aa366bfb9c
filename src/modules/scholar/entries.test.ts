import { date, names, source } from '../../../test/fixtures/scholar/sources';
import { citeSources } from './scholar.jobs';
import { bibtexCitation, bibtexKey, risCitation } from './cited-source';

const ARTICLE = source({
  type: 'article',
  title: 'Profit & Loss: 50% of #1_{x} at $5~^\\',
  authors: names('Müller, Jörg', 'King, Martin Luther, Jr.', 'Barnes and Noble'),
  date: date(2017, 3, 8),
  containerTitle: 'Zeitschrift für Physik',
  volume: '11',
  issue: '1',
  pages: '1-34',
  doi: '10.1086/690_235',
  url: 'https://a.example/x_{y}?a=1&b=2',
  accessed: date(2026, 11, 2),
});

describe('bibtexCitation', () => {
  it('escapes what TeX would read, keeps accents, and leaves addresses as they are', () => {
    expect(bibtexCitation(ARTICLE, bibtexKey(ARTICLE)).text).toBe(
      [
        '@article{muller2017profit,',
        '  author = {Müller, Jörg and King, Jr., Martin Luther and {Barnes and Noble}},',
        '  title = {Profit \\& Loss: 50\\% of \\#1\\_\\textbraceleft{}x\\textbraceright{} at \\$5\\textasciitilde{}\\textasciicircum{}\\textbackslash{}},',
        '  journal = {Zeitschrift für Physik},',
        '  volume = {11},',
        '  number = {1},',
        '  pages = {1--34},',
        '  year = {2017},',
        '  month = mar,',
        '  doi = {10.1086/690_235},',
        '  url = {https://a.example/x_%7By%7D?a=1&b=2},',
        '  urldate = {2026-11-02}',
        '}',
      ].join('\n'),
    );
  });

  it.each([
    ['book', 'book'],
    ['chapter', 'incollection'],
    ['conference', 'inproceedings'],
    ['report', 'techreport'],
    ['thesis', 'phdthesis'],
    ['website', 'misc'],
  ] as const)('makes of a %s an entry @%s', (type, kind) => {
    expect(bibtexCitation(source({ type, title: 'T' }), 'k').text).toBe(`@${kind}{k,\n  title = {T}\n}`);
  });

  it('names the number of an article beside that of its issue, and of anything else alone', () => {
    const numbered = { title: 'T', issue: '1', number: 'e0209899' };
    expect(bibtexCitation(source({ type: 'article', ...numbered }), 'k').text).toBe(
      '@article{k,\n  title = {T},\n  number = {1},\n  eid = {e0209899}\n}',
    );
    expect(bibtexCitation(source({ type: 'report', title: 'T', number: '12' }), 'k').text).toBe(
      '@techreport{k,\n  title = {T},\n  number = {12}\n}',
    );
  });

  it('has as many opening as closing braces, which BibTeX counts behind a backslash too', () => {
    const { text } = bibtexCitation(source({ type: 'book', title: 'On {x', authors: names('{A, B.') }), 'k');
    expect(text.match(/\{/g)?.length).toBe(text.match(/\}/g)?.length);
  });

  it('keeps a person without a given name from being read as one with it', () => {
    const authors = ['García Márquez', 'King', 'Plato'].map((family) => ({
      ...{ family, given: null, literal: null },
      suffix: family === 'King' ? 'Jr.' : null,
    }));
    expect(bibtexCitation(source({ type: 'book', title: 'T', authors }), 'k').text).toContain(
      'author = {{García Márquez} and {King, Jr.} and Plato}',
    );
  });

  it('tells a thesis for a master from one for a doctor', () => {
    const thesis = source({ type: 'thesis', title: 'T', genre: 'Master’s thesis', publisher: 'MIT' });
    expect(bibtexCitation(thesis, 'k').text).toBe(
      '@mastersthesis{k,\n  title = {T},\n  type = {Master’s thesis},\n  school = {MIT}\n}',
    );
  });

  it.each([
    [
      source({ type: 'book', title: 'The Crown of Columbus', authors: names('van der Berg, J.') }),
      'vanderbergndcrown',
    ],
    [
      source({ type: 'book', title: 'Łódź', date: date(1999), authors: names('Ørsted, H.') }),
      'orsted1999lodz',
    ],
    [source({ type: 'book', title: '論語', date: date(2001) }), 'source2001'],
    [source({ type: 'book', title: 'The', authors: names('World Bank') }), 'worldndthe'],
  ])('makes a key of letters and digits (%#)', (cited, key) => {
    expect(bibtexKey(cited)).toBe(key);
  });
});

describe('risCitation', () => {
  it('writes a record that begins with TY and ends with ER, in lines of CR LF', () => {
    expect(risCitation(ARTICLE).text).toBe(
      [
        'TY  - JOUR',
        'AU  - Müller, Jörg',
        'AU  - King, Martin Luther, Jr.',
        'AU  - Barnes and Noble',
        'TI  - Profit & Loss: 50% of #1_{x} at $5~^\\',
        'T2  - Zeitschrift für Physik',
        'PY  - 2017',
        'DA  - 2017/03/08',
        'VL  - 11',
        'IS  - 1',
        'SP  - 1',
        'EP  - 34',
        'DO  - 10.1086/690_235',
        'UR  - https://a.example/x_{y}?a=1&b=2',
        'Y2  - 2026/11/02',
        'ER  - ',
        '',
      ].join('\r\n'),
    );
  });

  it('gives several ranges of pages as one', () => {
    const { text } = risCitation(source({ type: 'article', title: 'T', pages: '100-104, 110' }));
    expect(text.split('\r\n').slice(2)).toEqual(['SP  - 100–104, 110', 'ER  - ', '']);
  });

  it.each([
    [source({ type: 'chapter', title: 'T', editors: names('A, B.') }), 'TY  - CHAP\r\nA2  - A, B.\r\nTI'],
    [source({ type: 'book', title: 'T', editors: names('A, B.') }), 'TY  - BOOK\r\nED  - A, B.\r\nTI'],
    [source({ type: 'article', periodical: 'newspaper', title: 'T' }), 'TY  - NEWS\r\nTI'],
    [source({ type: 'website', title: 'T' }), 'TY  - ELEC\r\nTI'],
    [source({ type: 'thesis', title: 'T' }), 'TY  - THES\r\nTI'],
    [source({ type: 'report', title: 'T' }), 'TY  - RPRT\r\nTI'],
    [source({ type: 'conference', title: 'T' }), 'TY  - CPAPER\r\nTI'],
  ])('names the kind of the source and its people (%#)', (cited, begin) => {
    expect(risCitation(cited).text.startsWith(begin)).toBe(true);
  });
});

describe('citeSources', () => {
  const book = (title: string, author: string, year = 2020) =>
    source({ type: 'book', title, authors: names(author), date: date(year) });

  it('tells works of the same people and year apart by letters, in the order of their titles', () => {
    const sources = [
      ...[book('The zoo', 'Ng, A.'), book('An ark', 'Ng, A.')],
      ...[book('B', 'Ng, A.', 2019), book('C', 'Aa, A.')],
    ];
    const { citations, bibliography } = citeSources({ sources, style: 'apa' });
    expect(citations.map(({ in_text: inText }) => inText?.parenthetical)).toEqual([
      '(Ng, 2020b)',
      '(Ng, 2020a)',
      '(Ng, 2019)',
      '(Aa, 2020)',
    ]);
    expect(bibliography).toBe(
      ['Aa, A. (2020). C.', 'Ng, A. (2019). B.', 'Ng, A. (2020a). An ark.', 'Ng, A. (2020b). The zoo.'].join(
        '\n',
      ),
    );
    const undated = [source({ type: 'book', title: 'A', authors: names('Ng, A.') })];
    const cited = citeSources({ sources: [...undated, ...undated], style: 'chicago' });
    expect(cited.citations[1]?.text).toBe('Ng, A. n.d.-b. A.');
  });

  it.each([
    ['apa', ['(A. Ng, 2020)', '(A. Ng, 2019)', '(B. Ng & Aa, 2020)', '(Aa, 2020)']],
    ['chicago', ['(A. Ng 2020)', '(A. Ng 2019)', '(B. Ng and Aa 2020)', '(Aa 2020)']],
  ] as const)('tells first authors of one family name apart by their initials (%s)', (style, expected) => {
    const sources = [
      book('The zoo', 'Ng, Ann'),
      book('B', 'Ng, A.', 2019),
      source({ type: 'book', title: 'D', authors: names('Ng, Bo', 'Aa, A.'), date: date(2020) }),
      book('C', 'Aa, A.'),
    ];
    const { citations } = citeSources({ sources, style });
    expect(citations.map(({ in_text: inText }) => inText?.parenthetical)).toEqual(expected);
  });

  it('names titles in the text and three hyphens in the list where works are by the same people (MLA)', () => {
    const sources = [
      book('The Bluest Eye', 'Morrison, Toni', 1970),
      source({ type: 'article', title: 'Site of Memory', authors: names('Morrison, Toni') }),
      book('Beloved: A Novel', 'Morrison, Toni', 1987),
      book('Capital: Volume 1', 'Marx, K.', 1867),
      book('Capital: Volume 2', 'Marx, K.', 1885),
      source({ type: 'book', title: 'Essays', editors: names('Marx, K.') }),
      book('Sula', 'Morrison, Jane', 1973),
    ];
    const { citations, bibliography } = citeSources({ sources, style: 'mla' });
    expect(citations.map(({ in_text: inText }) => inText?.parenthetical)).toEqual([
      '(T. Morrison, Bluest Eye)',
      '(T. Morrison, “Site of Memory”)',
      '(T. Morrison, Beloved)',
      '(Marx, Capital: Volume 1)',
      '(Marx, Capital: Volume 2)',
      '(Marx, Essays)',
      '(J. Morrison)',
    ]);
    expect(citations[2]?.in_text?.narrative).toBe('T. Morrison (Beloved)');
    expect(citations[2]?.text).toBe('Morrison, Toni. Beloved: A Novel. 1987.');
    expect(bibliography.split('\n')).toEqual([
      'Marx, K. Capital: Volume 1. 1867.',
      '---. Capital: Volume 2. 1885.',
      '---, editor. Essays.',
      'Morrison, Jane. Sula. 1973.',
      'Morrison, Toni. Beloved: A Novel. 1987.',
      '---. The Bluest Eye. 1970.',
      '---. “Site of Memory.”',
    ]);
  });

  it('gives each entry of BibTeX a key of its own', () => {
    const sources = ['X', 'X', 'Xa', 'X'].map((title) => book(title, 'Ng, A.'));
    const { citations, bibliography } = citeSources({ sources, style: 'bibtex' });
    expect(citations.map(({ key }) => key)).toEqual(['ng2020x', 'ng2020xb', 'ng2020xa', 'ng2020xc']);
    expect(bibliography.match(/@book/g)).toHaveLength(4);
  });

  it('sorts without articles and marks, and numbers past z go on with aa', () => {
    const sources = ['“Zoo” keeping', 'The ant', 'A bee', 'Cat'].map((title) =>
      source({ type: 'book', title }),
    );
    const { bibliography } = citeSources({ sources, style: 'mla' });
    expect(bibliography).toBe('The ant.\nA bee.\nCat.\n“Zoo” keeping.');
    const many = Array.from({ length: 28 }, (_, index) => book(String(index + 10), 'Ng, A.'));
    const { citations } = citeSources({ sources: many, style: 'apa' });
    expect(citations.at(-1)?.in_text?.narrative).toBe('Ng (2020ab)');
  });
});
