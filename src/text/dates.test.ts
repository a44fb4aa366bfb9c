import { casesOf } from '../../test/support/texts/text-cases';
import { datesIn } from './dates';

describe('datesIn', () => {
  it('reads a year of two digits as one to come behind words that say so', () => {
    const text = 'Die Laufzeit geht bis 31.12.55; it expires: 12/31/60, with maturity 15-Jun-51.';
    expect(datesIn(text).map(({ date }) => date)).toEqual(['2055-12-31', '2060-12-31', '2051-06-15']);
    for (const lead of ['due', 'due on', 'due by', 'Expiry date:', 'expiring', 'fällig am', 'Maturity:\n']) {
      expect([lead, datesIn(`${lead} 12.12.60`)[0]?.date]).toEqual([lead, '2060-12-12']);
    }
    const ranges =
      'von 1.5.52 bis 31.12.55, 15-Jun-51 until 15-Jun-54, 1.5.1952 bis 31.12.55, 1.5.26 bis 31.12.55';
    expect(datesIn(ranges).map(({ date }) => date?.slice(0, 4))).toEqual(
      '1952 1955 1951 1954 1952 1955 2026 2055'.split(' '),
    );
  });

  it.each([
    ['2026-03-01', '2026-03-01'],
    ['2026-03', '2026-03'],
    ['2026/3/1', '2026-03-01'],
    ['1 March 2026', '2026-03-01'],
    ['1st of March, 2026', '2026-03-01'],
    ['1st day of March, 2026', '2026-03-01'],
    ['March 1, 2026', '2026-03-01'],
    ['March 1st 2026', '2026-03-01'],
    ['MARCH 1, 2026', '2026-03-01'],
    ['Sept. 30, 2025', '2025-09-30'],
    ['Mar 2026', '2026-03'],
    ['March 5', null],
    ['5 May', null],
    ['01.03.2026', '2026-03-01'],
    ['1. März 2026', '2026-03-01'],
    ['1er mars 2026', '2026-03-01'],
    ['14 août 2025', '2025-08-14'],
    ['1 de marzo de 2026', '2026-03-01'],
    ['25/12/2026', '2026-12-25'],
    ['12/25/2026', '2026-12-25'],
    ['03/04/2026', null],
    ['29 February 2028', '2028-02-29'],
    ['March\n  1, 2026', '2026-03-01'],
    ['[Mar] 1, 2026', '2026-03-01'],
    ['Mar-01-2026', '2026-03-01'],
    ['1/Mar/2026', '2026-03-01'],
    ['1-Mar-26', '2026-03-01'],
    ['12.05.68', '1968-05-12'],
    ['May ’98', '1998-05'],
    ['25. junija 1991', '1991-06-25'],
    ['2026 March 1', '2026-03-01'],
    ['2026-3-1', '2026-03-01'],
    ['1 . 3 . 2026', '2026-03-01'],
    ['14 October 1066', '1066-10-14'],
    ['1 de marzo del año 2026', '2026-03-01'],
    ['1ste maart 2026', '2026-03-01'],
    ['1. Maerz des Jahres 2026', '2026-03-01'],
    ['2026. március 1', '2026-03-01'],
    ['2026. gada 1. martā', '2026-03-01'],
    ['2011 წლის 17 მარტი', '2011-03-17'],
    ['марте 2026', '2026-03'],
    ['28. u studenom 2017', '2017-11-28'],
    ['5 KASIM 2014', '2014-11-05'],
    ['25শে ফেব্রুয়ারী 2026', '2026-02-25'],
    ['28 दिसम्बर 2026', '2026-12-28'],
    ['२८ फ़रवरी २०२६', '2026-02-28'],
    ['1 كانون الثاني 2026', '2026-01-01'],
    ['11 ก.พ. 2020', '2020-02-11'],
    ['1 tháng 3 năm 2026', '2026-03-01'],
    ['tháng hai năm 1974', '1974-02'],
    ['二〇二六年十月二十三日', '2026-10-23'],
  ])('reads %j', (written, date) => {
    const text = `They met on ${written}, at noon.`;
    const start = text.indexOf(written);
    expect(datesIn(text)).toEqual([{ text: written, start, end: start + written.length, date }]);
  });

  it.each([
    '30 February 2026',
    '2026-02-30',
    '2026-13-01',
    'may 5 people',
    'version 1.2.2026.4',
    '0412-2026-03-011',
    'mar 3 times',
    'I may come',
    'in 2026',
    '555-12-2026-77',
    'des Jahres 2014',
    'sau năm 1850',
    'the antigen Tra-1-60',
    '12 Martin 2014',
    'scores of 10 - 12 - 14',
    '\ue003 5 2014',
  ])('finds no date in %j', (text) => {
    expect(datesIn(text)).toEqual([]);
  });

  it('finds the dates of a row whose cells have commas between them', () => {
    const text = 'Rope,12,2026-03-01,15.5\nSail,"USD 1,250.00",2026-03-02\n';
    expect(datesIn(text).map(({ date }) => date)).toEqual(['2026-03-01', '2026-03-02']);
  });

  it.each([
    ['from 28 September to 2 October 2026', ['2026-09-28', '2026-10-02']],
    ['December 20 – January 6, 2027', ['2026-12-20', '2027-01-06']],
    ['vom 28. September bis zum 2. Oktober 2026', ['2026-09-28', '2026-10-02']],
    ['by 5 May. On 7 June 2026', [null, '2026-06-07']],
    ['12/03/2026 to 5 May 2026', [null, '2026-05-05']],
    ['in March and June 2023', ['2023-03', '2023-06']],
    ['May–July 2021', ['2021-05', '2021-07']],
    ['von November bis Februar 2024', ['2023-11', '2024-02']],
    ['December and February 2024', [null, '2024-02']],
    ['March, April, and June 2023', ['2023-03', '2023-04', '2023-06']],
    ['January 1, May 25 and December 25, 2025', ['2025-01-01', '2025-05-25', '2025-12-25']],
    ['on 5 May, 7 June 2026', [null, '2026-06-07']],
    ['Leistung 1.3.–31.3.2025', ['2025-03-01', '2025-03-31']],
    ['1.3.-31.3.2025, 01.04.-30.04.25', ['2025-03-01', '2025-03-31', '2025-04-01', '2025-04-30']],
    ['am 1.3., 5.3. und 7.3.2025', ['2025-03-01', '2025-03-05', '2025-03-07']],
    ['node 4.2 or 4.9.50, Python 3.8 to 3.11.10, Python 3.8-3.11.10', ['1950-09-04', '2010-11-03']],
    ['Figures 1, 2, 3 and 4 March 2020', ['2020-03-04']],
    ['30, 31 and 1 April 2025', ['2025-04-01']],
    ['April 30, 31 and 1, 2025', ['2025-04-30']],
    ['с 3 по 5 августа 2022 года', ['2022-08-03', '2022-08-05']],
    [
      '3 t/m 5 augustus 2022, den 3 till den 5 maj 2022',
      ['2022-08-03', '2022-08-05', '2022-05-03', '2022-05-05'],
    ],
    ['am 5., 12. und 19. Mai 2025', ['2025-05-05', '2025-05-12', '2025-05-19']],
    ['May 5, 12 and 19, 2025', ['2025-05-05', '2025-05-12', '2025-05-19']],
    ['le 2 et le 3 juin 2024', ['2024-06-02', '2024-06-03']],
  ])('takes the year of the end of a range or list for its beginning: %s', (text, dates) => {
    expect(datesIn(text).map(({ date }) => date)).toEqual(dates);
  });

  it.each([
    ['May 5, 12 and 19 people left', ['May 5']],
    ['May 5, 12 and 19, 2025', ['May 5', '12', '19, 2025']],
    ['3 to 9 May', ['3', '9 May']],
  ])('gives the places of a list in order, none in another: %s', (text, places) => {
    const found = datesIn(text);
    expect(found.map((date) => date.text)).toEqual(places);
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(places);
  });

  it.each([
    ['06/2015 – 02/2020 Engineer', ['2015-06', '2020-02']],
    ['12.2019-03.2021 and 03/2021 to present', ['2019-12', '2021-03', '2021-03']],
    ['ratio 06/2015, page 02/2020', []],
    ['at 1.2000 – 1.2050 V, from 3.2000-12.2000', []],
    ['version 06/2015 – 07/2016, Nos. 3/2020 to 5/2020, Ley 3/2018 a 5/2019', []],
    ['13/06/2015 – 2/2020/3', ['2015-06-13']],
  ])('reads months in digits in a range alone: %s', (text, dates) => {
    expect(datesIn(text).map(({ date }) => date)).toEqual(dates);
  });

  it('keeps a date and time, and the order of several dates', () => {
    const text = 'From 2026-03-01T10:00:00Z until May 2, 2027 (signed 3 Jan 2026).';
    expect(datesIn(text).map(({ date }) => date)).toEqual(['2026-03-01', '2027-05-02', '2026-01-03']);
  });

  it.each([
    ['Due **5** May **2026**.', '5** May **2026', '2026-05-05'],
    ['_5 May_ 2026', '5 May_ 2026', '2026-05-05'],
    ['am\u00a05.\u00a0Mai\u00a02026', '5.\u00a0Mai\u00a02026', '2026-05-05'],
    ['Wed Aug 05 12:00:00 2015', 'Aug 05 12:00:00 2015', '2015-08-05'],
    ['2015-кві-12', '2015-кві-12', '2015-04-12'],
    ['13 авг. 2005г.', '13 авг. 2005', '2005-08-13'],
  ])('reads %j, whose words it gives as they stand there', (text, written, date) => {
    const found = datesIn(text);
    expect(found.map((each) => [each.text, each.date])).toEqual([[written, date]]);
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual([written]);
  });

  it.each([
    ['On 5 May 1200 people came.', [null]],
    ['In 2014, 5 May 2015 was far.', ['2015-05-05']],
    ['It began in 2014. March 5 was a Monday.', [null]],
    ['Born in 2007. 8.10. is the day.', []],
    ['The season 2001-02年', []],
    ['于2016-04-22开会', ['2016-04-22']],
    ['۲۳/۰۴/۸۵', []],
  ])('does not take a number beside a date of %j for its part', (text, dates) => {
    expect(datesIn(text).map(({ date }) => date)).toEqual(dates);
  });

  it('takes the beginning of a month for it only beside a year', () => {
    expect(datesIn('see 5 list entries, and 12 list 2020')).toMatchObject([{ date: '2020-11-12' }]);
  });

  it('reads the date behind the number of one version', () => {
    expect(datesIn('Version 1.2, 03.05.2024')).toMatchObject([{ date: '2024-05-03' }]);
  });

  it('reads Hebrew days and months with their prepositions', () => {
    expect(datesIn('החוזה נחתם ב-14 במרץ 2022')).toMatchObject([
      { date: '2022-03-14', text: '14 במרץ 2022' },
    ]);
  });

  it.each(['versions 1.2 and 1.3.24', 'Versions 2.0, 2.1 or 2.2.10', 'releases 1.2–1.3.24'])(
    'finds none in %s',
    (text) => {
      expect(datesIn(text)).toEqual([]);
    },
  );

  it.each(casesOf<{ text: string; dates: string[] }>('dates'))(
    'finds all dates of $text',
    ({ text, dates }) => {
      const found = datesIn(text);
      expect(found.map(({ date }) => date)).toEqual(dates);
      expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(found.map((each) => each.text));
    },
  );

  it.each([
    'See chapter 12.3.45.',
    'Sections 4.1.20 and 4.1.21 apply.',
    '§ 3.4.12 gilt',
    'Abb. 4.5.12 zeigt',
    'siehe Kapitel 3.4.22',
    'Art. 5.6.19',
    'punto 3.1.22',
  ])('takes the number of a part for no date: %s', (text) => {
    expect(datesIn(text)).toEqual([]);
  });

  it('finds a date behind a part that has no number', () => {
    const text = 'The chapter of 12.3.24 was closed on 3.4.22; section 12.3.2024';
    expect(datesIn(text).map(({ date }) => date)).toEqual(['2024-03-12', '2022-04-03', '2024-03-12']);
  });
});
