import { isObject } from '../../runtime/json';
import type { ChatMessage } from '../model-provider';
import { remembered, type Wire } from './added-fields';
import { FailedAttempt } from './attempts';

/** The surest way first. As `text` the schema stands in the prompt alone. */
const FORMATS = ['json_schema', 'json_object', 'text'] as const;
export type ResponseFormat = (typeof FORMATS)[number];

/** Remembered for an hour. A request refused for its format has cost nothing: it is made in the next one. */
export class ResponseFormats {
  private readonly known = remembered<ResponseFormat>();

  of(model: string): ResponseFormat {
    return this.known.get(model) ?? FORMATS[0];
  }

  /** A refusal of a caller's schema is not remembered. @param attempt throws FailedAttempt, which is thrown on */
  async asking<Answer>(
    request: Wire,
    isCallersSchema: boolean,
    attempt: (request: Wire, format: ResponseFormat) => Promise<Answer>,
  ): Promise<Answer> {
    const { model } = request;
    const first = this.of(model);
    const asked = async (format: ResponseFormat): Promise<Answer> => {
      const answer = await attempt(inFormat(format, request), format);
      // Only a weaker format that worked shows that the stronger one was at fault.
      if (format !== first && !isCallersSchema) {
        this.known.set(model, format);
      }
      return answer;
    };
    for (const format of FORMATS.slice(FORMATS.indexOf(first), -1)) {
      try {
        return await asked(format);
      } catch (error) {
        if (!refusesFormat(error)) {
          throw error;
        }
      }
    }
    return asked('text');
  }

  ignored(model: string, format: ResponseFormat): void {
    if (format === 'json_schema') {
      this.known.set(model, 'json_object');
    }
  }
}

function inFormat(format: ResponseFormat, request: Wire): Wire {
  const { response_format: asked, messages, ...rest } = request;
  if (format === 'json_schema') {
    return request;
  }
  const schema = isObject(asked) && isObject(asked.json_schema) ? asked.json_schema.schema : {};
  return {
    ...(rest as Wire),
    messages: withSchema(messages as readonly ChatMessage[], schema),
    ...(format === 'json_object' && { response_format: { type: 'json_object' } }),
  };
}

/** The schema stands behind the prompt's own words, of which the first message consists. */
function withSchema([first, ...others]: readonly ChatMessage[], schema: unknown): ChatMessage[] {
  const told = `The answer is one JSON value that has the form of this JSON Schema:\n${JSON.stringify(schema)}`;
  const task = typeof first?.content === 'string' ? first.content : '';
  return first ? [{ ...first, content: `${task}\n\n${told}` }, ...others] : [];
}

const FAULTS_OF_REQUEST = [400, 404, 415, 422];
/** Some servers fail over a schema that they can't make a grammar of. */
const FAULTS_OF_SERVER = [500, 501];
const NAMES_FORMAT =
  /response.?format|json.?(?:schema|object|mode|validat)|structured.?output|guided|grammar|\bschema\b|\bstrict\b|generate json/i;
const NAMES_OTHER =
  /context|too (?:long|large|many)|max_\w*tokens|content.{0,3}(?:filter|policy|management)|moderat|safety|quota|billing|\bmodel\b.{0,80}(?:not found|not exist|unknown)/i;

function refusesFormat(error: unknown): boolean {
  const { status, body } =
    error instanceof FailedAttempt ? (error.reported ?? NOTHING_REPORTED) : NOTHING_REPORTED;
  if (status === null || ![...FAULTS_OF_REQUEST, ...FAULTS_OF_SERVER].includes(status)) {
    return false;
  }
  if (NAMES_FORMAT.test(body)) {
    return true;
  }
  return (status === 400 || status === 422 || status === 501) && !NAMES_OTHER.test(body);
}

const NOTHING_REPORTED = { status: null, body: '' };
