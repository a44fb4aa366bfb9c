/** What is printed, and whether the changes may not be released. */
export interface Verdict {
  text: string;
  isRefused: boolean;
}

/**
 * Says whether changes may be released: those that break need a higher major version of the API.
 * @param versions the API's version in the old and in the new document, such as 1.0
 */
export function judgeChanges(
  changes: readonly string[],
  { tag, versions: [old, now] }: { tag: string; versions: readonly [string, string] },
): Verdict {
  if (changes.length === 0) {
    return { text: `Nothing that ${tag} promised is broken.\n`, isRefused: false };
  }
  const isRefused = majorOf(now) <= majorOf(old);
  const verdict = isRefused
    ? `Clients of ${tag} would break, and the API's version is still ${now}. See docs/versioning.md.`
    : `Clients of ${tag} break, as the API's version ${now} after ${old} says.`;
  const list = changes.map((change) => `  ${change}\n`).join('');
  return { text: `${list}${changes.length} breaking changes since ${tag}. ${verdict}\n`, isRefused };
}

function majorOf(version: string): number {
  const major = Number.parseInt(version, 10);
  if (Number.isNaN(major)) {
    throw new Error(`${version} is no version of the API`);
  }
  return major;
}
