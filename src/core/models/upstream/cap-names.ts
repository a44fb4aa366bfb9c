import { UpstreamRefused } from '../../errors/upstream-errors';

type CapName = 'max_tokens' | 'max_completion_tokens';
type Request = Readonly<Record<string, unknown>> & { readonly model: string };

const OTHER: Record<CapName, CapName> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};
/** What servers say of a field that they don't take, whatever its value. */
const UNKNOWN =
  /unsupported[ _]parameter|is not supported|not permitted|extra_forbidden|(?:unknown|unrecognized|unexpected) \w+/i;

/**
 * The name under which each model takes the cap of a chat's output: models that reason refuse `max_tokens`, strict servers
 * `max_completion_tokens`, and this service caps what its caller did not. Holds the upstream's own models only.
 */
export class CapNames {
  private readonly known = new Map<string, CapName>();

  /**
   * Sends a chat, and a second time under the cap's other name when the first is refused for it, which is then kept.
   * @throws what `send` throws; the first refusal where the second name is refused too
   */
  async send<Answer>(request: Request, send: (request: Request) => Promise<Answer>): Promise<Answer> {
    const given = capOf(request);
    const known = this.known.get(request.model);
    if (!given) return send(request);
    if (known) return send(renamed(request, given, known));
    try {
      return await send(request);
    } catch (refusal) {
      if (!isAbout(given, refusal)) throw refusal;
      const answer = await send(renamed(request, given, OTHER[given])).catch((error: unknown) => {
        throw error instanceof UpstreamRefused ? refusal : error;
      });
      this.known.set(request.model, OTHER[given]);
      return answer;
    }
  }
}

/** Null where it has none, or both names, which only its caller can have meant. */
function capOf(request: Request): CapName | null {
  const given = (['max_tokens', 'max_completion_tokens'] as const).filter(
    (name) => typeof request[name] === 'number',
  );
  return given.length === 1 ? (given[0] ?? null) : null;
}

function renamed(request: Request, from: CapName, to: CapName): Request {
  const { [from]: cap, ...rest } = request;
  return { ...rest, model: request.model, [to]: cap };
}

function isAbout(name: CapName, error: unknown): boolean {
  if (!(error instanceof UpstreamRefused) || (error.status !== 400 && error.status !== 422)) return false;
  const { body = '' } = error.options;
  return body.includes(name) && UNKNOWN.test(body);
}
