import { statisticsIn } from './paper-analysis';

describe('statisticsIn', () => {
  it('leaves the bracket that encloses a mean and its deviation', () => {
    const text = 'They were cooler (M = 29.1, SD = 2.4) and drier, M = 3.1 (SD = 0.4).';
    expect(statisticsIn(text).map((each) => [each.text, each.deviation])).toEqual([
      ['M = 29.1, SD = 2.4', 2.4],
      ['M = 3.1 (SD = 0.4)', 0.4],
    ]);
  });
});
