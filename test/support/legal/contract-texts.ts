/** The paragraphs of two invented contracts, of which `write-contracts.ts` makes files. */
export interface ContractText {
  readonly title: string;
  readonly preamble: readonly string[];
  readonly sections: readonly { readonly heading: string; readonly paragraphs: readonly string[] }[];
  readonly closing: readonly string[];
}

export const LEASE: ContractText = {
  title: 'Residential Lease Agreement',
  preamble: [
    'This Lease Agreement is made on 15 May 2026 between:',
    '(1) Marguerite Okafor, residing at 4 Linden Court, Leeds (the “Landlord”); and',
    '(2) Tomas Brandl, born on 9 July 1991 (the “Tenant”).',
  ],
  sections: [
    {
      heading: '1. Premises',
      paragraphs: ['The Landlord lets to the Tenant the flat at 27 Mill Lane, Leeds (the “Premises”).'],
    },
    {
      heading: '2. Term',
      paragraphs: ['The lease begins on 1 June 2026 and ends on 31 May 2028.'],
    },
    {
      heading: '3. Rent',
      paragraphs: [
        'The Tenant shall pay a monthly rent of GBP 1,150.00 by the third day of each month. The Landlord may increase the rent at any time by giving one month’s notice.',
      ],
    },
    {
      heading: '4. Deposit',
      paragraphs: [
        'The Tenant shall pay a security deposit of GBP 2,300.00 before 1 June 2026. The Landlord shall return the deposit within 21 days after the end of the lease. A cleaning fee of £180.00 is non-refundable.',
      ],
    },
    {
      heading: '5. Maintenance',
      paragraphs: [
        'The Landlord shall keep the structure and the heating of the Premises in repair. The Tenant must promptly report defects to the Landlord.',
      ],
    },
    {
      heading: '6. Subletting',
      paragraphs: ['The Tenant may not sublet the Premises without the written consent of the Landlord.'],
    },
    {
      heading: '7. Termination',
      paragraphs: [
        'Either party may terminate this lease by giving three months’ notice in writing. The Landlord may terminate this lease immediately and without notice.',
      ],
    },
    { heading: '8. Governing Law', paragraphs: ['This lease is governed by English law.'] },
  ],
  closing: ['Signed in Leeds on 15 May 2026'],
};

export const EMPLOYMENT_CONTRACT: ContractText = {
  title: 'EMPLOYMENT CONTRACT',
  preamble: [
    'This Employment Contract is made on September 1, 2026 between Fernhill Software Inc., with offices at 300 Orchard Avenue, Portland, Oregon (the “Employer”), and Delia Whitcombe of 18 Alder Street, Portland, Oregon (the “Employee”).',
  ],
  sections: [
    {
      heading: '1. Position and Duties',
      paragraphs: [
        'The Employee starts work on October 1, 2026 as a data engineer. The Employee shall perform the duties of this position with care.',
      ],
    },
    {
      heading: '2. Salary',
      paragraphs: [
        'The Employer shall pay the Employee a salary of $96,000.00 a year in twelve equal payments. The Employer agrees to reimburse travel expenses within 30 days after it receives the receipts.',
      ],
    },
    { heading: '3. Working Hours', paragraphs: ['The regular working time is 40 hours per week.'] },
    {
      heading: '4. Probation',
      paragraphs: ['The first three months are a probationary period.'],
    },
    {
      heading: '5. Annual Leave',
      paragraphs: ['The Employee is entitled to 25 days of paid leave in each calendar year.'],
    },
    {
      heading: '6. Confidentiality',
      paragraphs: [
        'The Employee shall not disclose trade secrets of the Employer during the employment and indefinitely after its end.',
      ],
    },
    {
      heading: '7. Inventions',
      paragraphs: [
        'All inventions that the Employee makes at work shall be the sole property of the Employer.',
      ],
    },
    {
      heading: '8. Non-Competition',
      paragraphs: [
        'For twelve months after the end of the employment the Employee shall not compete with the Employer in the State of Oregon.',
      ],
    },
    {
      heading: '9. Termination',
      paragraphs: [
        'Each party may terminate the employment with four weeks’ notice. The Employee must return all equipment by the last day of the employment.',
      ],
    },
    {
      heading: '10. Governing Law',
      paragraphs: ['This contract is governed by the laws of the State of Oregon.'],
    },
  ],
  closing: ['Portland, September 1, 2026'],
};
