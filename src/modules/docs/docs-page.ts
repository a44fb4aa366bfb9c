import type { WrittenPage } from '../../core/text/product-docs/written-page';

export type DocsKind = 'readme' | 'api' | 'guide' | 'changelog';

/** A page of documentation as it is answered. */
export interface DocsPage {
  kind: DocsKind;
  state: 'complete' | 'skeleton';
  title: string;
  sections: { title: string; level: number; text: string }[];
  text: string;
  to_fill_in: string[];
  omitted: string[];
}

export function docsPage(
  kind: DocsKind,
  { title, sections, text, toFillIn, omitted }: WrittenPage,
): DocsPage {
  const state = toFillIn.length === 0 ? 'complete' : 'skeleton';
  return { kind, state, title, sections, text, to_fill_in: toFillIn, omitted };
}
