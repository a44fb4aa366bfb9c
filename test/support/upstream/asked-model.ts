import type { Json, JsonObject } from '../../../scripts/generate/json';
import { valueOfSchema } from '../../contract/value-of-schema';

/** A request of the service to a model, as a reader of its rules understands it. */
export class AskedModel {
  private readonly contents: readonly string[];

  constructor(private readonly body: JsonObject) {
    const messages = (body.messages ?? []) as { content: string | { text?: string }[] }[];
    this.contents = messages.map(({ content }) =>
      typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n'),
    );
  }

  /** What the service itself says: its code is told there, and no text of others is. */
  get task(): string {
    return this.contents[0] ?? '';
  }

  /** By which the tags of material are known. */
  get code(): string {
    return /end in the code (\d{18}),/.exec(this.task)?.[1] ?? 'no code';
  }

  /** What stands between the tags, by name. */
  get material(): ReadonlyMap<string, string> {
    const found = this.contents.flatMap((content) => [...content.matchAll(this.fenced)]);
    return new Map(found.map(([, name = '', text = '']) => [name, text]));
  }

  /** All that is said outside of the tags, without the code. A model that heeds its rules obeys nothing else. */
  get outside(): string {
    return this.contents
      .map((content) => content.replaceAll(this.fenced, ''))
      .join('\n')
      .replaceAll(this.code, 'CODE')
      .trim();
  }

  /** Whether it is the second request of a call. */
  get isSecond(): boolean {
    return this.task.includes('You have answered before');
  }

  /** The schema that the answer has to have, from wherever it is told; null where a text is wanted. */
  get schema(): JsonObject | null {
    const format = this.body.response_format as { json_schema?: { schema: JsonObject } } | undefined;
    const [, inPrompt] = /JSON Schema:\n(\{.*\})/.exec(this.task) ?? [];
    return (
      format?.json_schema?.schema ?? (inPrompt === undefined ? null : (JSON.parse(inPrompt) as JsonObject))
    );
  }

  /** The first sentence of the longest text. */
  get sentence(): string {
    const texts = [...this.material].filter(([name]) => name !== 'former_answer').map(([, text]) => text);
    const longest = texts.sort((one, other) => other.length - one.length)[0] ?? 'text';
    return longest.split(/(?<=[.!?])\s+|\n/)[0]?.trim() ?? 'text';
  }

  /** The example of the prompt. */
  get example(): Json {
    const [, json = 'null'] = /\nExample\.[\s\S]*?\n(\{.*\})/.exec(this.task) ?? [];
    return JSON.parse(json) as Json;
  }

  private get fenced(): RegExp {
    return new RegExp(`<([a-z_0-9]+)-${this.code}>\\n([\\s\\S]*?)\\n</\\1-${this.code}>`, 'g');
  }
}

const INDEXED = 'The lighthouse was built in 1871.';
const suggestions = (quote: string) => ({
  suggestions: [{ quote, replacement: 'Shorter.', reason: 'It is shorter.' }],
});
/** Answers that have to fit what was asked in more than their form. */
const ANSWERS: Record<string, (sentence: string) => object> = {
  draft_suggestions: suggestions,
  page_suggestions: suggestions,
  omm_summarize: (text) => ({ results: [{ index: 0, summary: 'Short.', sentences: [text] }] }),
  research_findings: () => ({
    findings: [{ text: 'It was built in 1871 [1].', citations: [{ source: 1, quote: INDEXED }] }],
  }),
  text_changes: (before) => ({ changes: [{ before, after: 'Shorter.', reason: 'It is shorter.' }] }),
};

/** A right answer, whose quotes all stand in what the request gives to read. */
export function rightAnswer(asked: AskedModel): string {
  const { schema, sentence } = asked;
  if (schema === null) {
    return asked.material.has('question') ? 'It was built in 1871 [1].' : 'The letter\n\nMara read it twice.';
  }
  const fields = Object.keys((schema.properties ?? {}) as JsonObject).join();
  const results = JSON.stringify(schema).includes('"sentences"') ? 'omm_summarize' : '';
  const name =
    { suggestions: 'draft_suggestions', changes: 'text_changes', findings: 'research_findings' }[fields] ??
    results;
  return JSON.stringify(ANSWERS[name]?.(sentence) ?? valueOfSchema(schema, sentence));
}
