/** In their order; the last may be shorter. */
export function chunksOf<Item>(items: readonly Item[], sizeMax: number): Item[][] {
  const count = Math.ceil(items.length / sizeMax);
  return Array.from({ length: count }, (_, at) => items.slice(at * sizeMax, (at + 1) * sizeMax));
}

/** To the list of its key, which may be the first of it. */
export function addTo<Key, Item>(groups: Map<Key, Item[]>, key: Key, item: Item): void {
  const group = groups.get(key) ?? [];
  group.push(item);
  groups.set(key, group);
}
