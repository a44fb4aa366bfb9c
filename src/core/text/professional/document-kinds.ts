export type DocumentKind =
  'proposal' | 'report' | 'letter' | 'email' | 'memo' | 'meeting_minutes' | 'press_release' | 'job_posting';

/** A section of a skeleton. */
export interface SkeletonSection {
  readonly heading: string;
  /** Sentences of the brief with these words belong here; null for the section that takes all others. */
  readonly takes: RegExp | null;
  /** What the writer has to say here where the brief says nothing. */
  readonly toFillIn: string;
}

const COSTS =
  /[$€£]\s?\d|\b(?:USD|EUR|GBP|CHF)\b|\b(?:costs?|prices?|budget|fees?|salary|pay|invoices?|paid)\b/i;
const TIMES =
  /\b(?:deadline|schedule|timeline|until|weeks?|months?|days?|january|february|march|april|june|july|august|september|october|november|december|20\d\d|monday|tuesday|wednesday|thursday|friday)\b|\bMay \d/i;
const ASKS =
  /\b(?:please|ask(?:s|ed)?|request(?:s|ed)?|need(?:s|ed)? you|let (?:me|us) know|confirm|reply|approve|sign|contact|apply|call)\b|\?/i;
const PROBLEMS = /\b(?:problem|issue|because|currently|today|so far|background|complain|lack|slow|fail)/i;
const RESULTS =
  /\b(?:result|found|show(?:s|ed)?|increase|decrease|rose|fell|grew|average|per cent|percent|measured)|\d ?%/i;
const DECIDES = /\b(?:decide[ds]?|decision|agreed|approved|resolved|voted)\b/i;
const TASKS = /\b(?:will|shall|has to|must|action|responsible|take[s]? over|prepares?|sends?)\b/i;
const WISHES = /\b(?:experience|skills?|degree|knowledge|fluent|required|must|should have|years? of)\b/i;

/** The sections of each kind of document, in order. A sentence goes to the first section that takes it. */
export const SKELETONS: Readonly<Record<DocumentKind, readonly SkeletonSection[]>> = {
  proposal: [
    { heading: 'Next step', takes: ASKS, toFillIn: 'What the reader is asked to decide, and by when' },
    { heading: 'Background', takes: PROBLEMS, toFillIn: 'Why this is needed' },
    { heading: 'Cost', takes: COSTS, toFillIn: 'What it costs' },
    { heading: 'Schedule', takes: TIMES, toFillIn: 'When it starts and when it is done' },
    { heading: 'Proposal', takes: null, toFillIn: 'What is proposed' },
  ],
  report: [
    { heading: 'Findings', takes: RESULTS, toFillIn: 'What was found' },
    { heading: 'Causes', takes: PROBLEMS, toFillIn: 'Why it is so' },
    { heading: 'Recommendation', takes: ASKS, toFillIn: 'What should be done' },
    { heading: 'Subject', takes: null, toFillIn: 'What the report is about, and which period it covers' },
  ],
  letter: [{ heading: 'Letter', takes: null, toFillIn: 'What the letter says' }],
  email: [{ heading: 'Message', takes: null, toFillIn: 'What the email says' }],
  memo: [
    { heading: 'What to do', takes: ASKS, toFillIn: 'What the reader has to do, and by when' },
    { heading: 'Message', takes: null, toFillIn: 'What the reader has to know' },
  ],
  meeting_minutes: [
    { heading: 'Decisions', takes: DECIDES, toFillIn: 'What was decided' },
    { heading: 'Actions', takes: TASKS, toFillIn: 'Who does what until when' },
    { heading: 'Discussed', takes: null, toFillIn: 'What was discussed' },
  ],
  press_release: [
    {
      heading: 'Contact',
      takes: /@|\bcontact\b|\bphone\b|\bcall\b/i,
      toFillIn: 'Name, telephone and email for questions',
    },
    { heading: 'Quote', takes: /[“"][^”"]{10,}[”"]/, toFillIn: 'What somebody responsible says about it' },
    { heading: 'News', takes: null, toFillIn: 'Who does what, when, where and why' },
  ],
  job_posting: [
    { heading: 'Requirements', takes: WISHES, toFillIn: 'What the person has to bring' },
    { heading: 'What we offer', takes: COSTS, toFillIn: 'Pay and benefits' },
    { heading: 'How to apply', takes: ASKS, toFillIn: 'To whom, how and until when' },
    { heading: 'The job', takes: null, toFillIn: 'What the person does' },
  ],
};

/** Lines that stand before the sections: each is a place to fill in, or the audience. */
export const HEADERS: Readonly<Record<DocumentKind, readonly string[]>> = {
  proposal: ['To', 'From', 'Date'],
  report: ['Author', 'Date'],
  letter: ['Sender’s name and address', 'To', 'Place and date'],
  email: ['To'],
  memo: ['To', 'From', 'Date'],
  meeting_minutes: ['Date and place', 'Present'],
  press_release: ['Place and date'],
  job_posting: ['Place of work', 'Start date'],
};

/** The headings in the order in which they are read, which is not the order in which they take sentences. */
export const READING_ORDER: Readonly<Record<DocumentKind, readonly string[]>> = {
  proposal: ['Background', 'Proposal', 'Schedule', 'Cost', 'Next step'],
  report: ['Subject', 'Findings', 'Causes', 'Recommendation'],
  letter: ['Letter'],
  email: ['Message'],
  memo: ['Message', 'What to do'],
  meeting_minutes: ['Discussed', 'Decisions', 'Actions'],
  press_release: ['News', 'Quote', 'Contact'],
  job_posting: ['The job', 'Requirements', 'What we offer', 'How to apply'],
};
