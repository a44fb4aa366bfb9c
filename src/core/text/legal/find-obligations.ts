import { datesIn } from '../analysis/dates';
import type { Sentence } from '../split-sentences';
import { deadlineIn } from './find-deadline';
import type { Party } from './find-parties';
import { partyPattern } from './party-words';

/** What a party of a contract has to do, or must not do. `obligation === text.slice(start, end)`. */
export interface Obligation {
  /** Who, by the party's role or name or as the text says it; null where it says what has to be done, and not by whom. */
  readonly party: string | null;
  readonly obligation: string;
  /** The words that say by when; null where none do. */
  readonly deadline: string | null;
  /** The deadline as ISO 8601, where it is a date; null otherwise. */
  readonly deadlineDate: string | null;
  readonly start: number;
  readonly end: number;
}

export const OBLIGATIONS_MAX = 1_000;
/** A sentence with more is no sentence. */
const MODALS_MAX = 8;
/** In UTF-16 units. The subject stands so near before its verb. */
const SUBJECT_REACH = 200;
const MODAL =
  /\b(?:shall|must|will|may(?: not)?|agrees? (?:not )?to|undertakes? (?:not )?to|covenants? (?:not )?to|(?:is|are) (?:required|obliged|obligated) to)\b/gi;
/** What follows where a right or a rule is stated and no duty. */
const NO_DUTY =
  /^(?:,? ?\w{1,12}ly,? )?(?: not)? ?(?:be (?:entitled|liable|deemed|considered|construed|governed|responsible|able|free|bound|required|obliged)|have (?:the|a|an|no) (?:right|option|liability|obligation|authority)|mean|include|apply|survive|prevail|remain in|continue|commence|begin|start|terminate\b|expire|constitute|not (?:be (?:required|obliged)|exceed)|own|retain)\b/i;
/** Terms of use and letters say so. What you "will" is as often a promise of theirs. */
const PRONOUN = /^(?:you|we)$/i;
/** Who may not, although the verb has no "not": "Neither party may assign". What others may is a right. */
const NOBODY = /^(?:neither|no)\b/i;
/** A duty whose bearer is not named: "Invoices shall be paid within 30 days." */
const PASSIVE_DUTY =
  /^ (?:not )?be (?:\w{1,12}ly )?(?:paid|made|given|sent|delivered|returned|destroyed|provided|submitted|performed|kept|held|maintained|reported|notified|completed|supplied|repaid|reimbursed|refunded|credited|replaced|repaired|transferred|used|disclosed|copied|served|addressed|documented)\b/i;
const TRAILING = /(?<![\s,;:.])[\s,;:.]+(?:(?:and|but|or|provided that|unless|whereas|while)\s*)?$/iu;

/** The obligations in the sentences of an English contract, in order. Sentences about the contract itself are none. */
export function obligationsIn(
  source: string,
  sentences: readonly Sentence[],
  parties: readonly Party[],
): Obligation[] {
  const subjects = new Subjects(parties);
  const found: Obligation[] = [];
  for (const sentence of sentences) {
    if (found.length >= OBLIGATIONS_MAX) {
      break;
    }
    found.push(...ofSentence(source, sentence, subjects));
  }
  return found.slice(0, OBLIGATIONS_MAX);
}

/** A duty's beginning: where its subject and its verb stand in the sentence. */
interface Begun {
  readonly party: string | null;
  readonly start: number;
}

function ofSentence(source: string, { text, start }: Sentence, subjects: Subjects): Obligation[] {
  const modals = [...text.matchAll(MODAL)].slice(0, MODALS_MAX);
  const begun: Begun[] = [];
  let from = 0;
  for (const { index, 0: modal } of modals) {
    const after = text.slice(index + modal.length, index + modal.length + 120);
    const subject = subjects.before(text, from, index);
    const who = subject?.party ?? '';
    if ((/^may$/i.test(modal) && !NOBODY.test(who)) || (/^will$/i.test(modal) && PRONOUN.test(who))) {
      continue;
    }
    const isPassive = /^(?:shall|must|will)$/i.test(modal) && PASSIVE_DUTY.test(after);
    if (subject && !NO_DUTY.test(after)) {
      begun.push(subject);
    } else if (subject === null && isPassive && begun.length === 0) {
      begun.push({ party: null, start: 0 });
    } else if (subject) {
      begun.push({ ...subject, party: NOTHING });
    }
    from = index + modal.length;
  }
  return begun.flatMap(({ party, start: at }, place) => {
    const until = begun[place + 1]?.start ?? text.length;
    const part = text.slice(at, until);
    const obligation = place + 1 < begun.length ? part.replace(TRAILING, '') : part.trimEnd();
    return party === NOTHING || obligation === ''
      ? []
      : [obligationAt(source, party, start + at, start + at + obligation.length)];
  });
}

/** Marks the part of a sentence that states a right: it ends the duty before it and is none. */
const NOTHING = '';

function obligationAt(source: string, party: string | null, start: number, end: number): Obligation {
  const obligation = source.slice(start, end);
  const deadline = deadlineIn(obligation);
  const date = deadline === null ? undefined : datesIn(deadline)[0];
  return { party, obligation, deadline, deadlineDate: date?.date ?? null, start, end };
}

/** Finds who is meant before a verb. */
class Subjects {
  private readonly pattern: RegExp;
  private readonly roles = new Map<string, string>();

  constructor(parties: readonly Party[]) {
    for (const { name, role, aliases } of parties) {
      for (const each of [name, ...aliases]) {
        this.roles.set(each.toLowerCase(), role ?? aliases[0] ?? name);
      }
    }
    const inserted = String.raw`(?:,[^,;:]{1,100},|\s\([^()]{1,60}\))?`;
    const adverbs = String.raw`(?:\s(?:also|hereby|further|each|jointly|therefore|only|then|always|at all times|\p{L}{2,12}ly)){0,2}`;
    const named = partyPattern(parties.flatMap(({ name, aliases }) => [name, ...aliases]));
    // Where parties are named, "we" is no party: "we must go".
    const names = `(?:${named}|${parties.length === 0 ? 'you|we' : 'you'})`;
    this.pattern = new RegExp(
      String.raw`(?<![\p{L}\p{N}’'-])(?<who>${names})${inserted}${adverbs}\s{1,4}$`,
      'iu',
    );
  }

  /** Who is named right before `to`, and not before `from`; null where it is no party. */
  before(text: string, from: number, to: number): Begun | null {
    const reach = Math.max(from, to - SUBJECT_REACH);
    const match = this.pattern.exec(text.slice(reach, to));
    const who = match?.groups?.who;
    if (
      !match ||
      who === undefined ||
      isGenitive(text.slice(Math.max(0, reach + match.index - 4), reach + match.index))
    ) {
      return null;
    }
    const plain = who.replace(/^the\s+/i, '');
    return {
      party: this.roleOf(plain.toLowerCase()) ?? plain.split(/\s+/u).join(' '),
      start: reach + match.index,
    };
  }

  /** Of several who have one role, too: "the tenants". */
  private roleOf(name: string): string | undefined {
    return this.roles.get(name) ?? this.roles.get(name.replace(/s$/u, ''));
  }
}

/** "The obligations of the Supplier shall …" is not about what the supplier does. */
function isGenitive(before: string): boolean {
  return /\b(?:of|to|by|for) $/i.test(before);
}
