import { LRUCache } from 'lru-cache';
import { UpstreamRefused } from './upstream-errors';
import { FailedAttempt } from './failed-attempt';
import { isObject } from '../../../infrastructure/json/json-object';

const REMEMBERED_MS = 3_600_000;
const MODELS_MAX = 1000;
const OLDER = 'max_tokens';
const NEWER = 'max_completion_tokens';

type CapField = typeof OLDER | typeof NEWER;
type Wire = Readonly<Record<string, unknown>> & { readonly model: string };

/**
 * Puts a cap that this service set into the field that the model knows. Most servers know only `max_tokens`, which
 * OpenAI's newer models refuse. A request that was refused for its field has cost nothing, so it is made once more with
 * the other.
 */
export class OwnCaps {
  /** The field that a model knows, for an hour after it refused the other one. */
  private readonly fields = new LRUCache<string, CapField>({ max: MODELS_MAX, ttl: REMEMBERED_MS });

  /** Makes the attempt with the cap in the right field. @param attempt throws FailedAttempt, which is thrown on */
  async asking<Answer>(request: Wire, attempt: (request: Wire) => Promise<Answer>): Promise<Answer> {
    const field = this.fields.get(request.model) ?? OLDER;
    try {
      return await attempt(withCapIn(field, request));
    } catch (error) {
      if (!refuses(field, error)) {
        throw error;
      }
      const other = field === OLDER ? NEWER : OLDER;
      this.fields.set(request.model, other);
      return attempt(withCapIn(other, request));
    }
  }
}

function withCapIn(field: CapField, { [OLDER]: older, [NEWER]: newer, ...request }: Wire): Wire {
  const cap = newer ?? older;
  return { ...(request as Wire), ...(typeof cap === 'number' && { [field]: cap }) };
}

/** Whether an error says that the model does not know the field. A refusal of the cap's value does not say so. */
function refuses(field: CapField, error: unknown): boolean {
  const failure = error instanceof FailedAttempt ? error.failure : null;
  if (!(failure instanceof UpstreamRefused) || failure.status !== 400) {
    return false;
  }
  const { code, param, message } = errorIn(failure.options.body ?? 'null');
  const isNamed = code === 'unsupported_parameter' && param === field;
  return isNamed || (typeof message === 'string' && message.includes(`Unsupported parameter: '${field}'`));
}

/** The `error` in the body of a refusal. @param body JSON text: no other body of a refusal is kept */
function errorIn(body: string): Readonly<Record<string, unknown>> {
  const json: unknown = JSON.parse(body);
  return isObject(json) && isObject(json.error) ? json.error : {};
}
