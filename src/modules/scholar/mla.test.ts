import { date, names, source } from '../../../test/fixtures/scholar/sources';
import type { CitedSource } from './cited-source';
import { mlaCitation } from './mla-and-chicago';

// The expected texts are examples of the MLA Handbook and its site, but for those that say otherwise.
const PUBLISHED: [string, CitedSource, string][] = [
  [
    'an article from a database',
    source({
      type: 'article',
      title: 'Questions of Transport: Reading Primo Levi Reading Dante',
      authors: names('Goldman, Anne'),
      containerTitle: 'The Georgia Review',
      volume: '64',
      issue: '1',
      date: { year: 2010, month: null, day: null, season: 'spring' },
      pages: '69-88',
      database: 'JSTOR',
      url: 'https://www.jstor.org/stable/41403188',
    }),
    'Goldman, Anne. “Questions of Transport: Reading Primo Levi Reading Dante.” *The Georgia Review*, vol. 64, no. 1, spring ' +
      '2010, pp. 69–88. *JSTOR*, www.jstor.org/stable/41403188.',
  ],
  [
    'an article whose last page is shortened',
    source({
      type: 'article',
      title: 'Twice Bitten: The Fate of Africa’s Culture Producers',
      authors: names('Soyinka, Wole'),
      containerTitle: 'PMLA',
      volume: '105',
      issue: '1',
      date: date(1990, 1),
      pages: '110-120',
      database: 'JSTOR',
      doi: '10.2307/462347',
    }),
    'Soyinka, Wole. “Twice Bitten: The Fate of Africa’s Culture Producers.” *PMLA*, vol. 105, no. 1, Jan. 1990, pp. 110–20. ' +
      '*JSTOR*, https://doi.org/10.2307/462347.',
  ],
  [
    'an article without pages',
    source({
      type: 'article',
      title: 'Postmodernism and Hong Kong Cinema',
      authors: names('Chan, Evans'),
      containerTitle: 'Postmodern Culture',
      volume: '10',
      issue: '3',
      date: date(2000, 5),
      database: 'Project Muse',
      doi: '10.1353/pmc.2000.0021',
    }),
    'Chan, Evans. “Postmodernism and Hong Kong Cinema.” *Postmodern Culture*, vol. 10, no. 3, May 2000. *Project Muse*, ' +
      'https://doi.org/10.1353/pmc.2000.0021.',
  ],
  [
    'a book',
    source({
      type: 'book',
      title: 'The Pleasures of Reading in an Age of Distraction',
      authors: names('Jacobs, Alan'),
      date: date(2011),
      publisher: 'Oxford UP',
    }),
    'Jacobs, Alan. *The Pleasures of Reading in an Age of Distraction*. Oxford UP, 2011.',
  ],
  [
    'a book of two authors',
    source({
      type: 'book',
      title: 'The Crown of Columbus',
      authors: names('Dorris, Michael', 'Erdrich, Louise'),
      date: date(1999),
      publisher: 'HarperCollins Publishers',
    }),
    'Dorris, Michael, and Louise Erdrich. *The Crown of Columbus*. HarperCollins Publishers, 1999.',
  ],
  [
    'a book of three and more authors',
    source({
      type: 'book',
      title: 'Digital_Humanities',
      authors: names('Burdick, Anne', 'Drucker, Johanna', 'Lunenfeld, Peter'),
      date: date(2012),
      publisher: 'MIT P',
    }),
    'Burdick, Anne, et al. *Digital_Humanities*. MIT P, 2012.',
  ],
  [
    'a book with an editor in place of an author',
    source({
      type: 'book',
      title: 'The Future of the Book',
      editors: names('Nunberg, Geoffrey'),
      date: date(1996),
      publisher: 'U of California P',
    }),
    'Nunberg, Geoffrey, editor. *The Future of the Book*. U of California P, 1996.',
  ],
  [
    'a book with two editors',
    source({
      type: 'book',
      title: 'The Complete Letters of Oscar Wilde',
      editors: names('Holland, Merlin', 'Hart-Davis, Rupert'),
      date: date(2000),
      publisher: 'Henry Holt',
    }),
    'Holland, Merlin, and Rupert Hart-Davis, editors. *The Complete Letters of Oscar Wilde*. Henry Holt, 2000.',
  ],
  [
    'a translated book',
    source({
      type: 'book',
      title: 'Crime and Punishment',
      authors: names('Dostoevsky, Fyodor'),
      translators: names('Pevear, Richard', 'Volokhonsky, Larissa'),
      date: date(1993),
      publisher: 'Vintage eBooks',
    }),
    'Dostoevsky, Fyodor. *Crime and Punishment*. Translated by Richard Pevear and Larissa Volokhonsky, Vintage ' +
      'eBooks, 1993.',
  ],
  [
    'a book in a further edition (by the form of the Handbook)',
    source({
      type: 'book',
      title: 'Theory of the Lyric',
      authors: names('Culler, Jonathan'),
      edition: '2nd',
      volume: '3',
      date: date(2015),
      publisher: 'Harvard UP',
    }),
    'Culler, Jonathan. *Theory of the Lyric*. 2nd ed., vol. 3, Harvard UP, 2015.',
  ],
  [
    'a chapter of an edited book',
    source({
      type: 'chapter',
      title: 'The Cultural Consequences of Printing and the Internet',
      authors: names('Dewar, James A.', 'Ang, Peng Hwa'),
      editors: names('Baron, Sabrina Alcorn', 'Lindquist, Eric N.', 'Shevlin, Eleanor F.'),
      containerTitle: 'Agent of Change: Print Culture Studies after Elizabeth L. Eisenstein',
      date: date(2007),
      publisher: 'U of Massachusetts P / Center for the Book, Library of Congress',
      pages: '365-377',
    }),
    'Dewar, James A., and Peng Hwa Ang. “The Cultural Consequences of Printing and the Internet.” *Agent of Change: Print ' +
      'Culture Studies after Elizabeth L. Eisenstein*, edited by Sabrina Alcorn Baron et al., U of Massachusetts P / Center for ' +
      'the Book, Library of Congress, 2007, pp. 365–77.',
  ],
  [
    'a page of a site',
    source({
      type: 'website',
      title: 'The Reading Brain: Differences between Digital and Print',
      authors: names('Hollmichel, Stefanie'),
      containerTitle: 'So Many Books',
      date: date(2013, 4, 25),
      url: 'https://somanybooksblog.com/2013/04/25/the-reading-brain-differences-between-digital-and-print/',
    }),
    'Hollmichel, Stefanie. “The Reading Brain: Differences between Digital and Print.” *So Many Books*, 25 Apr. 2013, ' +
      'somanybooksblog.com/2013/04/25/the-reading-brain-differences-between-digital-and-print/.',
  ],
  [
    'a dissertation',
    source({
      type: 'thesis',
      title: 'Performing the Passion: A Study on the Nature of Medieval Acting',
      genre: 'PhD dissertation',
      authors: names('Njus, Jesse'),
      date: date(2010),
      publisher: 'Northwestern U',
    }),
    'Njus, Jesse. *Performing the Passion: A Study on the Nature of Medieval Acting*. 2010. Northwestern U, PhD dissertation.',
  ],
  [
    'a report of an organisation that published it',
    source({
      type: 'report',
      title: 'Foreign Direct Investment, the Service Sector, and International Banking',
      authors: names('United Nations'),
      publisher: 'United Nations',
      date: date(1991),
    }),
    '*Foreign Direct Investment, the Service Sector, and International Banking*. United Nations, 1991.',
  ],
];

describe('mlaCitation', () => {
  it.each(PUBLISHED)('writes %s as the Handbook prints it', (_, given, expected) => {
    const { text, html } = mlaCitation(given);
    expect(text).toBe(expected.replaceAll('*', ''));
    expect(html).toBe(expected.replaceAll(/\*([^*]*)\*/g, '<i>$1</i>'));
  });

  it('turns quotation marks within a quoted title into single ones, and says when a page was seen', () => {
    const page = source({
      type: 'website',
      title: 'What is "New" in “Old” Books?',
      containerTitle: 'Books',
      url: 'http://a.example/b',
      accessed: date(2026, 9, 3),
    });
    expect(mlaCitation(page)).toMatchObject({
      text: '“What is ‘New’ in ‘Old’ Books?” Books, a.example/b. Accessed 3 Sept. 2026.',
      in_text: { parenthetical: '(“What is ‘New’ in ‘Old’ Books?”)' },
    });
  });

  it.each([
    [['Smith, Ann'], '(Smith)', 'Smith'],
    [['Dorris, Michael', 'Erdrich, Louise'], '(Dorris and Erdrich)', 'Dorris and Erdrich'],
    [['Burdick, A.', 'B, B.', 'C, C.'], '(Burdick et al.)', 'Burdick and others'],
    [['United Nations'], '(United Nations)', 'United Nations'],
  ])('cites %j in the text', (written, parenthetical, narrative) => {
    const cited = source({ type: 'book', title: 'T', authors: names(...written), date: date(2020) });
    expect(mlaCitation(cited).in_text).toEqual({ parenthetical, narrative });
  });

  it.each([
    ['King, Martin Luther, Jr.', 'King, Martin Luther, Jr. T.'],
    ['van der Berg, Jan', 'van der Berg, Jan. T.'],
  ])('writes the name %j', (written, expected) => {
    const cited = source({ type: 'book', title: 'T', authors: names(written) });
    expect(mlaCitation(cited).text).toBe(expected);
  });
});
