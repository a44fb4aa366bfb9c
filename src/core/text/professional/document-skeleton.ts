import { splitSentences } from '../split-sentences';
import { HEADERS, READING_ORDER, SKELETONS, type DocumentKind } from './document-kinds';

/** What a document is to be about. */
export interface DocumentBrief {
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
