/** In their order; the last may be shorter. */
export function chunksOf<Item>(items: readonly Item[], sizeMax: number): Item[][] {
  const count = Math.ceil(items.length / sizeMax);
  return Array.from({ length: count }, (_, at) => items.slice(at * sizeMax, (at + 1) * sizeMax));
}
