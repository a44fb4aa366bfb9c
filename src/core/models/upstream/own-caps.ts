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
 * Puts a cap on output that no client named into the field that the model knows. Most servers know `max_tokens` alone,
 * OpenAI's newer models refuse it. Refused for its field, a request has done no work, and is made once more with the other.
 */
export class OwnCaps {
  /** What other models than those that know the older one want; by the process' own clock, which nobody sets. */
  private readonly fields = new LRUCache<string, CapField>({ max: MODELS_MAX, ttl: REMEMBERED_MS });

  /** @param attempt throws FailedAttempt; what it throws last is thrown */
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

/** Whether a refusal says that the model does not know the field; one of its value is no such thing. */
function refuses(field: CapField, error: unknown): boolean {
  const failure = error instanceof FailedAttempt ? error.failure : null;
  if (!(failure instanceof UpstreamRefused) || failure.status !== 400) {
    return false;
  }
  const { code, param, message } = errorIn(failure.options.body ?? 'null');
  const isNamed = code === 'unsupported_parameter' && param === field;
  return isNamed || (typeof message === 'string' && message.includes(`Unsupported parameter: '${field}'`));
}

/** @param body JSON, which a refusal that is passed on is */
function errorIn(body: string): Readonly<Record<string, unknown>> {
  const json: unknown = JSON.parse(body);
  return isObject(json) && isObject(json.error) ? json.error : {};
}
