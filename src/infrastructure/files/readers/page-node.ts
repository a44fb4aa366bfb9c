import type { load } from 'cheerio/slim';

/** A node of a page that was parsed. */
export type PageNode = Exclude<Parameters<typeof load>[0], string | Buffer | unknown[]>;
