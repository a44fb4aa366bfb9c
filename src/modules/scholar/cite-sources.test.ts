import { date, names, source } from '../../../test/fixtures/scholar/sources';
import { apaCitation } from './scholar.jobs';
import type { CitedSource } from './cited-source';

// The expected texts are examples of the Publication Manual and of its site, but for those that say otherwise.
const PUBLISHED: [string, CitedSource, string][] = [
  [
    'a journal article of five authors',
    source({
      type: 'article',
      title:
        'Emotions in storybooks: A comparison of storybooks that represent ethnic and racial groups in the United States',
      authors: names('Grady, J. S.', 'Her, M.', 'Moreno, G.', 'Perez, C.', 'Yelinek, J.'),
      date: date(2019),
      containerTitle: 'Psychology of Popular Media Culture',
      volume: '8',
      issue: '3',
      pages: '207-217',
      doi: '10.1037/ppm0000185',
    }),
    'Grady, J. S., Her, M., Moreno, G., Perez, C., & Yelinek, J. (2019). Emotions in storybooks: A comparison of storybooks ' +
      'that represent ethnic and racial groups in the United States. *Psychology of Popular Media Culture*, *8*(3), 207–217. ' +
      'https://doi.org/10.1037/ppm0000185',
  ],
  [
    'a journal article of two authors',
    source({
      type: 'article',
      title: 'Language learning as language use: A cross-linguistic model of child language development',
      authors: names('McCauley, Stewart M.', 'Christiansen, Morten H.'),
      date: date(2019),
      containerTitle: 'Psychological Review',
      volume: '126',
      issue: '1',
      pages: '1–51',
      doi: '10.1037/rev0000126',
    }),
    'McCauley, S. M., & Christiansen, M. H. (2019). Language learning as language use: A cross-linguistic model of child ' +
      'language development. *Psychological Review*, *126*(1), 1–51. https://doi.org/10.1037/rev0000126',
  ],
  [
    'an article of a magazine with its day',
    source({
      type: 'article',
      periodical: 'magazine',
      title: 'Really cool neutral plasmas',
      authors: names('Bergeson, S.'),
      date: date(2019, 1, 4),
      containerTitle: 'Science',
      volume: '363',
      issue: '6422',
      pages: '33-34',
      doi: '10.1126/science.aau7988',
    }),
    'Bergeson, S. (2019, January 4). Really cool neutral plasmas. *Science*, *363*(6422), 33–34. ' +
      'https://doi.org/10.1126/science.aau7988',
  ],
  [
    'an article with a number in place of pages',
    source({
      type: 'article',
      title: 'Body ownership increases the interference between observed and executed movements',
      authors: names(
        'Burin, Dalila',
        'Kilteni, Konstantina',
        'Rabuffetti, Marco',
        'Slater, Mel',
        'Pia, Lorenzo',
      ),
      date: date(2019, 1),
      containerTitle: 'PLOS ONE',
      volume: '14',
      issue: '1',
      number: 'e0209899',
      doi: '10.1371/journal.pone.0209899',
    }),
    'Burin, D., Kilteni, K., Rabuffetti, M., Slater, M., & Pia, L. (2019). Body ownership increases the interference between ' +
      'observed and executed movements. *PLOS ONE*, *14*(1), Article e0209899. https://doi.org/10.1371/journal.pone.0209899',
  ],
  [
    'a book',
    source({
      type: 'book',
      title: 'Behave: The biology of humans at our best and worst',
      authors: names('Sapolsky, Robert M.'),
      date: date(2017),
      publisher: 'Penguin Books',
    }),
    'Sapolsky, R. M. (2017). *Behave: The biology of humans at our best and worst*. Penguin Books.',
  ],
  [
    'a book in a further edition with a DOI',
    source({
      type: 'book',
      title: 'The psychology of prejudice: From attitudes to social action',
      authors: names('Jackson, L. M.'),
      edition: '2nd',
      date: date(2019),
      publisher: 'American Psychological Association',
      doi: '10.1037/0000168-000',
    }),
    'Jackson, L. M. (2019). *The psychology of prejudice: From attitudes to social action* (2nd ed.). American Psychological ' +
      'Association. https://doi.org/10.1037/0000168-000',
  ],
  [
    'a book in a further edition, translated',
    source({
      type: 'book',
      title: 'The psychology of the child',
      authors: names('Piaget, Jean', 'Inhelder, Bärbel'),
      translators: names('Weaver, Helen'),
      edition: '2',
      date: date(1969),
      publisher: 'Basic Books',
    }),
    'Piaget, J., & Inhelder, B. (1969). *The psychology of the child* (H. Weaver, Trans.; 2nd ed.). Basic Books.',
  ],
  [
    'a book with a translated title and a volume',
    source({
      type: 'book',
      title: 'Nihongo no goi tokusei',
      translatedTitle: 'Lexical characteristics of Japanese language',
      authors: names('Amano, N.', 'Kondo, H.'),
      volume: '7',
      date: date(2000),
      publisher: 'Sansei-do',
    }),
    'Amano, N., & Kondo, H. (2000). *Nihongo no goi tokusei* [Lexical characteristics of Japanese language] (Vol. 7). ' +
      'Sansei-do.',
  ],
  [
    'an edited book',
    source({
      type: 'book',
      title: 'Early childhood education: Values and practices in Denmark',
      editors: names('Hygum, E.', 'Pedersen, P. M.'),
      date: date(2010),
      publisher: 'Hans Reitzels Forlag',
      url: 'https://earlychildhoodeducation.digi.hansreitzel.dk/',
    }),
    'Hygum, E., & Pedersen, P. M. (Eds.). (2010). *Early childhood education: Values and practices in Denmark*. Hans Reitzels ' +
      'Forlag. https://earlychildhoodeducation.digi.hansreitzel.dk/',
  ],
  [
    'a chapter',
    source({
      type: 'chapter',
      title: 'Culinary arts: Talent and their development',
      authors: names('Aron, L.', 'Botella, M.', 'Lubart, T.'),
      editors: names('Subotnik, Rena F.', 'Olszewski-Kubilius, Paula', 'Worrell, Frank C.'),
      date: date(2019),
      containerTitle:
        'The psychology of high performance: Developing human potential into domain-specific talent',
      pages: '345-359',
      publisher: 'American Psychological Association',
      doi: '10.1037/0000120-016',
    }),
    'Aron, L., Botella, M., & Lubart, T. (2019). Culinary arts: Talent and their development. In R. F. Subotnik, P. ' +
      'Olszewski-Kubilius, & F. C. Worrell (Eds.), *The psychology of high performance: Developing human potential into ' +
      'domain-specific talent* (pp. 345–359). American Psychological Association. https://doi.org/10.1037/0000120-016',
  ],
  [
    'a paper in proceedings, with initials of hyphenated names',
    source({
      type: 'conference',
      title: 'Probability estimation by an adapted genetic algorithm in web insurance',
      authors: names('Bedenel, Anne-Lise', 'Jourdan, Laetitia', 'Biernacki, Christophe'),
      editors: names('Battiti, Roberto', 'Brunato, Mauro', 'Kotsireas, Ilias', 'Pardalos, Panos'),
      date: date(2019, 6),
      containerTitle: 'Lecture notes in computer science: Vol. 11353. Learning and intelligent optimization',
      pages: '225–240',
      publisher: 'Springer',
      doi: '10.1007/978-3-030-05348-2_21',
    }),
    'Bedenel, A.-L., Jourdan, L., & Biernacki, C. (2019). Probability estimation by an adapted genetic algorithm in web ' +
      'insurance. In R. Battiti, M. Brunato, I. Kotsireas, & P. Pardalos (Eds.), *Lecture notes in computer science: Vol. ' +
      '11353. Learning and intelligent optimization* (pp. 225–240). Springer. https://doi.org/10.1007/978-3-030-05348-2_21',
  ],
  [
    'a talk',
    source({
      type: 'conference',
      title: "Everybody's got a little music in them: Using music therapy to connect, engage, and motivate",
      genre: 'Conference session',
      authors: names('Fistek, A.', 'Jester, E.', 'Sonnenberg, K.'),
      date: date(2017, 7, 12),
      containerTitle: 'Autism Society National Conference',
      place: 'Milwaukee, WI, United States',
    }),
    "Fistek, A., Jester, E., & Sonnenberg, K. (2017, July 12). *Everybody's got a little music in them: Using music therapy to " +
      'connect, engage, and motivate* [Conference session]. Autism Society National Conference, Milwaukee, WI, United States.',
  ],
  [
    'a report with its number',
    source({
      type: 'report',
      title: 'Facing forward: Life after cancer treatment',
      authors: names('National Cancer Institute'),
      number: 'NIH Publication No. 18-2424',
      date: date(2018),
      publisher: 'U.S. Department of Health and Human Services, National Institutes of Health',
      url: 'https://www.cancer.gov/publications/patient-education/life-after-treatment.pdf',
    }),
    'National Cancer Institute. (2018). *Facing forward: Life after cancer treatment* (NIH Publication No. 18-2424). U.S. ' +
      'Department of Health and Human Services, National Institutes of Health. ' +
      'https://www.cancer.gov/publications/patient-education/life-after-treatment.pdf',
  ],
  [
    'a report of an organisation that published it (by the form of the manual)',
    source({
      type: 'report',
      title: 'Bridges of the north',
      authors: names('Office of Roads'),
      number: '12',
      date: date(2018),
      publisher: 'Office of Roads',
    }),
    'Office of Roads. (2018). *Bridges of the north* (Report No. 12).',
  ],
  [
    'a dissertation from a database',
    source({
      type: 'thesis',
      title:
        'Resistance to authority: Methodological innovations and new lessons from the Milgram experiment',
      genre: 'Doctoral dissertation',
      authors: names('Hollander, Matthew M.'),
      date: date(2017),
      publisher: 'University of Wisconsin–Madison',
      database: 'ProQuest Dissertations and Theses Global',
    }),
    'Hollander, M. M. (2017). *Resistance to authority: Methodological innovations and new lessons from the Milgram ' +
      'experiment* [Doctoral dissertation, University of Wisconsin–Madison]. ProQuest Dissertations and Theses Global.',
  ],
  [
    'an unpublished dissertation',
    source({
      type: 'thesis',
      title: 'Instructional leadership perceptions and practices of elementary school leaders',
      genre: 'Unpublished doctoral dissertation',
      authors: names('Harris, L.'),
      date: date(2014),
      publisher: 'University of Virginia',
    }),
    'Harris, L. (2014). *Instructional leadership perceptions and practices of elementary school leaders* [Unpublished ' +
      'doctoral dissertation]. University of Virginia.',
  ],
  [
    'a page without a date that was retrieved',
    source({
      type: 'website',
      title: 'U.S. and world population clock',
      authors: names('U.S. Census Bureau'),
      containerTitle: 'U.S. Department of Commerce',
      url: 'https://www.census.gov/popclock/',
      accessed: date(2020, 1, 9),
    }),
    'U.S. Census Bureau. (n.d.). *U.S. and world population clock*. U.S. Department of Commerce. Retrieved January 9, 2020, ' +
      'from https://www.census.gov/popclock/',
  ],
  [
    'a page of an organisation on its own site',
    source({
      type: 'website',
      title: 'The top 10 causes of death',
      authors: names('World Health Organization'),
      date: date(2018, 5, 24),
      containerTitle: 'World Health Organization',
      url: 'https://www.who.int/news-room/fact-sheets/detail/the-top-10-causes-of-death',
      accessed: date(2020, 1, 9),
    }),
    'World Health Organization. (2018, May 24). *The top 10 causes of death*. ' +
      'https://www.who.int/news-room/fact-sheets/detail/the-top-10-causes-of-death',
  ],
  [
    'a book without an author (by the form of the manual)',
    source({
      type: 'book',
      title: "Merriam-Webster's collegiate dictionary",
      edition: '11',
      date: date(2003),
      publisher: 'Merriam-Webster',
    }),
    "*Merriam-Webster's collegiate dictionary* (11th ed.). (2003). Merriam-Webster.",
  ],
];

describe('apaCitation', () => {
  it.each(PUBLISHED)('writes %s as the manual prints it', (_, given, expected) => {
    const { text, html } = apaCitation(given, '');
    expect(text).toBe(expected.replaceAll('*', ''));
    expect(html).toBe(expected.replaceAll('&', '&amp;').replaceAll(/\*([^*]*)\*/g, '<i>$1</i>'));
  });

  const people = (count: number) =>
    Array.from({ length: count }, (_, index) => `Name${String.fromCharCode(65 + index)}, Ada`);

  it('names up to 20 authors, and of more the first 19 and the last', () => {
    const of = (count: number) =>
      apaCitation(source({ type: 'book', title: 'T', authors: names(...people(count)) }), '').text;
    expect(of(3)).toBe('NameA, A., NameB, A., & NameC, A. (n.d.). T.');
    expect(of(20)).toMatch(/NameS, A\., & NameT, A\. \(n\.d\.\)/);
    expect(of(20)).not.toContain('. . .');
    expect(of(21)).toMatch(/NameR, A\., NameS, A\., \. \. \. NameU, A\. \(n\.d\.\)/);
    expect(of(21)).not.toContain('NameT');
  });

  it.each([
    [['van der Berg, Jan Willem'], 'van der Berg, J. W. '],
    [['King, Martin Luther, Jr.'], 'King, M. L., Jr. '],
    [['Sartre, Jean-Paul'], 'Sartre, J.-P. '],
    [['Rowling, J.K.'], 'Rowling, J. K. '],
    [['Smith, JS'], 'Smith, J. S. '],
    [['Gaulle, Charles de'], 'Gaulle, C. de. '],
    [['Łukasz, Östen'], 'Łukasz, Ö. '],
    [['Plato, '], 'Plato. '],
  ])('writes the names %j', (written, expected) => {
    const [only] = written;
    const authors = names(...written).map((each) => ({
      ...each,
      given: each.given === '' ? null : each.given,
    }));
    const { text } = apaCitation(source({ type: 'book', title: 'T', authors }), '');
    expect([only, text]).toEqual([only, `${expected}(n.d.). T.`]);
  });

  it.each([
    [['Smith, Ann'], '(Smith, 2020)', 'Smith (2020)'],
    [['Salas, E.', "D'Agostino, L."], "(Salas & D'Agostino, 2020)", "Salas and D'Agostino (2020)"],
    [['Martin, A.', 'B, B.', 'C, C.'], '(Martin et al., 2020)', 'Martin et al. (2020)'],
    [['World Bank'], '(World Bank, 2020)', 'World Bank (2020)'],
  ])('cites %j in the text', (written, parenthetical, narrative) => {
    const cited = source({ type: 'book', title: 'T', authors: names(...written), date: date(2020) });
    expect(apaCitation(cited, '').in_text).toEqual({ parenthetical, narrative });
  });

  it('cites titles in the text where nobody is named, and n.d. where no year is', () => {
    const article = source({ type: 'article', title: 'Who is to say?', date: date(2019) });
    expect(apaCitation(article, '').in_text?.parenthetical).toBe('(“Who is to say?” 2019)');
    const book = source({ type: 'book', title: 'A book' });
    expect(apaCitation(book, '').in_text?.parenthetical).toBe('(A book, n.d.)');
  });

  it('keeps the marks that end a title, the case of its letters, and what is no HTML', () => {
    const { text, html } = apaCitation(
      source({ type: 'book', title: 'is this <i>It</i> & that?', authors: names('A, B.'), date: date(2001) }),
      'b',
    );
    expect(text).toBe('A, B. (2001b). is this <i>It</i> & that?');
    expect(html).toBe('A, B. (2001b). <i>is this &lt;i&gt;It&lt;/i&gt; &amp; that?</i>');
  });
});
