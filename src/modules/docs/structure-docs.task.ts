import type { AnswerTask } from '../../core/models/generation/answer-task';
import type { OutlineNode } from '../../core/text/markdown/page-structure';
import type { NumberingGap } from '../../core/text/markdown/numbering-gaps';
import type { TextThreads } from '../../core/text/threads/text-threads';

export interface Structure {
  outline: OutlineNode[];
  table_of_contents: string;
  anchors: { title: string; level: number; anchor: string }[];
  numbering_gaps: NumberingGap[];
  more: number;
}

/** A rule finds headings, so no model is asked. */
export function structureTask(text: string, depthMax: number, threads: TextThreads): AnswerTask<Structure> {
  return {
    question: null,
    embedded: {
      method: 'outline',
      answer: async (signal) => {
        const found = await threads.run('structurePage', { text, depthMax }, [text], signal);
        return {
          outline: found.outline,
          table_of_contents: found.tableOfContents,
          anchors: found.headings.map(({ title, level, anchor }) => ({ title, level, anchor })),
          numbering_gaps: found.gaps,
          more: found.more,
        };
      },
    },
    reads: [text],
  };
}
