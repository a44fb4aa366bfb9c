import { casesOf } from '../../../test/support/texts/text-cases';
import { governingLawOf, partiesIn } from './parties';

const CONTRACTS = casesOf<{ id: string; text: string; governing_law: string[] | null; parties: string[] }>(
  'contracts',
);

function named(text: string) {
  return partiesIn(text).map(({ name, role, aliases, start, end }) => {
    expect(text.slice(start, end).split(/\s+/u).join(' ')).toBe(name);
    return [name, role, ...aliases];
  });
}

describe('partiesIn', () => {
  it.each<[string, unknown]>([
    [
      'Made between A. Miller and B. Cook, both of Leeds.',
      [
        ['A. Miller', null],
        ['B. Cook', null],
      ],
    ],
    [
      'by and among Nova Labs Inc., a Delaware corporation, Tarn GmbH and Priya Raman.',
      [
        ['Nova Labs Inc.', null],
        ['Tarn GmbH', null],
        ['Priya Raman', null],
      ],
    ],
    [
      'BETWEEN\n\n(1) HALE LLP of 20 Coleman Street, London;\n(2) ANN BELL of 3 Orchard Lane, Bath; and\n(3) THE HEATH TRUST LIMITED of 1 Abbey Road, Reading.\n\n12. GOVERNING LAW\n\n12.1 The law of England and Wales.',
      [
        ['HALE LLP', null],
        ['ANN BELL', null],
        ['THE HEATH TRUST LIMITED', null],
      ],
    ],
    [
      'made between: (1) ALDER CAPITAL PLC as lender; (2) BIRCH HOMES LIMITED, as the Borrower; and (3) JOHN ELM as guarantor.',
      [
        ['ALDER CAPITAL PLC', 'lender', 'lender'],
        ['BIRCH HOMES LIMITED', 'borrower', 'borrower'],
        ['JOHN ELM', 'guarantor', 'guarantor'],
      ],
    ],
    [
      'between Acme Inc. as supplier ("Supplier") and Bolt LLC as customer',
      [
        ['Acme Inc.', 'Supplier', 'Supplier'],
        ['Bolt LLC', 'customer', 'customer'],
      ],
    ],
    [
      'By and among Tern plc, Arctic Tern Holdings Pty Ltd and Gull Finance K.K.\n\nThe parties agree.',
      [
        ['Tern plc', null],
        ['Arctic Tern Holdings Pty Ltd', null],
        ['Gull Finance K.K.', null],
      ],
    ],
    [
      'Between Lumen & Sons, S.A. de C.V. ("Supplier") and Oak S.r.l. (“Buyer”).',
      [
        ['Lumen & Sons, S.A. de C.V.', 'Supplier', 'Supplier'],
        ['Oak S.r.l.', 'Buyer', 'Buyer'],
      ],
    ],
    [
      'The parties to this agreement are Vellum S.p.A. and Dr. Karin Holst.\n\nEach keeps secrets.',
      [
        ['Vellum S.p.A.', null],
        ['Karin Holst', null],
      ],
    ],
    [
      'this agreement is ENTERED INTO BY Acme Inc. and MISS Jo Lee.',
      [
        ['Acme Inc.', null],
        ['Jo Lee', null],
      ],
    ],
    ['These Terms are an agreement between you and Moth Inc. (“Moth”).', [['Moth Inc.', null, 'Moth']]],
    [
      'This Lease is made between Quill Properties, L.P. ("Landlord") and Sable Coffee, Inc. ("Tenant").',
      [
        ['Quill Properties, L.P.', 'Landlord', 'Landlord'],
        ['Sable Coffee, Inc.', 'Tenant', 'Tenant'],
      ],
    ],
    [
      'This Lease is made between Green Homes Ltd (the Landlord) and Peter Stone of 9 High Street (Tenant).',
      [
        ['Green Homes Ltd', 'Landlord', 'Landlord'],
        ['Peter Stone', 'Tenant', 'Tenant'],
      ],
    ],
    [
      'Made between Blue GmbH (a German company) and Kite Ltd (hereinafter referred to as the Supplier).',
      [
        ['Blue GmbH', null],
        ['Kite Ltd', 'Supplier', 'Supplier'],
      ],
    ],
    [
      'This Agreement is made between Acme Ltd and Blue GmbH. Acme Ltd shall pay.',
      [
        ['Acme Ltd', null],
        ['Blue GmbH', null],
      ],
    ],
    [
      'Contract between Acme Ltd. (the "Seller") and Mr. John Smith (“Buyer”).\n\n1. Goods',
      [
        ['Acme Ltd.', 'Seller', 'Seller'],
        ['John Smith', 'Buyer', 'Buyer'],
      ],
    ],
    [
      'THIS DEED is made by and between Smith and Sons Ltd, of 4 High Street (“Smith” or the “Contractor”), and the University of Leeds (the “Client”).',
      [
        ['Smith and Sons Ltd', 'Contractor', 'Smith', 'Contractor'],
        ['University of Leeds', 'Client', 'Client'],
      ],
    ],
    [
      'PARTIES\n(1) Acme Ltd, a company registered in England (the “Supplier”); and\n(2) Blue GmbH (the “Customer”).\n\nBACKGROUND\nThe Supplier sells.',
      [
        ['Acme Ltd', 'Supplier', 'Supplier'],
        ['Blue GmbH', 'Customer', 'Customer'],
      ],
    ],
    [
      'Lease\n\nLandlord: Maria Keller, 4 Park Lane\nTenant: Jonas Holt\n\nThe tenant shall pay.',
      [
        ['Maria Keller', 'Landlord', 'Landlord'],
        ['Jonas Holt', 'Tenant', 'Tenant'],
      ],
    ],
    [
      'This Agreement is between Ada Lovelace, hereinafter referred to as “the Author”, and Blue Press Inc., hereinafter “the Publisher”.',
      [
        ['Ada Lovelace', 'Author', 'Author'],
        ['Blue Press Inc.', 'Publisher', 'Publisher'],
      ],
    ],
    [
      'Tenants: Tomasz Kowalczyk and Ewa Nowak\nLandlord: Field and Stone Ltd',
      [
        ['Tomasz Kowalczyk', 'Tenant', 'Tenant'],
        ['Ewa Nowak', 'Tenant', 'Tenant'],
        ['Field and Stone Ltd', 'Landlord', 'Landlord'],
      ],
    ],
    [
      'This Agreement is between Bed, Bath & Beyond Inc. and Harbour & Finch.',
      [
        ['Bed, Bath & Beyond Inc.', null],
        ['Harbour & Finch', null],
      ],
    ],
    [
      'This Lease is entered into by Acme Ltd 12 High Street, London and Maria Keller 4 Park Lane Leeds.',
      [
        ['Acme Ltd', null],
        ['Maria Keller', null],
      ],
    ],
    [
      'Contract between Bank of Scotland plc of Edinburgh and Blue GmbH Hauptstr. 4, Berlin.',
      [
        ['Bank of Scotland plc', null],
        ['Blue GmbH', null],
      ],
    ],
    [
      'Contract between Maria Keller and Blue Ltd.',
      [
        ['Maria Keller', null],
        ['Blue Ltd.', null],
      ],
    ],
    ['The distance between the house and the river is two miles.', []],
  ])('reads %j', (text, parties) => {
    expect(named(text)).toEqual(parties);
  });

  it.each(CONTRACTS)('finds the parties of $id, and no more', ({ text, parties }) => {
    const found = partiesIn(text);
    expect(found.map(({ name }) => name).sort()).toEqual([...parties].sort());
  });
});

describe('governingLawOf', () => {
  it.each(CONTRACTS)(
    'finds the law of $id, and the clause that names it',
    ({ text, governing_law: names }) => {
      const found = governingLawOf(text);
      expect(names === null ? [null] : names).toContain(found?.law ?? null);
      expect(found === null ? null : text.slice(found.start, found.end)).toBe(found?.text ?? null);
    },
  );

  it.each([
    ['Excluding the laws of Scotland, this Agreement is governed by the laws of England.', 'England'],
    ['Profits are shared equally. The laws of Singapore apply.', 'Singapore'],
    ['This lease is governed without regard to the laws of Texas by the laws of Maine.', 'Maine'],
    ['This Agreement is not governed by the laws of France but by the laws of Spain.', 'Spain'],
    ['This Agreement is governed by the laws of England and the CISG shall not apply.', 'England'],
    [
      'If the Customer is in France, the laws of France shall apply; otherwise this Agreement is governed by the laws of Malta.',
      'Malta',
    ],
    [
      'This Agreement is governed by the laws of England.\n\nThis Annex is governed by the laws of France.',
      'England',
    ],
    [
      'Clause 9 (governed by the laws of England) is replaced by: this Agreement is governed by the laws of Ireland.',
      'Ireland',
    ],
    [
      'This lease is governed by Maine law provisions (except to the extent applicable law, if any, provides otherwise).',
      'Maine law',
    ],
    ['The words “laws of England” are replaced with “laws of Ireland”.', 'Ireland'],
  ])('reads %j', (text, law) => {
    expect(governingLawOf(text)?.law).toBe(law);
  });

  it.each([
    'The Buyer is a company incorporated under the laws of Norway.',
    'Each party shall comply with the laws of France.',
    'EXCEPT WHEN REQUIRED BY APPLICABLE LAW. EXCEPT AS STATED.',
    'This Agreement shall not be governed by the laws of Scotland.',
    'Governing Law. The laws of Scotland shall not apply.',
    'If the Customer is resident in France, this Agreement is governed by the laws of France.',
    'This Agreement is governed by the laws of France only if the Customer is a consumer.',
    'Schedule 2 is governed by the laws of France.',
  ])('finds none in %j', (text) => {
    expect(governingLawOf(text)).toBeNull();
  });
});
