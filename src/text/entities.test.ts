import { entitiesIn } from './entities';
import type { EntityType } from './places';

const of = (text: string, type: EntityType) =>
  entitiesIn(text)
    .filter((entity) => entity.type === type)
    .map((entity) => entity.text);
const values = (text: string) => entitiesIn(text).map(({ type, value }) => [type, value]);

describe('entitiesIn', () => {
  it.each([
    ['name,share,rooms\nAcme,12 %,80\nBlue,7 %,9', ['12', '7']],
    ['Acme,12 %,80', ['12']],
    ['It grew by 80,12 %.', ['80.12']],
    ['name,at,for,by\nAnna Becker,10:30,5 days,ada@x.org', [null, '10:30', 'P5D', 'ada@x.org']],
  ])('finds what stands in the cells of %j', (text, expected) => {
    const found = entitiesIn(text);
    expect(found.map(({ value }) => value)).toEqual(expected);
    expect(found.every((place) => place.text === text.slice(place.start, place.end))).toBe(true);
  });

  it.each([
    ['Mr. John A. Smith met Dr. Li Wei.', ['John A. Smith', 'Li Wei']],
    ['"We grow," said Maria van der Berg, the chief executive.', ['Maria van der Berg']],
    [
      'José Luis Hernández met María del Carmen Pérez López in Madrid, and Hans Peter von der Heide Maria Lopez London.',
      ['José Luis Hernández', 'María del Carmen Pérez López', 'Hans Peter von der Heide', 'Maria Lopez'],
    ],
    ['When Anna Becker left, Tom Ruiz stayed in Berlin.', ['Anna Becker', 'Tom Ruiz']],
    ['Attendees: Kwame Mensah, Ana Lima (chair) and Bo Xu', ['Kwame Mensah', 'Ana Lima', 'Bo Xu']],
    ['Frau Dr. Petra Müller-Lang unterschrieb.', ['Petra Müller-Lang']],
    ["By: Margaret O'Brien, for Ms. D'Angelo", ["Margaret O'Brien", "D'Angelo"]],
    [
      'Sehr geehrter Herr Kollege Dr. Wagner, es grüßt Prof. Dr. med. Andreas Vogt.',
      ['Wagner', 'Andreas Vogt'],
    ],
    ['Attn: Dr. Susan Park, or Mrs. Lee In', ['Susan Park', 'Lee']],
    ['MARIA LOPEZ\nI met JOHN SMITH, PhD.', ['MARIA LOPEZ', 'JOHN SMITH']],
    ['PAUL TEST RESULTS\nIn the GRACE PERIOD a THOMAS GROUP and PETER-PAUL came to ANNA AG.', []],
    ['ALICE SPRINGS and DIANA FOUNTAIN; the San Diego Padres beat the St. Louis Cardinals.', []],
    ['From: Li Wei <li.wei@lane.example>', ['Li Wei']],
    ['The Quick Brown Fox jumped. Happy New Year.', []],
    ['Grace May 5 is here, and Frank Street too.', []],
    ['The Grace Period ends before a Bill Payment.', []],
    ["Mr. Smith's car, Anna Becker’s house", ['Smith', 'Anna Becker']],
  ])('finds the persons of %j', (text, names) => {
    expect(of(text, 'person')).toEqual(names);
  });

  it.each([
    [
      'The Acme Widgets, Inc. and Nordwind GmbH & Co. KG met.',
      ['Acme Widgets, Inc.', 'Nordwind GmbH & Co. KG'],
    ],
    ['When Acme Corp. left, Acme lost. Acmes won.', ['Acme Corp.', 'Acme']],
    [
      'She teaches at the University of Oslo and the Royal Danish Academy.',
      ['University of Oslo', 'Royal Danish Academy'],
    ],
    ['Smith & Sons Ltd sued J.P. Morgan Chase Bank.', ['Smith & Sons Ltd', 'J.P. Morgan Chase Bank']],
    [
      'It was sold by Smith. Nordwind GmbH bought it from Ann Lee of the Bank of America Corp.',
      ['Nordwind GmbH', 'Bank of America Corp.'],
    ],
    ['Bremen. Die Nordkap AG wächst.', ['Nordkap AG']],
    [
      'We pay Bright Consulting LLC. The Meridian Hospital Group owes Acme Inc. nothing.',
      ['Bright Consulting LLC', 'Meridian Hospital Group', 'Acme Inc.'],
    ],
    ['The Company is Limited. Our Company grows.', []],
    ['The University of Oxford and University of Bonn met.', ['University of Oxford', 'University of Bonn']],
    [
      'We serve Meridian Hospital Group. Bright Consulting LLC left the University of Oslo. Kite Energy came.',
      ['Meridian Hospital Group', 'Bright Consulting LLC', 'University of Oslo', 'Kite Energy'],
    ],
  ])('finds the organisations of %j', (text, names) => {
    expect(of(text, 'organization')).toEqual(names);
  });

  it.each([
    ['From Berlin to New York City and Washington, D.C.', ['Berlin', 'New York City', 'Washington, D.C.']],
    ['He lives at 12 Main Street in Georgia, not with Georgia.', ['12 Main Street', 'Georgia']],
    ['Hauptstraße 5, Köln', ['Hauptstraße 5', 'Köln']],
    ['Paris Hilton and Jordan called. Reading is fun.', []],
  ])('finds the places of %j', (text, names) => {
    expect(of(text, 'location')).toEqual(names);
  });

  it('reads what the others mean', () => {
    expect(values('Pay $1,250.00 or 12.5% within thirty (30) days, by 5:30 p.m. on 1 March 2026.')).toEqual([
      ['money', 'USD 1250.00'],
      ['percentage', '12.5'],
      ['duration', 'P30D'],
      ['time', '17:30'],
      ['date', '2026-03-01'],
    ]);
    const times = values(
      'Rendez-vous à 18 h 30, dès 9h05 ou à 14h; il dure 2 h 30. Um 18 Uhr oder 7.15 Uhr.',
    );
    expect(times.map(([, value]) => value)).toEqual(['18:30', '09:05', '14:00', '18:00', '07:15']);
    // A thousand percent in English, one in other languages, which write a space.
    expect(values('1,000%, 1,250 %, 0,125%').map(([, value]) => value)).toEqual([null, '1.250', '0.125']);
    const german = 'Der Zins des Darlehens beträgt 3,125% p.a. und steigt mit jedem Jahr, 12345,678%.';
    expect(values(german).map(([, value]) => value)).toEqual(['3.125', '12345.678']);
    const english = 'The price of the shares has grown by 1,000 percent since the company was founded.';
    expect(values(english).map(([, value]) => value)).toEqual([null]);
    for (const text of ['1,000 percent', 'up by 1,000 per cent', '2,500% ROI', '1,250% of the price']) {
      expect([text, values(text)[0]?.[1]]).toEqual([text, null]);
    }
    for (const text of ['Zins 3,125% p.a.', '3,125Prozent', '3,125%', 'un taux de 3,125% fixe']) {
      expect([text, values(text)[0]?.[1]]).toEqual([text, '3.125']);
    }
    expect(values('99,999% Verfügbarkeit')[0]?.[1]).toBe('99.999');
    expect(values('A 66-year-old man of 3 years')).toEqual([['duration', 'P3Y']]);
    expect(values('A 24-month term, five business days, 450 kr, 2.5 hours, at 14:30.')).toEqual([
      ['duration', 'P24M'],
      ['duration', null],
      ['money', '450.00'],
      ['duration', 'PT2.5H'],
      ['time', '14:30'],
    ]);
  });

  it('reads addresses, telephones and identifiers', () => {
    const text =
      'Write to Ann.Lee@Example.com, see https://example.com/a_(b)?x=1. or call +49 (30) 1234-567 or (212) 555-0199. ' +
      'IBAN DE89 3704 0044 0532 0130 00, invoice no. INV-2026-001, order 4711, ISBN 978-3-16-148410-0, doi 10.1000/xyz123.';
    expect(values(text)).toEqual([
      ['email', 'ann.lee@example.com'],
      ['url', 'https://example.com/a_(b)?x=1'],
      ['phone', '+49301234567'],
      ['phone', '2125550199'],
      ['identifier', 'DE89370400440532013000'],
      ['identifier', 'INV-2026-001'],
      ['identifier', '4711'],
      ['identifier', '9783161484100'],
      ['identifier', '10.1000/xyz123'],
    ]);
    expect(values('IBAN DE89 3704 0044 0532 0130 01 and ISBN 978-3-16-148410-1')).toEqual([]);
  });

  it('reads percentages in Arabic digits, and gives a signed one that may be of thousands no value', () => {
    expect(values('نسبة ١٢٫٥٪')).toEqual([['percentage', '12.5']]);
    expect(values('Revenue +1,342%')).toEqual([['percentage', null]]);
  });

  it('ends an address before a bracket that it does not open', () => {
    expect(
      values('[x](https://a.example/b_(c)) and (https://b.example/).').map(([, value]) => value),
    ).toEqual(['https://a.example/b_(c)', 'https://b.example/']);
  });

  it.each([
    'ТОВ «Зоря»',
    'ПАТ "Нова Ріка"',
    'Deniz Lojistik A.Ş.',
    'Zielona Energia Sp. z o.o.',
    'Kovo s.r.o.',
  ])('names %s', (name) => {
    expect(entitiesIn(`Fatura: ${name} 2025`)).toMatchObject([{ type: 'organization', text: name }]);
  });

  it('quotes the text, in order and without overlaps', () => {
    const text = 'On 1 March 2026 Dr. Ann Lee of Acme Inc. paid $5 at 9 a.m. in Paris to ann@acme.com.';
    let end = 0;
    for (const entity of entitiesIn(text)) {
      expect(text.slice(entity.start, entity.end)).toBe(entity.text);
      expect(entity.start).toBeGreaterThanOrEqual(end);
      end = entity.end;
    }
    expect(entitiesIn(text)).toHaveLength(7);
  });
});
