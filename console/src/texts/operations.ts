/** By id, in the words of the published document: vite.config.mts puts them here. */
declare const OPERATION_TITLES: Readonly<Record<string, string>>;

/** What an operation does; its id where the document no longer has it. */
export function operationTitle(id: string): string {
  return OPERATION_TITLES[id] ?? id;
}
