const REDACTED = '[redacted]';
/** A printable ASCII character as JSON may write it; within a text of a text there are more backslashes. */
const ESCAPED = /\\+u00([2-6][0-9a-f]|7[0-9a-e])/gi;

/** A text in which an upstream's key does not stand, however it is escaped. */
export function withoutKey(text: string, apiKey: string | null): string {
  const rest = formsOf(apiKey).reduce((left, form) => left.replaceAll(form, REDACTED), text);
  return holdsKey(rest, apiKey) ? REDACTED : rest;
}

/** Whether an upstream repeats our key: what it says then never leaves. */
export function holdsKey(text: string, apiKey: string | null): boolean {
  const plain = unescaped(text);
  return formsOf(apiKey).some((form) => plain.includes(unescaped(form)));
}

function formsOf(apiKey: string | null): string[] {
  return apiKey === null ? [] : [apiKey, encodeURIComponent(apiKey)];
}

/** Servers differ in what they escape, `+` and `/` among it. */
function unescaped(text: string): string {
  return text
    .replace(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\\', '');
}
