import { amountsIn, type FoundAmount } from '../../text/amounts';
import { datesIn, type FoundDate } from '../../text/dates';
import { splitSentences } from '../../text/split-sentences';
import { textJobsOf } from '../../text/text-job';
import { type Clause, clausesIn } from './clauses';
import { type Definition, definitionsIn } from './definitions';
import { type GoverningLaw, governingLawOf } from './governing-law';
import { partiesIn, type Party } from './parties';
import { textChanges, type TextChanges } from './text-changes';

/** The values that rules find in a contract. */
interface LegalValues {
  readonly parties: Party[];
  readonly dates: FoundDate[];
  readonly amounts: FoundAmount[];
  /** Whether a list has more than is returned of it. */
  readonly truncated: boolean;
}

/** What rules find of a contract. They judge no risk and miss no clause: only a model does. */
interface LegalAnalysis extends LegalValues {
  readonly clauses: Clause[];
  readonly governingLaw: GoverningLaw | null;
}

/** The facts that rules find in a contract. */
interface LegalFacts extends LegalValues {
  readonly definitions: Definition[];
}

/** How many of each list are returned for a text. */
const LISTED_MAX = 1_000;

function valuesIn(text: string) {
  return { parties: partiesIn(text), dates: datesIn(text), amounts: amountsIn(text) };
}

/** The first thousand of each list. */
function listed<Lists extends Readonly<Record<string, readonly unknown[]>>>(
  lists: Lists,
): Lists & { truncated: boolean } {
  const all = Object.entries(lists);
  const first = Object.fromEntries(all.map(([name, list]) => [name, list.slice(0, LISTED_MAX)]));
  return { ...(first as unknown as Lists), truncated: all.some(([, list]) => list.length > LISTED_MAX) };
}

/** Analyses an English contract by rules. */
export function legalAnalysis(text: string): LegalAnalysis {
  return { ...listed({ ...valuesIn(text), clauses: clausesIn(text) }), governingLaw: governingLawOf(text) };
}

/** Finds the parties, dates and amounts of an English contract, and what its terms mean. */
export function legalFacts(text: string): LegalFacts {
  const values = valuesIn(text);
  return listed({ ...values, definitions: definitionsIn(text, splitSentences(text), values.parties) });
}

/** What differs between two texts. */
function compareTexts({ before, after }: { before: string; after: string }): TextChanges {
  return textChanges(before, after);
}

export const legalJobs = textJobsOf(__filename, {
  analyzeLegalText: legalAnalysis,
  compareTexts,
  findLegalFacts: legalFacts,
});
