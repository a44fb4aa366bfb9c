import type { AnswerTask } from '../../../core/models/generation/answer-task';
import { detectedLanguage } from '../../../core/text/language/detect-language';
import type { TextThreads } from '../../../core/text/threads/text-threads';
import { textCounts, textReadability } from '../text-measures';
import type { Result } from './processing.task';

type RuleType = 'language' | 'readability' | 'statistics' | 'outline' | 'tables' | 'key_values';

/** What rules find exactly, or as well as anybody: no model is asked. */
export function ruleTask(
  text: string,
  type: RuleType,
  levelMax: number,
  threads: TextThreads,
): AnswerTask<Result> {
  const answer = (signal: AbortSignal) => resultOf(text, type, levelMax, threads, signal);
  return { question: null, embedded: { method: 'rules', answer }, reads: [text] };
}

async function resultOf(
  text: string,
  type: RuleType,
  levelMax: number,
  threads: TextThreads,
  signal: AbortSignal,
): Promise<Result> {
  switch (type) {
    case 'language': {
      const { language, candidates } = detectedLanguage(text);
      return { type, language, candidates: [...candidates] };
    }
    case 'readability':
      return {
        type,
        readability: textReadability(await threads.run('analyzeStatistics', text, [text], signal)),
      };
    case 'statistics':
      return { type, statistics: textCounts(await threads.run('analyzeStatistics', text, [text], signal)) };
    case 'outline': {
      const headings = await threads.run('outlineText', text, [text], signal);
      return { type, headings: headings.filter(({ level }) => level <= levelMax) };
    }
    case 'tables':
      return { type, tables: await threads.run('findTables', text, [text], signal) };
    case 'key_values':
      return { type, key_values: await threads.run('findKeyValues', text, [text], signal) };
  }
}
