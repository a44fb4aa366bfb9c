import { date, names, source } from '../../../test/fixtures/scholar/sources';
import type { CitedSource } from './cited-source';
import { chicagoCitation } from './mla-and-chicago';

// The expected texts are examples of the Chicago Manual's guide to its author-date system.
const PUBLISHED: [string, CitedSource, string, string][] = [
  [
    'a book of two authors',
    source({
      type: 'book',
      title: 'A Curious Mind: The Secret to a Bigger Life',
      authors: names('Grazer, Brian', 'Fishman, Charles'),
      date: date(2015),
      place: 'New York',
      publisher: 'Simon & Schuster',
    }),
    'Grazer, Brian, and Charles Fishman. 2015. *A Curious Mind: The Secret to a Bigger Life*. New York: Simon & Schuster.',
    '(Grazer and Fishman 2015)',
  ],
  [
    'a book of one author',
    source({
      type: 'book',
      title: 'Swing Time',
      authors: names('Smith, Zadie'),
      date: date(2016),
      place: 'New York',
      publisher: 'Penguin Press',
    }),
    'Smith, Zadie. 2016. *Swing Time*. New York: Penguin Press.',
    '(Smith 2016)',
  ],
  [
    'a chapter of an edited book',
    source({
      type: 'chapter',
      title: 'Walking',
      authors: names('Thoreau, Henry David'),
      editors: names('D’Agata, John'),
      date: date(2016),
      containerTitle: 'The Making of the American Essay',
      pages: '167-195',
      place: 'Minneapolis',
      publisher: 'Graywolf Press',
    }),
    'Thoreau, Henry David. 2016. “Walking.” In *The Making of the American Essay*, edited by John D’Agata, 167–95. ' +
      'Minneapolis: Graywolf Press.',
    '(Thoreau 2016)',
  ],
  [
    'an edited book',
    source({
      type: 'book',
      title: 'The Making of the American Essay',
      editors: names('D’Agata, John'),
      date: date(2016),
      place: 'Minneapolis',
      publisher: 'Graywolf Press',
    }),
    'D’Agata, John, ed. 2016. *The Making of the American Essay*. Minneapolis: Graywolf Press.',
    '(D’Agata 2016)',
  ],
  [
    'a translated book',
    source({
      type: 'book',
      title: 'In Other Words',
      authors: names('Lahiri, Jhumpa'),
      translators: names('Goldstein, Ann'),
      date: date(2016),
      place: 'New York',
      publisher: 'Alfred A. Knopf',
    }),
    'Lahiri, Jhumpa. 2016. *In Other Words*. Translated by Ann Goldstein. New York: Alfred A. Knopf.',
    '(Lahiri 2016)',
  ],
  [
    'an article with a month',
    source({
      type: 'article',
      title: 'Livy and the Pax Deum',
      authors: names('Satterfield, Susan'),
      date: date(2016, 4),
      containerTitle: 'Classical Philology',
      volume: '111',
      issue: '2',
      pages: '165–176',
    }),
    'Satterfield, Susan. 2016. “Livy and the Pax Deum.” *Classical Philology* 111, no. 2 (April): 165–76.',
    '(Satterfield 2016)',
  ],
  [
    'an article of three authors with a season',
    source({
      type: 'article',
      title:
        'Expanding College Access in Taiwan, 1978–2014: Effects on Graduate Quality and Income Inequality',
      authors: names('Keng, Shao-Hsun', 'Lin, Chun-Hung', 'Orazem, Peter F.'),
      date: { year: 2017, month: null, day: null, season: 'spring' },
      containerTitle: 'Journal of Human Capital',
      volume: '11',
      issue: '1',
      pages: '1-34',
      doi: '10.1086/690235',
    }),
    'Keng, Shao-Hsun, Chun-Hung Lin, and Peter F. Orazem. 2017. “Expanding College Access in Taiwan, 1978–2014: Effects on ' +
      'Graduate Quality and Income Inequality.” *Journal of Human Capital* 11, no. 1 (Spring): 1–34. ' +
      'https://doi.org/10.1086/690235.',
    '(Keng, Lin, and Orazem 2017)',
  ],
  [
    'an article from a database',
    source({
      type: 'article',
      title: 'Conundrum: A Story about Reading',
      authors: names('LaSalle, Peter'),
      date: date(2017),
      containerTitle: 'New England Review',
      volume: '38',
      issue: '1',
      pages: '95–109',
      database: 'Project MUSE',
    }),
    'LaSalle, Peter. 2017. “Conundrum: A Story about Reading.” *New England Review* 38 (1): 95–109. Project MUSE.',
    '(LaSalle 2017)',
  ],
  [
    'an article of nine authors',
    source({
      type: 'article',
      title:
        'Predicting Responses to Contemporary Environmental Change Using Evolutionary Response Architectures',
      authors: names(
        'Bay, Rachael A.',
        'Rose, Noah',
        'Barrett, Rowan',
        'Bernatchez, Louis',
        'Ghalambor, Cameron K.',
        'Lasky, Jesse R.',
        'Brem, Rachel B.',
        'Palumbi, Stephen R.',
        'Ralph, Peter',
      ),
      date: date(2017, 5),
      containerTitle: 'American Naturalist',
      volume: '189',
      issue: '5',
      pages: '463–473',
      doi: '10.1086/691233',
    }),
    'Bay, Rachael A., Noah Rose, Rowan Barrett, Louis Bernatchez, Cameron K. Ghalambor, Jesse R. Lasky, Rachel B. Brem, ' +
      'Stephen R. Palumbi, and Peter Ralph. 2017. “Predicting Responses to Contemporary Environmental Change Using Evolutionary ' +
      'Response Architectures.” *American Naturalist* 189, no. 5 (May): 463–73. https://doi.org/10.1086/691233.',
    '(Bay et al. 2017)',
  ],
  [
    'an article of a magazine',
    source({
      type: 'article',
      periodical: 'magazine',
      title: 'The Prophet of Dystopia',
      authors: names('Mead, Rebecca'),
      date: date(2017, 4, 17),
      containerTitle: 'New Yorker',
    }),
    'Mead, Rebecca. 2017. “The Prophet of Dystopia.” *New Yorker*, April 17, 2017.',
    '(Mead 2017)',
  ],
  [
    'an article of a newspaper',
    source({
      type: 'article',
      periodical: 'newspaper',
      title: 'Snap Makes a Bet on the Cultural Supremacy of the Camera',
      authors: names('Manjoo, Farhad'),
      date: date(2017, 3, 8),
      containerTitle: 'New York Times',
      url: 'https://www.nytimes.com/2017/03/08/technology/snap-makes-a-bet-on-the-cultural-supremacy-of-the-camera.html',
    }),
    'Manjoo, Farhad. 2017. “Snap Makes a Bet on the Cultural Supremacy of the Camera.” *New York Times*, March 8, 2017. ' +
      'https://www.nytimes.com/2017/03/08/technology/snap-makes-a-bet-on-the-cultural-supremacy-of-the-camera.html.',
    '(Manjoo 2017)',
  ],
  [
    'a page without a date',
    source({
      type: 'website',
      title: 'About Yale: Yale Facts',
      authors: names('Yale University'),
      containerTitle: 'Yale University',
      url: 'https://www.yale.edu/about-yale/yale-facts',
      accessed: date(2017, 5, 1),
    }),
    'Yale University. n.d. “About Yale: Yale Facts.” Accessed May 1, 2017. https://www.yale.edu/about-yale/yale-facts.',
    '(Yale University n.d.)',
  ],
  [
    'a dissertation',
    source({
      type: 'thesis',
      title: 'King Lear and Its Folktale Analogues',
      genre: 'PhD diss.',
      authors: names('Rutz, Cynthia Lillian'),
      date: date(2013),
      publisher: 'University of Chicago',
    }),
    'Rutz, Cynthia Lillian. 2013. “King Lear and Its Folktale Analogues.” PhD diss., University of Chicago.',
    '(Rutz 2013)',
  ],
];

describe('chicagoCitation', () => {
  it.each(PUBLISHED)('writes %s as the manual prints it', (_, given, expected, inText) => {
    const citation = chicagoCitation(given, '');
    expect(citation.text).toBe(expected.replaceAll('*', ''));
    expect(citation.html).toBe(expected.replaceAll('&', '&amp;').replaceAll(/\*([^*]*)\*/g, '<i>$1</i>'));
    expect(citation.in_text?.parenthetical).toBe(inText);
  });

  it('names up to ten authors, and of more the first seven', () => {
    const of = (count: number) => {
      const written = Array.from({ length: count }, (_, index) => `N${index + 1}, Ada`);
      return chicagoCitation(source({ type: 'book', title: 'T', authors: names(...written) }), '').text;
    };
    expect(of(10)).toMatch(/^N1, Ada, Ada N2, .*Ada N9, and Ada N10\. n\.d\. T\.$/);
    expect(of(11)).toMatch(/^N1, Ada, Ada N2, .*Ada N7, et al\. n\.d\. T\.$/);
  });

  it('puts the title first where nobody is named', () => {
    const book = source({ type: 'book', title: 'Beowulf', date: date(1999) });
    expect(chicagoCitation(book, '')).toMatchObject({
      text: 'Beowulf. 1999.',
      in_text: { parenthetical: '(Beowulf 1999)', narrative: 'Beowulf (1999)' },
    });
  });
});
