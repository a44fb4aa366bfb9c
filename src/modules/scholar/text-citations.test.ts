import { analysisOf } from './paper-analysis';

describe('textCitationsIn', () => {
  it('takes "[2]–[4]" for a range, and "[2], [4]" for none', () => {
    const references = [
      '[1] A. Bo, "One," 2001.',
      '[2] C. Do, "Two," 2002.',
      '[3] E. Fo, "Three," 2003.',
    ].join('\n');
    const { citations } = analysisOf(
      `Known [1]-[3]. Others [1] – [3] agree [1], [3].\n\nREFERENCES\n${references}\n`,
    );
    expect(citations.map(({ text, references: cited }) => [text, cited])).toEqual([
      ['[1]-[3]', [0, 1, 2]],
      ['[1] – [3]', [0, 1, 2]],
      ['[1]', [0]],
      ['[3]', [2]],
    ]);
  });

  it('joins a saint to the name behind', () => {
    const text = 'As St. John and Doe (2014) say, glass flows (St. John & Doe, 2014).';
    const list = 'St. John, W., & Doe, A. (2014). Rivers of glass. Nature, 3(1), 1–9.';
    const { citations } = analysisOf(`${text}\n\n# References\n\n${list}`);
    expect(citations.map((each) => [each.text, each.references])).toEqual([
      ['St. John and Doe (2014)', [0]],
      ['(St. John & Doe, 2014)', [0]],
    ]);
  });
});
