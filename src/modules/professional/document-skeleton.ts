import { splitSentences } from '../../text/split-sentences';

export type DocumentKind =
  'proposal' | 'report' | 'letter' | 'email' | 'memo' | 'meeting_minutes' | 'press_release' | 'job_posting';

/** A section of a skeleton. */
interface SkeletonSection {
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
const HEADERS: Readonly<Record<DocumentKind, readonly string[]>> = {
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
const READING_ORDER: Readonly<Record<DocumentKind, readonly string[]>> = {
  proposal: ['Background', 'Proposal', 'Schedule', 'Cost', 'Next step'],
  report: ['Subject', 'Findings', 'Causes', 'Recommendation'],
  letter: ['Letter'],
  email: ['Message'],
  memo: ['Message', 'What to do'],
  meeting_minutes: ['Discussed', 'Decisions', 'Actions'],
  press_release: ['News', 'Quote', 'Contact'],
  job_posting: ['The job', 'Requirements', 'What we offer', 'How to apply'],
};

/** What a document is to be about. */
interface DocumentBrief {
  readonly kind: DocumentKind;
  readonly brief: string;
  readonly audience: string | null;
  readonly tone: 'formal' | 'neutral' | 'friendly';
}

export interface ProfessionalDocument {
  readonly title: string;
  readonly sections: { readonly heading: string; readonly text: string }[];
}

const TITLE_LENGTH_MAX = 80;
const SALUTED: readonly DocumentKind[] = ['letter', 'email'];
const GREETINGS = { formal: 'Dear', neutral: 'Dear', friendly: 'Hello' };
const CLOSINGS = { formal: 'Yours sincerely,', neutral: 'Kind regards,', friendly: 'Best wishes,' };

/**
 * A document of a kind whose content is the brief's own sentences, word for word and each once, in the sections that such a
 * document has. What the brief doesn't say is a place to fill in, in square brackets.
 */
export function documentSkeleton(order: DocumentBrief): ProfessionalDocument {
  const { kind, brief, audience, tone } = order;
  const all = splitSentences(brief).map(({ text }) => text.split(/\s+/u).join(' '));
  const header = headerOf(order, all);
  const sentences = all.filter((sentence) => !header.said.has(sentence));
  const sections = SKELETONS[kind].map((section) => ({ ...section, sentences: [] as string[] }));
  for (const sentence of sentences) {
    sections.find(({ takes }) => takes === null || takes.test(sentence))?.sentences.push(sentence);
  }
  const name = kind.replace('_', ' ');
  const bodies = READING_ORDER[kind].flatMap((heading) => {
    const section = sections.find((each) => each.heading === heading);
    const text = section?.sentences.join(' ') ?? '';
    return section ? [{ heading, text: text === '' ? `[${section.toFillIn}]` : text }] : [];
  });
  return {
    title: `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${subjectOf(sentences[0] ?? all[0] ?? '')}`,
    sections: [
      { heading: 'Header', text: header.text },
      ...bodies.map(({ heading, text }) => ({
        heading,
        text: SALUTED.includes(kind)
          ? `${GREETINGS[tone]} ${plain(audience) ?? '[Name]'},\n\n${text}\n\n${CLOSINGS[tone]}\n[Your name]`
          : text,
      })),
    ],
  };
}

/** The document as Markdown. */
export function documentText({ title, sections }: ProfessionalDocument): string {
  return [`# ${title}`, ...sections.flatMap(({ heading, text }) => [`## ${heading}`, text])].join('\n\n');
}

/** The lines of the header, with what sentences of the brief such as "Present: Ana, Bo." say, and these sentences. */
function headerOf({ kind, audience }: DocumentBrief, sentences: readonly string[]) {
  const said = new Set<string>();
  const lines = HEADERS[kind].map((label) => {
    const sentence = sentences.find((each) => each.toLowerCase().startsWith(`${label.toLowerCase()}: `));
    if (label === 'To' && audience !== null) {
      return `To: ${plain(audience) ?? ''}`;
    }
    if (sentence === undefined) {
      return `${label}: [${label === 'To' ? 'Name' : label}]`;
    }
    said.add(sentence);
    return `${label}: ${sentence.slice(label.length + 2).replace(/\.$/u, '')}`;
  });
  const readers = audience !== null && !HEADERS[kind].includes('To') ? [`For: ${plain(audience) ?? ''}`] : [];
  return { text: [...lines, ...readers].join('\n'), said };
}

function plain(audience: string | null): string | null {
  return audience === null ? null : audience.split(/\s+/u).join(' ').trim();
}

/** The first sentence of the brief without its last mark, cut after a word. */
function subjectOf(sentence: string): string {
  const subject = sentence.replace(/(?<![.!?…])[.!?…]+$/u, '');
  if (subject.length <= TITLE_LENGTH_MAX) {
    return subject;
  }
  const cut = subject.slice(0, TITLE_LENGTH_MAX);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), TITLE_LENGTH_MAX / 2)).trimEnd()} …`;
}
