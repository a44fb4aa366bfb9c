import { Injectable } from '@nestjs/common';
import type { OmmParameters, OmmResult, OmmTask } from '../../../generated/types';
import { Unprocessable } from '../../core/errors/request-errors';
import { ModelNotConfigured } from '../../core/models/model-errors';
import type { ReadInput } from '../../core/models/multimodal/input';
import { TextThreads } from '../../core/text/threads/text-threads';
import { blankResult } from './blank-result';
import { shownEntities } from './shown-entities';

export const SENTENCES_DEFAULT = 5;
export const KEYWORDS_DEFAULT = 10;

/** The tasks that rules can do with a text, and by which method. */
export const RULE_METHODS: Partial<Record<OmmTask, string>> = {
  summarize: 'text-rank',
  extract: 'entities',
  keywords: 'rake',
  ocr: 'file-text',
};

/** No model is asked to read a document whose pages are pictures; it is asked to read pictures. */
export const SCANNED_PAGES =
  'Pages of a scan are read as pictures: send each as an input of type image to POST /api/omm/process with the task ocr.';

/** Does the tasks that need no model, with the texts of inputs. */
@Injectable()
export class ProcessingRules {
  constructor(private readonly threads: TextThreads) {}

  /** @throws ModelNotConfigured for a picture, Unprocessable for a document without text, such as a scanned one */
  async result(
    input: ReadInput,
    task: OmmTask,
    { sentences, count }: OmmParameters,
    signal: AbortSignal,
  ): Promise<OmmResult> {
    const blank = blankResult(input);
    const { file, name } = input;
    if (file === null) {
      throw new ModelNotConfigured();
    }
    const { text } = file;
    requireText(text, name, task === 'ocr' ? SCANNED_PAGES : '');
    switch (task) {
      case 'summarize': {
        const order = { text, sentencesMax: sentences ?? SENTENCES_DEFAULT };
        const found = await this.threads.run('summarizeText', order, [text], signal);
        const quotes = found.sentences.map(({ text: quote, start, end }) => ({ text: quote, start, end }));
        return { ...blank, summary: { text: found.text, sentences: quotes } };
      }
      case 'extract':
        return {
          ...blank,
          entities: shownEntities(await this.threads.run('findEntities', text, [text], signal)),
        };
      case 'keywords': {
        const order = { text, countMax: count ?? KEYWORDS_DEFAULT };
        return { ...blank, keywords: await this.threads.run('findKeywords', order, [text], signal) };
      }
      case 'ocr':
        return { ...blank, text };
      default:
        throw new ModelNotConfigured();
    }
  }
}

/**
 * @param hint what could be done, as a sentence
 * @throws Unprocessable for a text that says nothing
 */
export function requireText(text: string, name: string, hint = ''): void {
  if (!/[\p{L}\p{N}]/u.test(text)) {
    throw new Unprocessable(`${name}: there is no text in it that could be read. ${hint}`.trimEnd());
  }
}
