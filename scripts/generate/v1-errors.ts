import { at, isObject, type Json, type JsonObject } from './json';

const SUFFIX = 'OfV1';
const FORM = { $ref: '#/components/schemas/OpenAiError' };
const VARY = {
  description: 'What the form of errors depends on: `X-Error-Format`, `X-Stainless-Lang` and `User-Agent`.',
  schema: { type: 'string' },
};

/**
 * Operations of /v1 share their errors with all others, and tell them to OpenAI's clients in another form: each such answer gets a
 * copy that may have either. Those of messages have Anthropic's form alone.
 */
export function addErrorsOfV1(document: JsonObject): void {
  const shared = at(document, 'components', 'responses') as JsonObject;
  for (const [path, item] of Object.entries(document.paths as JsonObject)) {
    if (path.startsWith('/v1/') && !path.startsWith('/v1/messages')) {
      Object.values(item as JsonObject).forEach((operation) => addTo(operation, shared));
    }
  }
}

function addTo(operation: Json, shared: JsonObject): void {
  for (const [status, answer] of Object.entries((at(operation, 'responses') ?? {}) as JsonObject)) {
    const name =
      String(at(answer, '$ref') ?? '')
        .split('/')
        .at(-1) ?? '';
    if (!status.startsWith('2') && isObject(answer) && isObject(shared[name])) {
      const own = name.endsWith(SUFFIX) ? name : name + SUFFIX;
      shared[own] ??= structuredClone(shared[name]);
      completeForm(shared[own] as JsonObject);
      answer.$ref = `#/components/responses/${own}`;
    }
  }
}

function completeForm(answer: JsonObject): void {
  answer.headers = { ...(answer.headers as JsonObject | undefined), Vary: VARY };
  const media = at(answer, 'content', 'application/json') as JsonObject;
  const { schema } = media;
  const forms = (at(schema, 'anyOf') ?? [schema]) as JsonObject[];
  if (!forms.some(({ $ref }) => $ref === FORM.$ref)) {
    media.schema = { anyOf: [...forms, FORM] };
  }
}
