import type { PieceReader } from '../../models/generation/text-order';
import { titleIn } from './story-title';

/** A first line that is longer than this is no title, and is sent on as it comes. */
const FIRST_LINE_LENGTH_MAX = 240;

/**
 * Parts the title, which a model was asked to write into the first line, from the story behind it. An answer of a single
 * line is all story.
 */
export class StoryReader implements PieceReader {
  /** What the first line says; null where it is no title, or not there yet. */
  title: string | null = null;
  private held = '';
  private state: 'in the first line' | 'before the story' | 'in the story' = 'in the first line';

  push(piece: string): string {
    // Postgres stores no NUL.
    const text = piece.replaceAll('\0', '');
    if (this.state === 'in the story') {
      return text;
    }
    this.held = `${this.held}${text}`.trimStart();
    if (this.state === 'in the first line') {
      this.readFirstLine();
    }
    return this.state === 'in the first line' || this.held === '' ? '' : this.begin();
  }

  end(): string {
    return this.state === 'in the story' ? '' : this.begin();
  }

  private readFirstLine(): void {
    const end = this.held.search(/[\r\n]/);
    if (end === -1 && this.held.length <= FIRST_LINE_LENGTH_MAX) {
      return;
    }
    this.title = end === -1 ? null : titleIn(this.held.slice(0, end));
    this.held = this.title === null ? this.held : this.held.slice(end).trimStart();
    this.state = 'before the story';
  }

  private begin(): string {
    const { held } = this;
    this.held = '';
    this.state = 'in the story';
    return held;
  }
}
