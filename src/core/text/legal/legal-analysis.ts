import { amountsIn, type FoundAmount } from '../analysis/amounts';
import { datesIn, type FoundDate } from '../analysis/dates';
import { splitSentences } from '../split-sentences';
import type { ClauseType } from './clause-types';
import { documentTypeOf, usualClauses, type DocumentType } from './document-types';
import { clausesIn, type Clause } from './find-clauses';
import { definitionsIn, type Definition } from './find-definitions';
import { obligationsIn, type Obligation } from './find-obligations';
import { partiesIn, type Party } from './find-parties';
import { governingLawOf, type GoverningLaw } from './governing-law';

/** What rules find of a contract. */
export interface LegalAnalysis {
  /** Null where nothing tells that the text is a contract or the like. */
  readonly documentType: DocumentType | null;
  readonly parties: Party[];
  readonly clauses: Clause[];
  /** Clauses that documents of the type usually have, and this one has not; null where the type is not known. */
  readonly missingClauses: ClauseType[] | null;
  readonly dates: FoundDate[];
  readonly amounts: FoundAmount[];
  readonly governingLaw: GoverningLaw | null;
}

/** The facts that rules find in a contract. */
export interface LegalFacts {
  readonly parties: Party[];
  readonly dates: FoundDate[];
  readonly amounts: FoundAmount[];
  readonly obligations: Obligation[];
  readonly definitions: Definition[];
}

/** The most dates, and the most amounts, that are returned for a text. */
export const VALUES_MAX = 1_000;

/** Analyses an English contract by rules. Of each list the first thousand are returned. */
export function legalAnalysis(text: string): LegalAnalysis {
  const documentType = documentTypeOf(text);
  const { clauses, types } = clausesIn(text);
  const governingLaw = governingLawOf(text);
  const has = (type: ClauseType) => types.has(type) || (type === 'governing_law' && governingLaw !== null);
  return {
    documentType,
    parties: partiesIn(text),
    clauses,
    missingClauses: documentType && usualClauses(documentType).filter((type) => !has(type)),
    dates: datesIn(text).slice(0, VALUES_MAX),
    amounts: amountsIn(text).slice(0, VALUES_MAX),
    governingLaw,
  };
}

/** Finds who has to do what, by when and for how much in an English contract, and what its terms mean. */
export function legalFacts(text: string): LegalFacts {
  const parties = partiesIn(text);
  const sentences = splitSentences(text);
  return {
    parties,
    dates: datesIn(text).slice(0, VALUES_MAX),
    amounts: amountsIn(text).slice(0, VALUES_MAX),
    obligations: obligationsIn(text, sentences, parties),
    definitions: definitionsIn(text, sentences, parties),
  };
}
