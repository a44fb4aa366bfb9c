/** A list in a list in a list, so many deep. */
export function nestedList(depth: number): unknown {
  return Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 1);
}
