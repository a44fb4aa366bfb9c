/** What parties are called in contracts, in lower case. A word of several is before one that it ends with. */
export const ROLES: readonly string[] = [
  'service provider',
  'disclosing party',
  'receiving party',
  'supplier',
  'customer',
  'client',
  'contractor',
  'consultant',
  'vendor',
  'provider',
  'landlord',
  'tenant',
  'lessor',
  'lessee',
  'employer',
  'employee',
  'seller',
  'buyer',
  'purchaser',
  'licensor',
  'licensee',
  'lender',
  'borrower',
  'guarantor',
  'principal',
  'agent',
  'distributor',
  'franchisor',
  'franchisee',
  'partner',
  'shareholder',
  'investor',
  'company',
  'discloser',
  'recipient',
  'controller',
  'processor',
  'assignor',
  'assignee',
  'manufacturer',
  'subcontractor',
  'publisher',
  'author',
  'owner',
  'user',
];

/** The forms of companies, with which a name ends. */
export const COMPANY_FORM = String.raw`(?:Ltd|Limited|Inc|Incorporated|Corp|Corporation|LLC|LLP|LP|PLC|plc|GmbH|AG|KG|UG|SE|SA|S\.A|SAS|SARL|S\.r\.l|SpA|S\.p\.A|BV|B\.V|NV|N\.V|Oy|AB|ApS|AS|Pty|Co|Company|Foundation|University|Bank)`;

const PLAIN_PARTY =
  '(?:each|either|neither|no|any|both|such|(?:the )?(?:other|first|receiving|disclosing|defaulting|breaching|terminating|indemnifying|affected))(?: of the)? part(?:y|ies)|the part(?:y|ies)';

/** Matches what may be meant by a party of a contract: its names and roles, also of several, and words such as "each party". */
export function partyPattern(names: readonly string[]): string {
  const longestFirst = [...new Set([...names, ...ROLES])].sort((one, other) => other.length - one.length);
  const own = longestFirst.map((name) => (ROLES.includes(name) ? `${escaped(name)}s?` : escaped(name)));
  return `(?:${PLAIN_PARTY}|(?:the )?(?:${own.join('|')}))`;
}

function escaped(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`).replaceAll(/\s+/g, String.raw`\s+`);
}
