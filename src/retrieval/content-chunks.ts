import { Injectable } from '@nestjs/common';
import { newId } from '../runtime/ids';
import { TextThreads } from '../text/text-threads';
import { textJobs } from '../text/text.jobs';

/** Not stored yet. Offsets are UTF-16 units of the content. */
export interface ContentChunk {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly heading: string | null;
  /** Of the text and of its heading. */
  readonly words: string;
  readonly headingWords: string;
}

@Injectable()
export class ContentChunks {
  constructor(private readonly threads: TextThreads) {}

  /** In order, beside the event loop. Throws what TextThreads.run throws. */
  async of(
    content: string,
    signal: AbortSignal,
  ): Promise<{ chunks: ContentChunk[]; language: string | null }> {
    const cut = await this.threads.run(textJobs.cutText, content, [content], signal);
    const words = cut.words.split('\n');
    const headingWords = cut.headingWords.split('\n');
    const chunks = Array.from(cut.starts, (start, index) => {
      const end = cut.ends[index] ?? start;
      const place = cut.headingOf[index] ?? -1;
      return {
        id: newId(),
        start,
        end,
        text: content.slice(start, end),
        heading: cut.headings[place] ?? null,
        words: words[index] ?? '',
        headingWords: headingWords[place] ?? '',
      };
    });
    return { chunks, language: cut.language };
  }
}
