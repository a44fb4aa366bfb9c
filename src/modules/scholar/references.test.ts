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

  it.each(casesOf<Reference>('references'))('reads $style', ({ text, year, title, authors, doi }) => {
    const { references } = analysisOf(`# References\n\n${text}`);
    expect(references.map((each) => [each.year, each.title, each.authors.length, each.doi])).toEqual([
      [year, title, authors, doi ?? null],
    ]);
  });
});
