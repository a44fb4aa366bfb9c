import { keyValuesIn } from './tables';

describe('keyValuesIn', () => {
  it('reads lines of a name and its value', () => {
    const text = 'Invoice No.: 4711\n- **Due date:** 2026-03-01\nTotal (EUR): 5: five\nVAT (25%): 3 NOK\n';
    const found = keyValuesIn(text);
    expect(found.map(({ key, value }) => [key, value])).toEqual([
      ['Invoice No.', '4711'],
      ['Due date', '2026-03-01'],
      ['Total (EUR)', '5: five'],
      ['VAT (25%)', '3 NOK'],
    ]);
    expect(text.slice(found[1]?.start, found[1]?.end)).toBe('Due date:** 2026-03-01');
  });

  it('reads all pairs of a line whose columns stand apart', () => {
    const text =
      'Patient: James R. Caldwell    DOB: 07/22/1958\tMRN: 00482913\nNote: two  spaces, at 5: ten\nSubject:   Plan: B';
    const found = keyValuesIn(text);
    expect(found.map(({ key, value }) => [key, value])).toEqual([
      ['Patient', 'James R. Caldwell'],
      ['DOB', '07/22/1958'],
      ['MRN', '00482913'],
      ['Note', 'two  spaces, at 5: ten'],
      ['Subject', 'Plan: B'],
    ]);
    expect(found.map(({ start, end }) => text.slice(start, end))[1]).toBe('DOB: 07/22/1958');
  });

  it('needs no space behind a wide colon, but reads no sentence', () => {
    expect(keyValuesIn('氏名：山田太郎\n他说：我们必须努力。\n经理说：“同意。”')).toMatchObject([
      { key: '氏名', value: '山田太郎' },
    ]);
  });

  it.each([
    'http://example.com is it',
    'at 10:30 it began',
    'we agreed: no',
    'Empty:',
    'So this is what all of us said then: no',
  ])('finds none in %j', (text) => {
    expect(keyValuesIn(text)).toEqual([]);
  });
});
