const REDACTED = '[redacted]';
/** A printable ASCII character as JSON may escape it. JSON within a text of JSON has more backslashes. */
const ESCAPED = /\\+u00([2-6][0-9a-f]|7[0-9a-e])/gi;

/** The text with an upstream's key redacted; only the redaction where the key stands in it in an escaped form. */
export function withoutKey(text: string, apiKey: string | null): string {
  const rest = formsOf(apiKey).reduce((left, form) => left.replaceAll(form, REDACTED), text);
  return holdsKey(rest, apiKey) ? REDACTED : rest;
}

/** Whether a text of an upstream repeats its key, in whatever escaped form. No client may get such a text. */
export function holdsKey(text: string, apiKey: string | null): boolean {
  const plain = unescaped(text);
  return formsOf(apiKey).some((form) => plain.includes(unescaped(form)));
}

function formsOf(apiKey: string | null): string[] {
  return apiKey === null ? [] : [apiKey, encodeURIComponent(apiKey)];
}

/** Undoes JSON's escapes and drops all backslashes: servers differ in what they escape, such as `+` and `/`. */
function unescaped(text: string): string {
  return text
    .replace(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\\', '');
}
