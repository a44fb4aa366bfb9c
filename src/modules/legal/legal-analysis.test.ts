import {
  contractFile,
  NDA_FIRST,
  NDA_SECOND,
  SERVICE_AGREEMENT,
} from '../../../test/support/legal/contract-fixtures';
import { processorMsOf } from '../../../test/support/processor-time';
import { casesOf } from '../../../test/support/texts/text-cases';
import { FileReaders } from '../../files/file-readers';
import { legalAnalysis, legalFacts } from './legal.jobs';

const OWN = { accountId: 'own' };
const files = new FileReaders({ deadlineMs: 60_000 });
afterAll(() => files.onApplicationShutdown());

/** The facts of a text without their places, after those were held to the text. */
function factsOf(text: string) {
  const facts = legalFacts(text);
  for (const { text: written, start, end } of [...facts.dates, ...facts.amounts]) {
    expect(text.slice(start, end)).toBe(written);
  }
  for (const { name, start, end } of facts.parties) {
    expect(oneLine(text.slice(start, end))).toBe(name);
  }
  for (const { term, meaning, start, end } of facts.definitions) {
    expect(oneLine(text.slice(start, end))).toContain(term);
    expect(oneLine(text.slice(start, end))).toContain(meaning);
  }
  return {
    parties: facts.parties.map(({ name, role }) => [name, role]),
    dates: facts.dates.map(({ date }) => date),
    amounts: facts.amounts.map(({ amount, currency }) => `${currency} ${amount}`),
    definitions: Object.fromEntries(facts.definitions.map(({ term, meaning }) => [term, meaning])),
  };
}

/** The kinds of the clauses, after their places were held to the text. */
function clausesOf(text: string): string[] {
  return legalAnalysis(text).clauses.map(({ type, heading, start, end }) => {
    expect(text.slice(start, end).trim()).toBe(text.slice(start, end));
    expect(oneLine(text.slice(start, end))).toContain(oneLine(heading));
    return type;
  });
}

function oneLine(text: string): string {
  return text.split(/\s+/u).join(' ');
}

describe('a service agreement', () => {
  it('gives its facts', () => {
    expect(factsOf(SERVICE_AGREEMENT)).toEqual({
      parties: [
        ['Northwind Analytics Ltd', 'Supplier'],
        ['Harbour & Finch GmbH', 'Customer'],
      ],
      dates: ['2026-03-03', '2026-04-01', '2026-03-31', '2026-03-03'],
      amounts: ['EUR 4250.00', 'EUR 1500.00', 'EUR 50000.00'],
      definitions: {
        Agreement: 'This Service Agreement',
        'Effective Date': '3 March 2026',
        Supplier: 'Northwind Analytics Ltd',
        Customer: 'Harbour & Finch GmbH',
        Services: 'the monthly data reports and the support described in Annex A',
        'Confidential Information':
          'all information that a party marks as confidential or that is confidential by its nature',
        'Working Day': 'any day other than a Saturday, a Sunday or a public holiday in Hamburg',
      },
    });
  });

  it('is analyzed', () => {
    expect(legalAnalysis(SERVICE_AGREEMENT).governingLaw?.law).toBe('England and Wales');
    expect(clausesOf(SERVICE_AGREEMENT)).toEqual([
      'definitions',
      'duties',
      'payment',
      'confidentiality',
      'intellectual_property',
      'liability',
      'indemnity',
      'termination',
      'force_majeure',
      'notice',
      'dispute_resolution',
      'other',
    ]);
  });
});

describe('two versions of a non-disclosure agreement', () => {
  it('give their facts', () => {
    const facts = factsOf(NDA_FIRST);
    expect(facts).toMatchObject({
      parties: [
        ['Larkspur Robotics, Inc.', null],
        ['Tidewell Energy LLC', null],
      ],
      dates: ['2026-01-12'],
      amounts: [],
      definitions: { Larkspur: 'Larkspur Robotics, Inc.', Tidewell: 'Tidewell Energy LLC' },
    });
    expect(factsOf(NDA_SECOND)).toMatchObject({ amounts: ['USD 250000.00'] });
  });

  it('differ in law', () => {
    expect(legalAnalysis(NDA_FIRST).governingLaw?.law).toBe('State of Delaware');
    expect(legalAnalysis(NDA_SECOND).governingLaw?.law).toBe('State of Texas');
  });
});

describe('a contract as a Word file', () => {
  it.each(casesOf<{ id: string; text: string }>('contracts'))(
    'of $id has the facts of its text',
    async ({ id, text }) => {
      const written = id.includes('plain')
        ? files.writePlain('docx', text, OWN)
        : files.write('docx', text, OWN);
      const file = Buffer.from(await written);
      const { text: read } = await files.read('docx', file, OWN);
      const valuesOf = (contract: string) => {
        const { parties, dates, amounts, governingLaw } = legalAnalysis(contract);
        return {
          parties: parties.map(({ name }) => name),
          dates: dates.map(({ date }) => date),
          amounts: amounts.map(({ amount, currency }) => [amount, currency]),
          law: governingLaw?.law,
        };
      };
      expect(valuesOf(read)).toEqual(valuesOf(text));
    },
  );
});

describe('a lease as a Word file', () => {
  it('gives its facts and its law', async () => {
    const { text } = await files.read('docx', contractFile('lease.docx'), OWN);
    expect(factsOf(text)).toEqual({
      parties: [
        ['Marguerite Okafor', 'Landlord'],
        ['Tomas Brandl', 'Tenant'],
      ],
      dates: ['2026-05-15', '1991-07-09', '2026-06-01', '2028-05-31', '2026-06-01', '2026-05-15'],
      amounts: ['GBP 1150.00', 'GBP 2300.00', 'GBP 180.00'],
      definitions: {
        Landlord: 'Marguerite Okafor',
        Tenant: 'Tomas Brandl',
        Premises: 'The Landlord lets to the Tenant the flat at 27 Mill Lane, Leeds',
      },
    });
    expect(legalAnalysis(text).governingLaw?.law).toBe('English law');
  });
});

describe('an employment contract as a PDF', () => {
  it('gives its facts and its law', async () => {
    const { text } = await files.read('pdf', contractFile('employment-contract.pdf'), OWN);
    const facts = factsOf(text);
    expect(facts).toMatchObject({
      parties: [
        ['Fernhill Software Inc.', 'Employer'],
        ['Delia Whitcombe', 'Employee'],
      ],
      dates: ['2026-09-01', '2026-10-01', '2026-09-01'],
      amounts: ['USD 96000.00'],
      definitions: { Employer: 'Fernhill Software Inc.', Employee: 'Delia Whitcombe' },
    });
    expect(legalAnalysis(text).governingLaw?.law).toBe('State of Oregon');
    expect(clausesOf(text)).toEqual([
      'duties',
      'payment',
      'working_time',
      'probation',
      'leave',
      'confidentiality',
      'intellectual_property',
      'non_compete',
      'termination',
      'governing_law',
    ]);
  });
});

describe('a tenancy in plain lines', () => {
  const TENANCY = [
    'RESIDENTIAL TENANCY AGREEMENT\n',
    'Landlord: Margaret O’Neill',
    'Tenant: Tomasz Kowalczyk and Ewa Nowak\n',
    'Term: 12 months from 1 September 2025.',
    'Deposit: £1,326.92, held with the Tenancy Deposit Scheme.\n',
    'The tenants shall not sublet the property. Neither party may keep a dog. The landlord will carry out repairs in 28 days.\n',
    'This tenancy is subject to English law.',
  ].join('\n');

  it('has its law', () => {
    expect(legalAnalysis(TENANCY).governingLaw?.law).toBe('English law');
  });
});

describe('a contract’s end and its definitions', () => {
  const CONTRACT = [
    'SUPPLY AGREEMENT\n\nThis Agreement is made as of 03/04/2025 (the "Effective Date") between Acme Ltd and Blue GmbH.\n',
    '1. Definitions\n"Secrets" means all that is told by a Party (the "Discloser") to the other (the "Recipient") in writing.\n',
    '2. Jurisdiction\nThe courts of London have exclusive jurisdiction.\n',
    'IN WITNESS WHEREOF the parties have signed.\n\nSigned for Acme Ltd: ______',
  ].join('\n');

  it('leaves the signatures out of the last clause', () => {
    const last = legalAnalysis(CONTRACT).clauses.at(-1);
    expect(CONTRACT.slice(last?.start, last?.end)).toBe(
      '2. Jurisdiction\nThe courts of London have exclusive jurisdiction.',
    );
  });

  it('tells what a short name stands for, and not the sentence before it', () => {
    expect(factsOf(CONTRACT).definitions).toMatchObject({
      'Effective Date': '03/04/2025',
      Discloser: 'a Party',
      Recipient: 'the other',
    });
  });
});

describe('a definition elsewhere, and one with a date', () => {
  it('keeps the words that say where, and what the date belongs to', () => {
    const text =
      'The parties signed a lease dated 1 June 2020 (the "Lease"). This deed is dated 3 May 2024 (the "Effective Date"). "Fee" has the meaning set out in clause 4.';
    expect(factsOf(text).definitions).toEqual({
      Lease: 'a lease dated 1 June 2020',
      'Effective Date': '3 May 2024',
      Fee: 'the meaning set out in clause 4',
    });
  });
});

describe('lists of what is found', () => {
  it.each([
    [1_000, false],
    [1_001, true],
  ])('of %s dates are told to be cut: %s', (count, truncated) => {
    const facts = legalFacts('Paid on 3 May 2026.\n'.repeat(count));
    expect([facts.dates.length, facts.truncated]).toEqual([1_000, truncated]);
  });
});

describe('legal rules', () => {
  it.each([
    ['one letter', 'x'.repeat(400_000)],
    ['the word shall', 'shall '.repeat(66_666)],
    ['sentences of one duty', 'Each party shall pay. '.repeat(18_000)],
    ['quotation marks', '“ ” " '.repeat(66_666)],
    ['brackets with quotes', '(“a” '.repeat(80_000)],
    ['numbered headings', Array.from({ length: 20_000 }, (_, at) => `${at}. Confidentiality\n`).join('')],
    ['party names', `between ${'Acme Ltd and '.repeat(30_000)}`],
    ['definitions', '“A” means “B” means '.repeat(20_000)],
    ['white space', `This Agreement${' \n'.repeat(190_000)}shall`],
    ['replaced laws', 'law replaced by '.repeat(25_000)],
    ['laws set aside', 'governed by the laws of A B and the C; if '.repeat(9_500)],
    ['waiver', 'waives a b c d '.repeat(26_000)],
  ])('need bounded time for 400,000 characters of %s', async (_, text) => {
    const usedMs = await processorMsOf(() => {
      legalAnalysis(text);
      legalFacts(text);
      return Promise.resolve();
    });
    expect(usedMs).toBeLessThan(10_000);
  });
});
