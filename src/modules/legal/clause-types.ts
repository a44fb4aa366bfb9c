/** A kind of clause, and how it is recognised. */
export interface ClauseKind {
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
