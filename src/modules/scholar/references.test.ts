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
  it.each(casesOf<Reference>('references'))('reads $style', ({ text, year, title, authors, doi }) => {
    const { references } = analysisOf(`# References\n\n${text}`);
    expect(references.map((each) => [each.year, each.title, each.authors.length, each.doi])).toEqual([
      [year, title, authors, doi ?? null],
    ]);
  });
});
