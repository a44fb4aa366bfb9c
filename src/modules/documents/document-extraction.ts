import type { DocumentExtract, ExtractDocumentRequest } from '../../../generated/types';
import { Unprocessable } from '../../errors/api-errors';
import { judgeCallersSchema } from '../../models/generation/answer-schema';
import { type AnswerTask, ruleTask } from '../../models/generation/typed-answers';
import { PromptFile } from '../../models/generation/prompt';
import type { TextJob } from '../../text/text-job';
import type { TextThreads } from '../../text/text-threads';
import { textJobs } from '../../text/text.jobs';
import type { StoredText } from './document-reading';

const FINDINGS_MAX = 1_000;
/** Of all tables together. */
const ROWS_MAX = 10_000;
/** In UTF-16 units. Longer texts fit into no request to a model. */
const ASKED_LENGTH_MAX = 400_000;

export type Extract = Omit<DocumentExtract, 'model' | 'usage'>;
type What = NonNullable<DocumentExtract['what']>;

interface ExtractSource extends StoredText {
  readonly documentId: string;
  readonly kind: string;
}

const PROMPT = new PromptFile('extraction');

/** @throws Unprocessable where neither `what` nor `schema` is given, and for a schema that is not taken */
export function extractionTask(
  source: ExtractSource,
  { what = null, schema = null }: Pick<ExtractDocumentRequest, 'what' | 'schema'>,
  threads: TextThreads,
): AnswerTask<Extract> {
  if (schema !== null) {
    return askedTask(source, what, schema);
  }
  if (what === null) {
    throw new Unprocessable('Give what is to be extracted, or a schema.');
  }
  return ruleTask('extraction', [source.text], (signal) => found(source, what, threads, signal));
}

function askedTask(
  source: ExtractSource,
  what: What | null,
  schema: Record<string, unknown>,
): AnswerTask<Extract> {
  judgeCallersSchema(schema);
  if (source.text.length > ASKED_LENGTH_MAX) {
    throw new Unprocessable(`The text has more than ${ASKED_LENGTH_MAX} characters, too many for a model.`);
  }
  return {
    question: {
      prompt: PROMPT.fill({
        choices: { what: what?.replaceAll('_', ' ') ?? 'them' },
        material: { text: source.text },
      }),
      name: 'document_extract',
      schema,
      read: (value: Record<string, unknown>) => ({ ...nothing(source.documentId, what), value }),
    },
    embedded: null,
    without: 'Only a model fills in a schema. Without one send what (entities, tables, …) and no schema.',
    reads: [],
  };
}

async function found(
  { documentId, kind, text, tables }: ExtractSource,
  what: What,
  threads: TextThreads,
  signal: AbortSignal,
): Promise<Extract> {
  const empty = nothing(documentId, what);
  const find = <Item>(job: TextJob<string, Item[]>) => threads.run(job, text, [text], signal);
  if (what === 'tables') {
    // Readers have told all tables but those that only the lines of a text show. Elsewhere commas are those of sentences.
    const isText = kind === 'txt' || kind === 'md';
    const seen = tables.length > 0 || !isText ? tables : await find(textJobs.findTables);
    return { ...empty, ...boundedTables(seen) };
  }
  const items = await find<unknown>(FINDERS[what]);
  return { ...empty, [what]: items.slice(0, FINDINGS_MAX), truncated: items.length > FINDINGS_MAX };
}

const FINDERS: Readonly<Record<Exclude<What, 'tables'>, TextJob<string, unknown[]>>> = {
  entities: textJobs.findEntities,
  dates: textJobs.findDates,
  amounts: textJobs.findAmounts,
  key_values: textJobs.findKeyValues,
};

function nothing(documentId: string, what: What | null): Extract {
  const none = { entities: null, tables: null, key_values: null, dates: null, amounts: null, value: null };
  return { document_id: documentId, what, ...none, truncated: false };
}

function boundedTables(
  tables: readonly { readonly header: string[]; readonly rows: string[][] }[],
): Pick<Extract, 'tables' | 'truncated'> {
  let rowsLeft = ROWS_MAX;
  let isTruncated = tables.length > FINDINGS_MAX;
  const kept = tables.slice(0, FINDINGS_MAX).map(({ header, rows }) => {
    const taken = rows.slice(0, rowsLeft);
    isTruncated ||= taken.length < rows.length;
    rowsLeft -= taken.length;
    return { header, rows: taken };
  });
  return { tables: kept, truncated: isTruncated };
}
