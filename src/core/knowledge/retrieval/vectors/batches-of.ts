/**
 * Splits texts into batches in their order. A batch has at most so many texts, and so many characters unless it is a
 * single text.
 */
export function batchesOf(
  texts: readonly string[],
  { textsMax, charactersMax }: { textsMax: number; charactersMax: number },
): string[][] {
  const batches: string[][] = [];
  let characters = Infinity;
  for (const text of texts) {
    const last = batches.at(-1);
    if (last && last.length < textsMax && characters + text.length <= charactersMax) {
      last.push(text);
      characters += text.length;
    } else {
      batches.push([text]);
      characters = text.length;
    }
  }
  return batches;
}
