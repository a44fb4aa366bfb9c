import { casesOf } from '../../../test/support/texts/text-cases';
import { analysisOf } from './paper-analysis';

interface Reference {
  style: string;
  text: string;
  year: string;
  title: string;
  authors: number;
  doi?: string;
}

describe('analysisOf a reference', () => {
  it.each([
    ['Smith, J. “Title of the Work.” Press, 2012, www.x.example. Accessed 3 May 2021.', '2012'],
    ['Smith J. Title of it. Press; 2015 [cited 2021 May 3]. Available from: https://x.example', '2015'],
    ['Smith, J. Title of the work. Retrieved May 3, 2021, from https://x.example', null],
    ['Smith, J.: Titel. Verlag, 2011. Abgerufen am 3. Mai 2021.', '2011'],
    ['World Bank. Growth of cities. 2018. (accessed 4 June 2022).', '2018'],
  ])('takes no year of access for that of publication: %s', (text, year) => {
    expect(analysisOf(`# References\n\n${text}`).references.map((each) => each.year)).toEqual([year]);
  });

  it.each([
    ['Orwell, G. (1949). 1984. Secker & Warburg.', '1949', '1984'],
    ['Reyes, A. M. (2019). Is it? A test. Urban Studies, 12(3), 45–67.', '2019', 'Is it? A test'],
    ['Reyes, A. M. (2019). Is it? Urban Studies, 12(3), 45–67. Online first.', '2019', 'Is it?'],
    ['Reyes, A. M. (2019). Is it? Delta Press.', '2019', 'Is it?'],
    ["Ng, A. and Oe, B. (2013) 'Women's work', Labour Review, 5(2), pp. 1–12.", '2013', "Women's work"],
    ['Ng, A. (2013) ‘Rain’, Labour Review, 5(2), pp. 1–12.', '2013', 'Rain'],
    ['Reyes AM. Is it? N Engl J Med. 2002;347(4):284-7.', '2002', 'Is it?'],
    ['Orwell, George. 1984. Secker & Warburg, 1949.', '1949', '1984'],
    ['Mann, Charles C. 2005. 1491: New Revelations. New York: Knopf.', '2005', '1491: New Revelations'],
    ['Smith, Ann. 2019. Growth until 2015. Chicago: Lake Press.', '2019', 'Growth until 2015'],
    ['Smith, A., & Lee, B. Part 1 of it. Lake Press, 2012.', '2012', 'Part 1 of it'],
    ['Illies, Florian: 1913. Der Sommer. Frankfurt: S. Fischer, 2012.', '2012', '1913'],
    [
      'Müller, K.: Der Vertrag (1871) und mehr. Berlin: Duncker, 1999.',
      '1999',
      'Der Vertrag (1871) und mehr',
    ],
    ['Mann, G. (1958): Das 18. und 19. Jahrhundert. Fischer.', '1958', 'Das 18. und 19. Jahrhundert'],
    ['Woolf, V. A Room. 1929. Harcourt, 1989.', '1989', 'A Room'],
    ['Kim J, Park S. Survival, 2000 to 2015. Lancet. 2017;390:211-20.', '2017', 'Survival, 2000 to 2015'],
    [
      'Ferris, Anna. “The Crash (1929) Revisited.” History, vol. 4, 2010.',
      '2010',
      'The Crash (1929) Revisited',
    ],
  ])('keeps the numbers of a title: %s', (text, year, title) => {
    const [reference] = analysisOf(`# References\n\n${text}`).references;
    expect([reference?.year, reference?.title]).toEqual([year, title]);
  });

  it.each([
    ['Müller, Hans; Schmidt, Karl (1999): Die Ordnung. Berlin: Springer.', ['Müller, Hans', 'Schmidt, Karl']],
    ['Müller, Hans und Karl Schmidt: Die Ordnung. Berlin: Springer 1999.', ['Müller, Hans', 'Karl Schmidt']],
    ['St. John, W., & Doe, A. (2014). Rivers of glass. Nature, 3(1), 1–9.', ['St. John, W.', 'Doe, A.']],
    ['Kowalski, St., & Doe, A. (2014). Rivers of glass. Nature, 3(1), 1–9.', ['Kowalski, St.', 'Doe, A.']],
    ['W. St. John and A. Doe, "Rivers of glass," Nature, vol. 3, 2014.', ['W. St. John', 'A. Doe']],
    ['K. He, X. Zhang, and J. Sun, Deep learning, in: CVPR, 2016.', ['K. He', 'X. Zhang', 'J. Sun']],
  ])('names each author: %s', (text, authors) => {
    expect(analysisOf(`# References\n\n${text}`).references.map((each) => each.authors)).toEqual([authors]);
  });

  it.each(casesOf<Reference>('references'))('reads $style', ({ text, year, title, authors, doi }) => {
    const { references } = analysisOf(`# References\n\n${text}`);
    expect(references.map((each) => [each.year, each.title, each.authors.length, each.doi])).toEqual([
      [year, title, authors, doi ?? null],
    ]);
  });
});
