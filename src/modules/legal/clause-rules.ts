/** A kind of clause, and how it is recognised. */
interface ClauseKind {
  readonly type: string;
  /** Words of its heading. */
  readonly heading: RegExp;
  /** A sentence that only such a clause has; null where its heading alone tells it. */
  readonly sentence: RegExp | null;
}

/**
 * The kinds of clauses, the more telling before the more general: a heading such as "Term and Termination" is of the first
 * kind that fits. All gaps are bounded, so that the time of a pattern is linear in the text.
 */
export const CLAUSE_KINDS = [
  {
    type: 'confidentiality',
    heading: /\b(?:confidential(?:ity)?|non-?disclosure|secrecy|confidential information)\b/i,
    sentence:
      /\b(?:keep|hold|treat|maintain)s?\b[^.;]{0,80}\b(?:confidential|secret|(?:strict )?confidence)\b|\bshall not disclose\b/i,
  },
  {
    type: 'data_protection',
    heading: /\b(?:data protection|privacy|personal data|data processing|gdpr)\b/i,
    sentence:
      /\b(?:process(?:es|ing)?|protect(?:s|ion of)?)\b[^.;]{0,60}\bpersonal (?:data|information)\b|\bGDPR\b/i,
  },
  {
    type: 'intellectual_property',
    heading:
      /\b(?:intellectual property|ownership|copyrights?|licen[cs]e|work product|inventions?|ip rights)\b/i,
    sentence: /\bintellectual property rights?\b|\b(?:grants?|granted)\b[^.;]{0,60}\blicen[cs]e\b/i,
  },
  {
    type: 'indemnity',
    heading: /\bindemni(?:ty|ties|fication)|\bhold harmless\b/i,
    sentence: /\b(?:shall|will|must|agrees? to) (?:fully )?(?:indemnify|hold harmless)\b/i,
  },
  {
    type: 'liability',
    heading: /\bliabilit(?:y|ies)\b/i,
    sentence:
      /\bliability\b[^.;]{0,80}\b(?:not exceed|limited|unlimited|excluded)\b|\b(?:shall|will) not be liable\b|\b(?:is|are) not liable\b/i,
  },
  { type: 'insurance', heading: /\binsurance\b/i, sentence: /\bmaintain\b[^.;]{0,60}\binsurance\b/i },
  {
    type: 'warranty',
    heading: /\bwarrant(?:y|ies)\b|\brepresentations\b|\bdisclaimer\b|\bdefects\b/i,
    sentence:
      /\b(?:represents and warrants|warrants that|warranty that|without (?:any )?warrant(?:y|ies)|disclaims)\b/i,
  },
  {
    type: 'non_compete',
    heading: /\bnon-?compet(?:e|ition)\b|\brestrictive covenants?\b|\brestraint of trade\b/i,
    sentence:
      /\b(?:shall|will|must|may|agrees) not (?:to )?(?:directly or indirectly,? )?(?:compete|engage in any (?:competing )?business)\b/i,
  },
  {
    type: 'non_solicitation',
    heading: /\bnon-?solicit(?:ation)?\b/i,
    sentence: /\b(?:shall|will|must|may|agrees) not (?:to )?(?:directly or indirectly,? )?solicit\b/i,
  },
  {
    type: 'force_majeure',
    heading: /\bforce majeure\b|\bevents? beyond\b/i,
    sentence: /\bforce majeure\b|\bbeyond (?:its|their|the) (?:party's |party’s )?(?:reasonable )?control\b/i,
  },
  {
    type: 'assignment',
    heading: /\bassignment\b|\btransfer of (?:rights|this)\b/i,
    sentence:
      /\b(?:assign|transfer)\b[^.;]{0,60}\b(?:this (?:agreement|contract|lease)|rights? (?:and|or) obligations?)\b/i,
  },
  {
    type: 'dispute_resolution',
    heading: /\b(?:disputes?|arbitration|mediation|jurisdiction|venue)\b/i,
    sentence:
      /\b(?:exclusive )?jurisdiction\b|\b(?:settled|resolved) by (?:binding )?(?:arbitration|mediation)\b/i,
  },
  {
    type: 'governing_law',
    heading: /\b(?:governing|applicable|choice of) law\b|^law\b/i,
    sentence: /\bgoverned by\b[^.;]{0,80}\blaws?\b/i,
  },
  {
    type: 'renewal',
    heading: /\b(?:renewal|extension)\b/i,
    sentence:
      /\b(?:automatically|tacitly)? ?(?:renews?|renewed|extended)\b[^.;]{0,40}\b(?:automatically|periods?|terms?|years?|months?)\b/i,
  },
  {
    type: 'probation',
    heading: /\bprobation(?:ary)?\b|\btrial period\b/i,
    sentence: /\b(?:probation(?:ary)? period|period of probation)\b/i,
  },
  {
    type: 'termination',
    heading: /\b(?:termination|cancellation)\b/i,
    sentence:
      /\bmay (?:\w{1,20} )?(?:terminate|cancel)\b[^.;]{0,80}\b(?:agreement|contract|lease|employment|notice|cause|at any time)\b/i,
  },
  {
    type: 'notice',
    heading: /\bnotices?\b/i,
    sentence: /\bnotices?\b[^.;]{0,60}\b(?:shall|must) be (?:in writing|given|sent)\b/i,
  },
  {
    type: 'entire_agreement',
    heading: /\bentire agreement\b/i,
    sentence: /\b(?:contains|is|constitutes)\b[^.;]{0,30}\bentire (?:agreement|understanding)\b/i,
  },
  {
    type: 'amendment',
    heading: /\b(?:amendments?|modifications?|variations?|changes?)\b/i,
    sentence: /\b(?:amendments?|modifications?|variations?|changes?)\b[^.;]{0,60}\b(?:in writing|signed?)\b/i,
  },
  {
    type: 'severability',
    heading: /\bseverab(?:ility|le)\b/i,
    sentence: /\bprovisions?\b[^.;]{0,80}\b(?:invalid|unenforceable)\b/i,
  },
  { type: 'deposit', heading: /\bdeposit\b/i, sentence: /\bsecurity deposit\b/i },
  {
    type: 'subletting',
    heading: /\bsub-?(?:letting|lease|leasing)\b/i,
    sentence: /\b(?:sublet|sub-?lease)\b/i,
  },
  {
    type: 'maintenance',
    heading: /\b(?:maintenance|repairs?|upkeep)\b/i,
    sentence:
      /\b(?:shall|must|will) (?:keep|maintain|repair)\b[^.;]{0,60}\b(?:premises|apartment|flat|house|property|repair|condition)\b|\bcarry out\b[^.;]{0,40}\brepairs?\b/i,
  },
  {
    type: 'use_of_premises',
    heading: /\b(?:use of (?:the )?(?:premises|property|apartment)|permitted use)\b/i,
    sentence: null,
  },
  {
    type: 'working_time',
    heading: /\b(?:working (?:hours|time)|hours of work|overtime|place of work)\b/i,
    sentence: /\b\w{1,12} hours (?:a|per) week\b/i,
  },
  {
    type: 'leave',
    heading: /\b(?:leave|holidays?|vacation|absence|sickness)\b/i,
    sentence: /\bdays of (?:paid )?(?:annual )?(?:leave|holiday|vacation)\b/i,
  },
  {
    type: 'payment',
    heading:
      /\b(?:payments?|fees?|prices?|charges?|rent|salary|remuneration|compensation|consideration|invoic(?:es|ing)|pay)\b/i,
    sentence: /\b(?:shall|must|will|agrees? to) (?:re)?pay\b/i,
  },
  {
    type: 'term',
    heading: /\b(?:term|duration|commencement|start date)\b/i,
    sentence: /\b(?:remains? in force|takes? effect|(?:starts?|begins?|commences?) on)\b/i,
  },
  {
    type: 'duties',
    heading:
      /\b(?:duties|position|job title|obligations|responsibilities|services|scope|deliverables|delivery)\b/i,
    sentence: null,
  },
  {
    type: 'definitions',
    heading: /\b(?:definitions?|interpretation)\b/i,
    sentence: /[“\"][^”\"]{1,60}[”\"] (?:shall )?(?:means?|has the meaning)\b/i,
  },
] as const satisfies readonly ClauseKind[];

/** `other` is a clause with a heading that no kind has. */
export type ClauseType = (typeof CLAUSE_KINDS)[number]['type'] | 'other';

export const CLAUSE_TYPES: readonly ClauseType[] = [...CLAUSE_KINDS.map(({ type }) => type), 'other'];

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
