import type { PieceReader } from '../../../models/generation/text-order';
import { NOT_IN_SOURCES } from './rag-prompt';

/** What a caller is told where the documents do not answer the question. */
export const NOT_FOUND = 'The documents do not answer this question.';

/** What a model may put around the mark, in vain. */
const AROUND = /^[\s"'“”„«»*_`[(<]*/u;
const AROUND_LENGTH_MAX = 20;

/**
 * Reads a model's answer: where it begins with the mark that the sources hold no answer, all of it is replaced by the
 * sentence that says so. Until that is known, nothing is sent on.
 */
export class AnswerReader implements PieceReader {
  isFound = true;
  private held: string | null = '';

  push(piece: string): string {
    if (this.held === null) {
      return this.isFound ? piece : '';
    }
    this.held += piece;
    const begun = this.held.replace(AROUND, '');
    const mayBeMark =
      begun.length < NOT_IN_SOURCES.length
        ? NOT_IN_SOURCES.startsWith(begun) && this.held.length - begun.length <= AROUND_LENGTH_MAX
        : begun.startsWith(NOT_IN_SOURCES);
    if (!mayBeMark) {
      return this.release();
    }
    if (begun.startsWith(NOT_IN_SOURCES)) {
      this.isFound = false;
      this.held = null;
      return NOT_FOUND;
    }
    return '';
  }

  end(): string {
    return this.held === null ? '' : this.release();
  }

  private release(): string {
    const held = this.held ?? '';
    this.held = null;
    return held;
  }
}
