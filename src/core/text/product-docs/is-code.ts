/** In UTF-16 units. The beginning tells. */
const READ_MAX = 20_000;
/** Above this share of its characters that are signs of code a text is no prose. */
const CODE_SHARE_MAX = 0.04;

/** Whether a text is source code or data rather than prose or a list, by its signs. */
export function isCode(text: string): boolean {
  const signs = text.slice(0, READ_MAX).match(/[{};=<>]/gu)?.length ?? 0;
  return signs > CODE_SHARE_MAX * Math.min(text.length, READ_MAX);
}
