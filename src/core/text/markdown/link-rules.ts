import type { PlacedFault } from './lint-finding';
import { isMarked, type MarkdownPage } from './markdown-page';

// Every pattern stops at the sign it begins with, so that a page of nothing but such signs takes linear time.
const LINK = /(!?)\[([^[\]]{0,1000})\]\(([^()\s]{0,2000})/gu;
const ANCHOR_LINK = /(?:\]\(|\bhref=["'])#([^()\s"'#]{0,300})/gu;
const OWN_ANCHOR = /<[a-z][a-z0-9]{0,9}\s[^<>]{0,300}?\b(?:id|name)=["']([^"'<>]{1,200})["']/giu;
const IMAGE = /<img\b([^<>]{0,2000})>/giu;
const BARE_URL = /(?<![\p{L}\p{N}("'<[=/.])https?:\/\/[^\s<>()[\]"'|]{1,2000}/giu;
const DEFINITION = /^ {0,3}\[[^[\]]{1,200}\]:\s/u;

/** Faults of a page's links and images. */
export function linkFaults(page: MarkdownPage): PlacedFault[] {
  return [...emptyLinks(page), ...imagesWithoutWords(page), ...brokenAnchors(page), ...bareUrls(page)];
}

function emptyLinks({ plain, text }: MarkdownPage): PlacedFault[] {
  return [...plain.matchAll(LINK)].flatMap(
    ({ 0: link, 1: mark, 2: words = '', 3: target, index }): PlacedFault[] => {
      const end = index + link.length;
      if (mark === '!') {
        // The words may be code, which `plain` has blanked.
        const isNamed = text.slice(index + 2, index + 2 + words.length).trim() !== '';
        const message = 'The image has no words for those who do not see it.';
        return isNamed ? [] : [{ rule: 'missing_alt_text', start: index, end, message }];
      }
      return target === '' && plain[end] === ')'
        ? [{ rule: 'empty_link', start: index, end: end + 1, message: 'The link leads nowhere.' }]
        : [];
    },
  );
}

function imagesWithoutWords({ plain }: MarkdownPage): PlacedFault[] {
  return [...plain.matchAll(IMAGE)]
    .filter(([, attributes = '']) => !/\balt\s*=/iu.test(attributes))
    .map(({ 0: image, index }) => ({
      ...{ rule: 'missing_alt_text' as const, start: index, end: index + image.length },
      message: 'The image has no "alt"; where it only decorates, it is empty.',
    }));
}

function brokenAnchors({ plain, headings, text }: MarkdownPage): PlacedFault[] {
  const known = new Set(['', 'top']);
  for (const heading of headings.filter((each) => isMarked(each, text))) {
    known.add(heading.anchor);
  }
  for (const [, anchor = ''] of plain.matchAll(OWN_ANCHOR)) {
    known.add(anchor.toLowerCase());
  }
  return [...plain.matchAll(ANCHOR_LINK)].flatMap(({ 0: link, 1: anchor = '', index }) => {
    const start = index + link.length - anchor.length - 1;
    return known.has(decoded(anchor).toLowerCase())
      ? []
      : [
          {
            ...{ rule: 'broken_anchor' as const, start, end: index + link.length },
            message: `No heading of this page has the anchor "#${anchor.slice(0, 80)}".`,
          },
        ];
  });
}

function bareUrls({ plain, lines }: MarkdownPage): PlacedFault[] {
  return lines
    .filter(({ kind, text }) => (kind === 'text' || kind === 'table') && !DEFINITION.test(text))
    .flatMap(({ start, end }) =>
      [...plain.slice(start, end).matchAll(BARE_URL)].map(({ 0: url, index }) => {
        const bare = url.replace(/[.,;:!?*_]{1,20}$/u, '');
        const message = 'A link with words tells where it leads; else put the address between < and >.';
        return { rule: 'bare_url' as const, start: start + index, end: start + index + bare.length, message };
      }),
    );
}

function decoded(anchor: string): string {
  try {
    return decodeURIComponent(anchor);
  } catch {
    return anchor;
  }
}
