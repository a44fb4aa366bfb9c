import type { ClauseType } from './clause-types';

export type Risk = 'low' | 'medium' | 'high';

/** A rule by which a sentence of a contract is a risk for one of the parties. */
export interface RiskRule {
  readonly name: string;
  readonly risk: Exclude<Risk, 'low'>;
  /** The kinds of clauses that it belongs to, the first of which it makes a clause where no heading does. */
  readonly types: readonly [ClauseType, ...ClauseType[]];
  readonly words: RegExp;
  /** Where the sentence has these words too, the rule does not apply. */
  readonly unless?: RegExp;
  /** Where the whole clause has these words, the rule does not apply. */
  readonly unlessInClause?: RegExp;
  /** What it means, to end a sentence with. */
  readonly says: string;
}

const TERMINATES = String.raw`(?:may|can|shall be entitled to|is entitled to|reserves the right to) (?:\w{1,20} )?(?:terminate|cancel)`;
const CAP =
  /\b(?:not exceed|limited to|up to (?:a|an|the)? ?(?:maximum|amount)|capped?|maximum (?:amount|liability)|aggregate liability)\b/i;

/** All gaps are bounded, so that the time of a pattern is linear in the text. */
export const RISK_RULES: readonly RiskRule[] = [
  {
    name: 'unlimited liability',
    risk: 'high',
    types: ['liability', 'indemnity'],
    words:
      /\bunlimited liability\b|\bliability\b[^.;]{0,60}\b(?:is|shall be|will be) unlimited\b|\bliab(?:le|ility)\b[^.;]{0,40}\bwithout (?:any )?limit(?:ation)?\b/i,
    unless: /\b(?:death|personal injury|fraud|wilful|willful|gross negligence)\b/i,
    says: 'there is no upper limit to what may have to be paid',
  },
  {
    name: 'indemnity without a cap',
    risk: 'high',
    types: ['indemnity', 'liability'],
    words:
      /\b(?:shall|will|must|agrees? to) (?:\w{1,20},? (?:and )?){0,3}(?:indemnify|hold harmless)\b[^.;]{0,60}/i,
    unlessInClause: CAP,
    says: 'the clause names no upper limit for the indemnity',
  },
  {
    name: 'automatic renewal',
    risk: 'medium',
    types: ['renewal', 'term', 'termination'],
    words:
      /\b(?:automatically|tacitly) (?:be )?(?:renews?|renewed|extended|extends?|prolonged)\b|\b(?:renews?|renewed|extended) automatically\b|\bautomatic (?:renewal|extension)\b/i,
    unless: /\bnot (?:be )?(?:automatically|tacitly)? ?(?:renew|extend)/i,
    says: 'the contract goes on unless somebody stops it in time',
  },
  {
    name: 'unilateral change',
    risk: 'high',
    types: ['amendment', 'payment'],
    words:
      /\b(?:may|can|reserves the right to|is entitled to) (?:unilaterally |at any time |from time to time |at its (?:sole |own )?discretion,? )?(?:change|modify|amend|vary|revise|adjust|increase|alter)\b[^.;]{0,80}/i,
    unless:
      /\b(?:mutual|written (?:agreement|consent)|both parties|the parties may|by agreement|agreed by)\b/i,
    says: 'one party may change the terms without the other',
  },
  {
    name: 'termination without cause by one party',
    risk: 'high',
    types: ['termination'],
    words: new RegExp(
      String.raw`\b(?!(?:either|each|any|both|neither) part)(?:the |an? )?[\w&-]{2,40} ${TERMINATES}\b[^.;]{0,80}\b(?:at any time|for any reason|without (?:cause|reason)|at its (?:sole )?discretion|for convenience)\b`,
      'i',
    ),
    unless: /\b(?:either|each|any|both) part(?:y|ies)\b|\bmaterial(?:ly)? breach/i,
    says: 'one party may end the contract without a reason',
  },
  {
    name: 'termination without notice',
    risk: 'high',
    types: ['termination'],
    words: new RegExp(
      String.raw`\b${TERMINATES}\b[^.;]{0,80}\b(?:without (?:prior )?notice|with immediate effect|immediately)\b`,
      'i',
    ),
    unless: /\b(?:breach|insolven|bankrupt|if|good cause|serious reason|gross misconduct)/i,
    says: 'the contract may end from one day to the next',
  },
  {
    name: 'sole discretion',
    risk: 'medium',
    types: ['other'],
    words: /\b(?:sole|absolute|unfettered)(?: and (?:sole|absolute|unfettered))? discretion\b/i,
    says: 'one party decides alone',
  },
  {
    name: 'restraint of trade',
    risk: 'medium',
    types: ['non_compete'],
    words:
      /\b(?:shall|will|must|may|agrees) not (?:to )?[^.;]{0,60}\b(?:compet(?:e|es|ing|itor)\b|solicit\b)[^.;]{0,60}/i,
    says: 'a party may not do business as it likes',
  },
  {
    name: 'penalty',
    risk: 'high',
    types: ['payment', 'liability', 'confidentiality'],
    words: /\b(?:(?:contractual )?penalt(?:y|ies)|liquidated damages)\b[^.;]{0,60}/i,
    unless: /\bno (?:contractual )?penalt/i,
    says: 'a sum is due whether or not there is a damage',
  },
  {
    name: 'interest on late payment',
    risk: 'medium',
    types: ['payment'],
    words: /\b(?:interest (?:at|of)\b|late (?:payment )?(?:fee|charge)s?\b|default interest\b)[^.;]{0,40}/i,
    says: 'paying late costs extra',
  },
  {
    name: 'waiver of rights',
    risk: 'medium',
    types: ['other'],
    words:
      /\b(?:waives?|waived|forgoes?|gives? up)\b (?:\w{1,20} ){0,4}(?:rights?|claims?|remed(?:y|ies)|trial)\b/i,
    unless: /\b(?:no|not|neither)\b[^.;]{0,60}\bwaive/i,
    says: 'a party gives up a right',
  },
  {
    name: 'exclusion of liability',
    risk: 'medium',
    types: ['liability', 'warranty', 'force_majeure'],
    words:
      /\b(?:(?:shall|will) not be liable|is not liable|are not liable|in no event shall|excludes? (?:all|any) liability|accepts? no liability|assumes? no liability)\b[^.;]{0,60}/i,
    unless:
      /\bbeyond (?:its|their|the) (?:party's |party’s )?(?:reasonable )?control\b|\bforce majeure\b|\bneither party\b/i,
    says: 'one party does not answer for damage',
  },
  {
    name: 'no warranty',
    risk: 'medium',
    types: ['warranty'],
    words:
      /(?<![\w-])[“"']?as[- ]is[”"']?(?![\w-])(?! (?:reasonably|necessary|required|or becomes))|\bwithout (?:any )?warrant(?:y|ies)\b|\bdisclaims? (?:all|any) (?:\w{1,20} ){0,3}warrant(?:y|ies)\b/i,
    says: 'nobody answers for defects',
  },
  {
    name: 'exclusivity',
    risk: 'medium',
    types: ['other'],
    words:
      /\b(?:(?:sole and )?exclusive (?:supplier|provider|distributor|agent|right|basis)|shall not (?:engage|appoint|purchase from|contract with) any other)\b/i,
    says: 'a party may deal with one partner only',
  },
  {
    name: 'assignment without consent',
    risk: 'medium',
    types: ['assignment'],
    words:
      /\bmay (?:freely )?(?:assign|transfer|novate)\b[^.;]{0,100}\bwithout (?:the )?(?:prior )?(?:written )?consent\b/i,
    unless: /\b(?:neither|no) party\b|\bmay not\b/i,
    says: 'the other party to the contract may change',
  },
  {
    name: 'obligation without end',
    risk: 'medium',
    types: ['confidentiality', 'term', 'intellectual_property'],
    words:
      /\b(?:in perpetuity|perpetual(?:ly)?|indefinitely|without limit in time|for an (?:unlimited|indefinite) (?:period|time))\b/i,
    unless: /\bindefinite period\b[^.;]{0,40}\bemploy|\bmay use\b/i,
    says: 'it has no end',
  },
  {
    name: 'assignment of intellectual property',
    risk: 'medium',
    types: ['intellectual_property'],
    words:
      /\b(?:assigns?|transfers?|vests? in|belongs? to|property of)\b[^.;]{0,60}\b(?:intellectual property|inventions?|copyrights?|work product|works?)\b|\b(?:inventions?|work product|works?)\b[^.;]{0,60}\b(?:belongs? to|(?:is|are|shall be) the (?:sole |exclusive )*property of|vests? in)\b/i,
    says: 'what a party makes belongs to the other',
  },
  {
    name: 'no refund',
    risk: 'medium',
    types: ['payment', 'deposit'],
    words: /\bnon-?refundable\b|\bnot refundable\b|\bno refunds?\b/i,
    says: 'what was paid is not paid back',
  },
  {
    name: 'passing on of personal data',
    risk: 'medium',
    types: ['data_protection'],
    words:
      /\b(?:share|sell|disclose|transfer)\b[^.;]{0,60}\bpersonal (?:data|information)\b[^.;]{0,80}\bthird part(?:y|ies)\b/i,
    unless: /\b(?:shall|will|may|must|do|does) not (?:share|sell|disclose|transfer)\b/i,
    says: 'others get personal data',
  },
  {
    name: 'binding arbitration',
    risk: 'medium',
    types: ['dispute_resolution'],
    words: /\bbinding arbitration\b|\bfinally (?:settled|resolved) by arbitration\b|\bclass action waiver\b/i,
    says: 'the parties may not go to court',
  },
  {
    name: 'joint and several liability',
    risk: 'high',
    types: ['liability'],
    words: /\bjoint(?:ly)? and several(?:ly)?\b/i,
    says: 'each may have to pay the whole for all',
  },
  {
    name: 'personal guarantee',
    risk: 'high',
    types: ['liability', 'payment'],
    words: /\bpersonal(?:ly)? guarant(?:ee|ees|y)\b/i,
    says: 'a person answers with what they own',
  },
  {
    name: 'acceleration',
    risk: 'high',
    types: ['payment'],
    words: /\b(?:become|becomes|be|declare[sd]?) (?:\w{1,20} )?immediately due(?: and payable)?\b/i,
    says: 'all is due at once',
  },
];
