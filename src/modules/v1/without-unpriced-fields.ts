/**
 * Fields in which some servers read, in place of `max_tokens` and `n`, how much they shall produce. The reservation
 * goes by `max_tokens` and `n` alone, so with these fields a client could get much more output than is reserved.
 */
const OTHER_CAPS = new Set([
  ...['n_predict', 'num_predict', 'max_new_tokens', 'max_gen_toks', 'max_length', 'min_tokens', 'n_cmpl'],
]);
/** In completions this field belongs to the API and is priced; in a chat it would make unpriced output. */
const BEST_OF = 'best_of';

/** The request without the fields by which more output could be had than is reserved. */
export function withoutUnpricedFields<Request extends object>(
  request: Request,
  { knowsBestOf = false }: { knowsBestOf?: boolean } = {},
): Request {
  const isKept = (name: string) => !OTHER_CAPS.has(name) && (name !== BEST_OF || knowsBestOf);
  return Object.fromEntries(Object.entries(request).filter(([name]) => isKept(name))) as Request;
}
