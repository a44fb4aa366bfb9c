import type { ClauseType } from './clause-types';

interface DocumentKind {
  /** In the title, or in the sentence with which the text begins. */
  readonly title: RegExp;
  /** Words that its body has and other kinds rarely have. */
  readonly words: RegExp;
  /** The clauses that such a document usually has. */
  readonly usual: readonly ClauseType[];
}

const CONTRACT: readonly ClauseType[] = [
  'term',
  'termination',
  'liability',
  'governing_law',
  'dispute_resolution',
];
const DEAL: readonly ClauseType[] = ['payment', ...CONTRACT];

const KINDS = {
  non_disclosure_agreement: {
    title: /\b(?:non-?disclosure|confidentiality) (?:agreement|contract|deed)\b|\bNDA\b/i,
    words: /\b(?:confidential information|disclosing party|receiving party)\b/gi,
    usual: [
      'confidentiality',
      'definitions',
      'term',
      'governing_law',
      'dispute_resolution',
      'entire_agreement',
    ],
  },
  employment_contract: {
    title:
      /\b(?:employment (?:agreement|contract)|contract of employment|offer (?:letter|of employment)|letter of appointment)\b/i,
    words: /\b(?:employer|employee|salary|annual leave|working hours|probation)\b/gi,
    usual: [
      'duties',
      'payment',
      'working_time',
      'leave',
      'probation',
      'termination',
      'confidentiality',
      'governing_law',
    ],
  },
  lease: {
    title: /\b(?:lease|tenancy|rental) ?(?:agreement|contract)?\b/i,
    words: /\b(?:landlord|tenant|lessor|lessee|premises|rent)\b/gi,
    usual: [
      'payment',
      'term',
      'deposit',
      'maintenance',
      'use_of_premises',
      'subletting',
      'insurance',
      'termination',
      'governing_law',
    ],
  },
  loan_agreement: {
    title: /\b(?:loan|credit|facility) (?:agreement|contract)\b|\bpromissory note\b/i,
    words: /\b(?:lender|borrower|principal amount|interest rate|repayments?)\b/gi,
    usual: [
      'payment',
      'term',
      'termination',
      'warranty',
      'assignment',
      'notice',
      'governing_law',
      'dispute_resolution',
    ],
  },
  license_agreement: {
    title: /\b(?:licen[cs]e|EULA|licensing) ?(?:agreement|contract)?\b/i,
    words: /\b(?:licensor|licensee|licensed (?:software|materials?|works?)|royalt(?:y|ies))\b/gi,
    usual: ['intellectual_property', 'warranty', 'confidentiality', 'assignment', ...DEAL],
  },
  purchase_agreement: {
    title:
      /\b(?:purchase|sales?|share purchase|asset purchase|supply) (?:agreement|contract)\b|\bbill of sale\b/i,
    words: /\b(?:seller|buyer|purchaser|purchase price|goods)\b/gi,
    usual: [
      'duties',
      'payment',
      'warranty',
      'liability',
      'force_majeure',
      'governing_law',
      'dispute_resolution',
    ],
  },
  partnership_agreement: {
    title: /\b(?:partnership|joint venture|shareholders?|operating) (?:agreement|contract)\b/i,
    words: /\b(?:partners?|capital contributions?|profits and losses|joint venture)\b/gi,
    usual: ['confidentiality', 'assignment', 'non_compete', ...CONTRACT],
  },
  data_processing_agreement: {
    title: /\bdata (?:processing|protection) (?:agreement|addendum)\b|\bDPA\b/i,
    words: /\b(?:data subjects?|data controller|data processor|sub-?processors?)\b/gi,
    usual: ['data_protection', 'confidentiality', 'term', 'liability', 'governing_law'],
  },
  service_agreement: {
    title:
      /\b(?:(?:master |professional )?services?|consult(?:ing|ancy)|contractor|maintenance|freelance) (?:agreement|contract)\b|\bstatement of work\b/i,
    words: /\b(?:the services|service provider|contractor|consultant|deliverables)\b/gi,
    usual: [
      'duties',
      'confidentiality',
      'intellectual_property',
      'warranty',
      'data_protection',
      'force_majeure',
      'assignment',
      'notice',
      ...DEAL,
    ],
  },
  terms_of_service: {
    title: /\b(?:terms (?:of (?:service|use)|and conditions)|user agreement)\b/i,
    words: /\b(?:your account|our website|the website|you agree|using (?:the|our) service)\b/gi,
    usual: [
      'amendment',
      'intellectual_property',
      'warranty',
      'liability',
      'termination',
      'governing_law',
      'dispute_resolution',
    ],
  },
  privacy_policy: {
    title: /\bprivacy (?:policy|notice|statement)\b/i,
    words: /\b(?:we collect|personal (?:data|information)|cookies|data controller)\b/gi,
    usual: ['data_protection'],
  },
  power_of_attorney: {
    title: /\bpower of attorney\b/i,
    words: /\b(?:attorney-in-fact|principal|act on my behalf)\b/gi,
    usual: [],
  },
  will: {
    title: /\blast will\b|\btestament\b/i,
    words: /\b(?:executor|bequeath|testat(?:or|rix)|my estate)\b/gi,
    usual: [],
  },
} as const satisfies Readonly<Record<string, DocumentKind>>;

/** `contract` is one of no kind that the rules know. */
export type DocumentType = keyof typeof KINDS | 'contract';

const TYPES = Object.keys(KINDS) as (keyof typeof KINDS)[];

export const DOCUMENT_TYPES: readonly DocumentType[] = [...TYPES, 'contract'];

/** In UTF-16 units. The title stands there, and the sentence that names the document. */
const TITLE_LENGTH = 400;
/** In UTF-16 units. What is read for typical words. */
const BODY_LENGTH = 60_000;
const TYPICAL_WORDS_MIN = 4;
const ANY_CONTRACT = /\b(?:agreement|contract|deed)\b/i;
const CONTRACT_WORDS =
  /\b(?:shall|hereby|herein|hereinafter|the parties|either party|this (?:agreement|contract))\b/gi;

/**
 * The type of a legal text: by its title, else by words that are typical of one type. Null where neither tells that it is a
 * legal document at all.
 */
export function documentTypeOf(text: string): DocumentType | null {
  const title = text.trimStart().slice(0, TITLE_LENGTH);
  const named = TYPES.map((type) => ({ type, at: title.search(KINDS[type].title) }))
    .filter(({ at }) => at !== -1)
    .sort((one, other) => one.at - other.at)[0];
  const body = text.slice(0, BODY_LENGTH);
  if (named && count(body, CONTRACT_WORDS) + count(body, KINDS[named.type].words) > 0) {
    return named.type;
  }
  const counted = TYPES.map((type) => ({ type, words: count(body, KINDS[type].words) })).sort(
    (one, other) => other.words - one.words,
  );
  const [first, second] = counted;
  const isContract = ANY_CONTRACT.test(title) && count(body, CONTRACT_WORDS) >= 2;
  const isTypical = first && first.words >= TYPICAL_WORDS_MIN && first.words > 2 * (second?.words ?? 0);
  if (isTypical && (isContract || count(body, CONTRACT_WORDS) >= TYPICAL_WORDS_MIN)) {
    return first.type;
  }
  return isContract ? 'contract' : null;
}

/** The clauses that documents of the type usually have. */
export function usualClauses(type: DocumentType): readonly ClauseType[] {
  return type === 'contract' ? CONTRACT : [...new Set(KINDS[type].usual)];
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
