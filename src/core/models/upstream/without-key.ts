/** A text in which an upstream's key does not stand, neither as it is nor as JSON writes it. */
export function withoutKey(text: string, apiKey: string | null): string {
  return formsOf(apiKey).reduce((rest, form) => rest.replaceAll(form, '[redacted]'), text);
}

/** Whether an upstream repeats our key: what it says then never leaves. */
export function holdsKey(text: string, apiKey: string | null): boolean {
  return formsOf(apiKey).some((form) => text.includes(form));
}

function formsOf(apiKey: string | null): string[] {
  if (apiKey === null) {
    return [];
  }
  const quoted = JSON.stringify(apiKey).slice(1, -1);
  return [apiKey, quoted, quoted.replaceAll('/', '\\/')];
}
