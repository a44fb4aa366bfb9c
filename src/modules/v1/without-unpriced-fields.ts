/**
 * Names by which some servers read, in place of `max_tokens` and `n`, how much they may produce. What an answer costs is
 * reserved by the API's own names, so that these would have much more produced than is paid for.
 */
const OTHER_CAPS = new Set([
  ...['n_predict', 'num_predict', 'max_new_tokens', 'max_gen_toks', 'max_length', 'min_tokens', 'n_cmpl'],
]);
/** By which routers have another model answer than the one whose price the call has. */
const OTHER_MODELS = new Set(['models', 'route']);
/** The one name of a cap that is the API's own in completions alone. */
const BEST_OF = 'best_of';

/** The request without the fields that would have more produced, or something dearer, than is reserved. */
export function withoutUnpricedFields<Request extends object>(
  request: Request,
  { knowsBestOf = false }: { knowsBestOf?: boolean } = {},
): Request {
  const isKept = (name: string) =>
    !OTHER_CAPS.has(name) && !OTHER_MODELS.has(name) && (name !== BEST_OF || knowsBestOf);
  return Object.fromEntries(Object.entries(request).filter(([name]) => isKept(name))) as Request;
}
