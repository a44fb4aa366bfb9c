import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'cheerio';
import { parse } from 'csv-parse/sync';
import { casesOf } from '../../test/support/texts/text-cases';
import { amountsIn } from './amounts';
import { datesIn } from './dates';
import { entitiesIn } from './entities';
import { outlineOf } from './outline';
import type { EntityType } from './places';
import { keywords, summaryOf } from './summary';
import { keyValuesIn, tablesIn } from './tables';
import { textStatistics } from './text-statistics';

const fixture = (name: string) => readFileSync(join(__dirname, '../../test/fixtures/advanced', name), 'utf8');
const entities = (text: string, type: EntityType) => [
  ...new Set(entitiesIn(text).flatMap((entity) => (entity.type === type ? [entity.text] : []))),
];

interface Letter {
  id: string;
  text: string;
  facts: {
    dates: string[];
    amounts: string[];
    persons?: string[];
    organizations?: string[];
    emails?: string[];
    phones?: string[];
    key_values?: Record<string, string>;
  };
}

describe('letters and an invoice', () => {
  it.each(casesOf<Letter>('letters'))(
    '$id: all facts, and persons and addresses no others',
    ({ text, facts }) => {
      const pairs = new Map(keyValuesIn(text).map(({ key, value }) => [key, value]));
      const { key_values: told = {}, dates, amounts, ...named } = facts;
      expect(datesIn(text).map(({ date }) => date)).toEqual(dates);
      expect(amountsIn(text).map(({ amount, currency }) => `${currency} ${amount}`)).toEqual(
        amounts.map((amount): unknown => expect.stringMatching(new RegExp(`^${amount}0*$`))),
      );
      expect(Object.keys(told).map((key) => [key, pairs.get(key)])).toEqual(Object.entries(told));
      const found = (type: EntityType) => entities(text, type);
      const { persons, organizations, emails = [], phones = [] } = named;
      expect([found('email'), found('phone')]).toEqual([emails, phones]);
      expect(found('person')).toEqual(persons ?? []);
      expect(found('organization')).toEqual(expect.arrayContaining(organizations ?? []));
    },
  );
});

describe('a press release', () => {
  const text = fixture('press-release.txt');

  it('names its dates and amounts, all of them and no others', () => {
    expect(datesIn(text).map(({ date }) => date)).toEqual([
      '2026-09-14',
      '2028-03',
      '2026-07-02',
      '2026-11-01',
    ]);
    expect(amountsIn(text).map(({ amount, currency }) => `${currency} ${amount}`)).toEqual([
      'EUR 48500000.00',
      'USD 12750000.00',
    ]);
  });

  it('names its persons, organisations and places, and no wrong ones', () => {
    expect(entities(text, 'person')).toEqual(['Ingrid Halvorsen', 'Samuel Okafor', 'Lena Brandt']);
    expect(entities(text, 'organization')).toEqual([
      'Northwind Solar GmbH',
      'Harbor Grid Partners, Inc.',
      'Northwind Solar',
      'Harbor Grid Partners',
    ]);
    expect(entities(text, 'location')).toEqual(['Rotterdam', 'Netherlands', 'Germany', 'Denmark', 'Hamburg']);
  });

  it('names percentages, durations, and how to reach its author', () => {
    const values = entitiesIn(text).map(({ type, value }) => `${type} ${value}`);
    expect(values).toEqual(
      expect.arrayContaining([
        'percentage 60',
        'percentage 40',
        'percentage 18.4',
        'duration P30D',
        'email press@northwind-solar.example',
        'phone +494055501234',
        'url https://www.northwind-solar.example/press',
        'identifier PR-2026-0914',
      ]),
    );
    expect(keyValuesIn(text).map(({ key }) => key)).toEqual([
      'Media contact',
      'Email',
      'Phone',
      'Web',
      'Reference',
    ]);
  });

  it('is summed up by what it announces', () => {
    const { text: summary } = summaryOf(text, { sentencesMax: 3 });
    expect(summary).toMatch(/Northwind Solar/);
    expect(summary).toMatch(/plant/);
    expect(keywords(text, 8).map((keyword) => keyword.text)).toEqual(
      expect.arrayContaining(['Northwind Solar', 'battery plant', 'Rotterdam']),
    );
    expect(textStatistics(text).readingLevel).toBe('standard');
  });
});

describe('notes of a meeting', () => {
  const text = fixture('meeting-notes.md');

  it('have an outline, a table and pairs of names and values', () => {
    expect(outlineOf(text).map(({ level, title }) => `${level} ${title}`)).toEqual([
      '1 Product meeting, 12 May 2026',
      '2 Release 3.2',
      '2 Budget',
      '3 Open questions',
      '2 Decisions',
    ]);
    expect(tablesIn(text)).toMatchObject([
      {
        header: ['Item', 'Owner', 'Due', 'Cost'],
        rows: [
          ['Import', 'Tom', '2026-05-20', '0'],
          ['Review', 'Mei', '2026-06-03', '4,500'],
          ['Help pages', 'Ana', '2026-06-10', '1,200'],
        ],
      },
    ]);
    expect(keyValuesIn(text).map(({ key }) => key)).toEqual([
      'Attendees',
      'Location',
      'Time',
      'Next meeting',
    ]);
  });

  it('name who was there, when, and what was spent', () => {
    expect(entities(text, 'person')).toEqual(['Ana Lima', 'Tom Ruiz', 'Mei Tanaka']);
    expect(entities(text, 'time')).toEqual(['14:00', '15:30']);
    expect(new Set(datesIn(text).map(({ date }) => date))).toEqual(
      new Set(['2026-05-12', '2026-05-26', '2026-05-20', '2026-06-03', '2026-06-10', '2026-05-15']),
    );
    expect(amountsIn(text).map(({ amount }) => amount)).toEqual(['8000.00', '5250.50']);
  });
});

describe('a table of sales', () => {
  const text = fixture('sales.csv');

  it('is read as a reader of CSV does', () => {
    const [header, ...rows] = parse(text);
    expect(tablesIn(text)).toEqual([{ start: 0, end: text.trimEnd().length, header, rows }]);
  });

  it('names its dates, customers and orders', () => {
    expect(datesIn(text)).toHaveLength(5);
    expect(entities(text, 'organization')).toEqual(
      expect.arrayContaining(['Fjord Foods AS', 'Alpine Tools AG']),
    );
    expect(entities(text, 'identifier')).toEqual(['SO-1001', 'SO-1002', 'SO-1003', 'SO-1004', 'SO-1005']);
  });
});

describe('the text of a web page', () => {
  const page = load(fixture('web-page.html'));
  page('script, style, title').remove();
  const text = page('body').text();

  it('names opening hours, fees and the contact, and nothing of its scripts', () => {
    expect(
      entitiesIn(text)
        .filter(({ type }) => type === 'time')
        .map(({ value }) => value),
    ).toEqual(['09:30', '18:00']);
    expect(amountsIn(text).map(({ amount, currency }) => `${currency} ${amount}`)).toEqual([
      'GBP 12.00',
      'GBP 0.25',
      'GBP 5.00',
    ]);
    expect(entities(text, 'person')).toEqual(['Harriet Doyle']);
    expect(entities(text, 'location')).toEqual(['27 Station Road']);
    expect(entities(text, 'email')).toEqual(['desk@millbrook-library.example']);
    expect(datesIn(text)).toEqual([]);
  });
});
