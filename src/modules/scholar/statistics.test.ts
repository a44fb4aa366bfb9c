import { statisticsIn } from './paper-analysis';

describe('statisticsIn', () => {
  it('leaves the bracket that encloses a mean and its deviation', () => {
    const text = 'They were cooler (M = 29.1, SD = 2.4) and drier, M = 3.1 (SD = 0.4).';
    expect(statisticsIn(text).map((each) => [each.text, each.deviation])).toEqual([
      ['M = 29.1, SD = 2.4', 2.4],
      ['M = 3.1 (SD = 0.4)', 0.4],
    ]);
  });

  it.each([
    ['p = 0,03', 0.03],
    ['p<0,001', 0.001],
    ['p = 1.2 × 10−5', 1.2e-5],
    ['p < 2,5 x 10⁻⁶', 2.5e-6],
    ['p = 3e-8', 3e-8],
    ['M = 3,45', 3.45],
    ['M = 12,345.6', 12345.6],
    ['t(28) = 2,31', 2.31],
    ['F(2,57) = 4,12', 4.12],
    ['12,5 %', 12.5],
  ])('reads %j', (text, value) => {
    expect(statisticsIn(`So ${text}, and`).map((each) => [each.text, each.value])).toEqual([[text, value]]);
  });

  it('reads decimal commas only where the text has no decimal points, and none in lists', () => {
    const values = (text: string) => statisticsIn(text).map(({ value }) => value);
    expect(values('With p = .03, M = 12,15 and M=20,3 groups.')).toEqual([0.03, 12, 20]);
    expect(values('M = 5,10, and 15; M = 3,45 alone')).toEqual([5, 3.45]);
    expect(values('With 35.2% of men, M = 12,15.')).toEqual([35.2, 12]);
    expect(values('M = 5,10 and 15; M = 5,10, 15, 20; M = 5,10,15')).toEqual([5, 5, 5]);
    expect(values('M = 3,45, 3,67 and 4,1; M = 2,31 und 4,5; M = 7,25 and SD = 1')).toEqual([
      3.45, 2.31, 7.25,
    ]);
    expect(values('M = 3,45, 95% CI [2,1; 4,3]')).toEqual([3.45, 95]);
  });

  it('reads the bounds of intervals, and takes no mark of a range for a sign', () => {
    const text = '95% CI [0,1; 0,52], 95% CI [0,5], 95% CI 1,2 to 3,4 and 12,5%-15,3%';
    expect(statisticsIn(text).map(({ value, low, high }) => [value, low, high])).toEqual([
      [95, 0.1, 0.52],
      [95, 0, 5],
      [95, 1.2, 3.4],
      [12.5, null, null],
      [15.3, null, null],
    ]);
  });
});
