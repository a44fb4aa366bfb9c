import type { AnswerQuestion } from '../../core/models/generation/answer-task';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import { embeddedParagraphs } from '../../core/text/markdown/markdown-writing';
import { writtenPage } from '../../core/text/product-docs/written-page';
import { docsPage, type DocsKind, type DocsPage } from './docs-page';

/** A page that is wanted. At least one of brief and source is there. */
export interface DocsWish {
  readonly kind: DocsKind;
  readonly title: string | null;
  readonly brief: string | null;
  readonly source: string | null;
  readonly version: string | null;
}

interface Told {
  readonly title: string;
  readonly sections: readonly { readonly title: string; readonly text: string }[];
}

const WANTED: Record<DocsKind, string> = {
  readme: 'Write the README of a product: what it is, what it does, how it is installed and used.',
  api: 'Write the reference of an API: its operations with their parameters, bodies and answers.',
  guide:
    'Write a guide that leads a reader step by step to a result: purpose, prerequisites, steps, what can go wrong.',
  changelog:
    'Write the changelog of a release in the form of Keep a Changelog: sections Added, Changed, Deprecated, Removed, Fixed and ' +
    'Security, of which only those that have entries.',
};

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['title', 'sections'],
  properties: {
    title: { type: 'string', pattern: '[\\p{L}\\p{N}]', maxLength: 300 },
    sections: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['title', 'text'],
        properties: {
          title: { type: 'string', pattern: '[\\p{L}\\p{N}]', maxLength: 300 },
          text: { type: 'string', pattern: '[\\p{L}\\p{N}]' },
        },
      },
    },
  },
};

/** Asks a model for a page. */
export function writtenDocs({ kind, title, brief, source, version }: DocsWish): AnswerQuestion<DocsPage> {
  const parts: (readonly [line: string, texts: Record<string, string>])[] = [
    [WANTED[kind], {}],
    ...optional('Its title is:\n{{title}}', 'title', title),
    ...optional('The release is:\n{{version}}', 'version', version),
    ...optional('What is wanted:\n{{brief}}', 'brief', brief),
    ...optional('The source:\n{{source}}', 'source', source),
    [
      'Use only facts that stand here: no command, name, number or promise of your own. Where the page needs something that ' +
        'does not stand here, write [To fill in: what is needed]. Write in the language of what is given. Give the sections in ' +
        'their order, with Markdown as text and without their headings in it.',
      {},
    ],
  ];
  return {
    template: new PromptTemplate(parts.map(([line]) => line).join('\n')),
    variables: Object.assign({}, ...parts.map(([, texts]) => texts)) as Record<string, string>,
    name: 'documentation_page',
    schema: SCHEMA,
    read: (told: Told) => {
      const sections = told.sections.map((each) => ({
        title: each.title.trim(),
        level: 2,
        text: embeddedParagraphs(each.text),
      }));
      return docsPage(kind, writtenPage(title ?? told.title.trim(), sections));
    },
  };
}

function optional(line: string, name: string, text: string | null): [string, Record<string, string>][] {
  return text === null ? [] : [[line, { [name]: text }]];
}
