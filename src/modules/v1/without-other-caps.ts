/**
 * Names by which some servers read, in place of `max_tokens` and `n`, how much they may produce. What an answer costs is
 * reserved by the API's own names, so that these would have much more produced than is paid for.
 */
const OTHER_CAPS = new Set([
  ...['n_predict', 'num_predict', 'max_new_tokens', 'max_gen_toks', 'max_length', 'min_tokens', 'n_cmpl'],
]);
/** The one such name that is the API's own in completions alone. */
const BEST_OF = 'best_of';

/** The request without the fields that would have more produced than is reserved. */
export function withoutOtherCaps<Request extends object>(
  request: Request,
  { knowsBestOf = false }: { knowsBestOf?: boolean } = {},
): Request {
  const isKept = (name: string) => !OTHER_CAPS.has(name) && (name !== BEST_OF || knowsBestOf);
  return Object.fromEntries(Object.entries(request).filter(([name]) => isKept(name))) as Request;
}
