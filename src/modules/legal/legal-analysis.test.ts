import {
  contractFile,
  NDA_FIRST,
  NDA_SECOND,
  SERVICE_AGREEMENT,
} from '../../../test/support/legal/contract-fixtures';
import { processorMsOf } from '../../../test/support/processor-time';
import { FileReaders } from '../../files/file-readers';
import { legalAnalysis, legalFacts } from './legal.jobs';

const files = new FileReaders({ deadlineMs: 60_000 });
afterAll(() => files.onApplicationShutdown());

/** The facts of a text without their places, after those were held to the text. */
function factsOf(text: string) {
  const facts = legalFacts(text);
  for (const { text: written, start, end } of [...facts.dates, ...facts.amounts]) {
    expect(text.slice(start, end)).toBe(written);
  }
  for (const { obligation, start, end } of facts.obligations) {
    expect(text.slice(start, end)).toBe(obligation);
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
    obligations: facts.obligations.map(({ party, obligation, deadline, deadlineDate }) => [
      ...[party, oneLine(obligation), deadline],
      ...(deadlineDate === null ? [] : [deadlineDate]),
    ]),
    definitions: Object.fromEntries(facts.definitions.map(({ term, meaning }) => [term, meaning])),
  };
}

/** The clauses as type and risk, with the rules that apply. */
function clausesOf(text: string): string[] {
  return legalAnalysis(text).clauses.map(({ type, risk, explanation, start, end }) => {
    expect(text.slice(start, end).trim()).toBe(text.slice(start, end));
    const rules = [...explanation.matchAll(/Rule “([^”]+)”/g)].map(([, rule]) => rule);
    return [type, risk, ...rules].join(' · ');
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
      obligations: [
        [
          'Supplier',
          'The Supplier shall deliver the first report by 1 April 2026.',
          'by 1 April 2026',
          '2026-04-01',
        ],
        ['Supplier', 'The Supplier shall provide the Services with reasonable skill and care.', null],
        [
          'Customer',
          'The Customer shall give the Supplier access to its sales data within 5 Working Days after the Effective Date.',
          'within 5 Working Days after the Effective Date',
        ],
        ['Customer', 'The Customer shall pay the Supplier a monthly fee of EUR 4,250.00.', null],
        [
          'Customer',
          'The Customer must pay each invoice within 30 days after receipt.',
          'within 30 days after receipt',
        ],
        [
          'Each party',
          'Each party shall keep the Confidential Information of the other party secret and shall use it only for the purposes of this Agreement.',
          null,
        ],
        [
          'Customer',
          'The Customer shall indemnify the Supplier against all claims of third parties that arise from the data of the Customer.',
          null,
        ],
        [
          null,
          'Notices under this Agreement must be in writing and must be sent to the registered office of the other party.',
          null,
        ],
      ],
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
    const { documentType, missingClauses, governingLaw } = legalAnalysis(SERVICE_AGREEMENT);
    expect([documentType, governingLaw?.law]).toEqual(['service_agreement', 'England and Wales']);
    expect(missingClauses).toEqual(['warranty', 'data_protection', 'assignment']);
    expect(clausesOf(SERVICE_AGREEMENT)).toEqual([
      'definitions · low',
      'duties · low',
      'payment · high · interest on late payment · unilateral change',
      'confidentiality · low',
      'intellectual_property · low',
      'liability · low',
      'indemnity · high · indemnity without a cap',
      'termination · high · termination without cause by one party',
      'term · low',
      'renewal · medium · automatic renewal',
      'force_majeure · low',
      'notice · low',
      'dispute_resolution · low',
      'governing_law · low',
      'other · low',
      'entire_agreement · low',
      'amendment · low',
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
    expect(facts.obligations).toHaveLength(3);
    expect(factsOf(NDA_SECOND)).toMatchObject({ amounts: ['USD 250000.00'] });
  });

  it('differ in law and risks', () => {
    expect(legalAnalysis(NDA_FIRST)).toMatchObject({
      documentType: 'non_disclosure_agreement',
      missingClauses: ['dispute_resolution'],
      governingLaw: { law: 'State of Delaware' },
    });
    expect(legalAnalysis(NDA_SECOND).governingLaw?.law).toBe('State of Texas');
    expect(clausesOf(NDA_FIRST).filter((clause) => !clause.includes('· low'))).toEqual([]);
    expect(clausesOf(NDA_SECOND).filter((clause) => !clause.includes('· low'))).toEqual([
      'payment · high · penalty',
      'term · medium · obligation without end',
    ]);
  });
});

describe('a lease as a Word file', () => {
  it('gives its facts and its risks', async () => {
    const { text } = await files.read('docx', contractFile('lease.docx'), { accountId: 'own' });
    expect(factsOf(text)).toEqual({
      parties: [
        ['Marguerite Okafor', 'Landlord'],
        ['Tomas Brandl', 'Tenant'],
      ],
      dates: ['2026-05-15', '1991-07-09', '2026-06-01', '2028-05-31', '2026-06-01', '2026-05-15'],
      amounts: ['GBP 1150.00', 'GBP 2300.00', 'GBP 180.00'],
      obligations: [
        [
          'Tenant',
          'The Tenant shall pay a monthly rent of GBP 1,150.00 by the third day of each month.',
          'by the third day of each month',
        ],
        [
          'Tenant',
          'The Tenant shall pay a security deposit of GBP 2,300.00 before 1 June 2026.',
          'before 1 June 2026',
          '2026-06-01',
        ],
        [
          'Landlord',
          'The Landlord shall return the deposit within 21 days after the end of the lease.',
          'within 21 days after the end of the lease',
        ],
        [
          'Landlord',
          'The Landlord shall keep the structure and the heating of the Premises in repair.',
          null,
        ],
        ['Tenant', 'The Tenant must promptly report defects to the Landlord.', 'promptly'],
        [
          'Tenant',
          'The Tenant may not sublet the Premises without the written consent of the Landlord.',
          null,
        ],
      ],
      definitions: {
        Landlord: 'Marguerite Okafor',
        Tenant: 'Tomas Brandl',
        Premises: 'The Landlord lets to the Tenant the flat at 27 Mill Lane, Leeds',
      },
    });
    expect(legalAnalysis(text)).toMatchObject({
      documentType: 'lease',
      missingClauses: ['use_of_premises', 'insurance'],
      governingLaw: { law: 'English law' },
    });
    expect(clausesOf(text).filter((clause) => !clause.includes('· low'))).toEqual([
      'payment · high · unilateral change',
      'deposit · medium · no refund',
      'termination · high · termination without notice',
    ]);
  });
});

describe('an employment contract as a PDF', () => {
  it('gives its facts and its risks', async () => {
    const { text } = await files.read('pdf', contractFile('employment-contract.pdf'), { accountId: 'own' });
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
    expect(facts.obligations.map(([party, , deadline]) => [party, deadline])).toEqual([
      ['Employee', null],
      ['Employer', null],
      ['Employer', 'within 30 days after it receives the receipts'],
      ['Employee', null],
      ['Employee', null],
      ['Employee', 'by the last day of the employment'],
    ]);
    expect(legalAnalysis(text)).toMatchObject({
      documentType: 'employment_contract',
      missingClauses: [],
      governingLaw: { law: 'State of Oregon' },
    });
    expect(clausesOf(text)).toEqual([
      'duties · low',
      'payment · low',
      'working_time · low',
      'probation · low',
      'leave · low',
      'confidentiality · medium · obligation without end',
      'intellectual_property · medium · assignment of intellectual property',
      'non_compete · medium · restraint of trade',
      'termination · low',
      'governing_law · low',
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

  it('has the clauses that its lines are labelled with, and lacks none that it names elsewhere', () => {
    expect(clausesOf(TENANCY)).toEqual(
      expect.arrayContaining(['term · low', 'deposit · low', 'maintenance · low']),
    );
    expect(legalAnalysis(TENANCY)).toMatchObject({
      missingClauses: ['payment', 'use_of_premises', 'insurance', 'termination'],
      governingLaw: { law: 'English law' },
    });
  });

  it('has the duties of parties who are named together', () => {
    expect(factsOf(TENANCY).obligations.map(([party]) => party)).toEqual([
      'Tenant',
      'Neither party',
      'Landlord',
    ]);
  });
});

describe('a letter that offers a job', () => {
  const OFFER =
    'OFFER LETTER\n\nSalary: $142,500 per year.\nEither party may terminate your employment at any time. You must return all keys.';

  it('is an employment contract, with its pay and its end', () => {
    const { documentType, missingClauses } = legalAnalysis(OFFER);
    expect(documentType).toBe('employment_contract');
    expect(missingClauses).not.toContain('payment');
    expect(missingClauses).not.toContain('termination');
  });

  it('has the duties of its reader', () => {
    expect(factsOf(OFFER).obligations).toEqual([['You', 'You must return all keys.', null]]);
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
