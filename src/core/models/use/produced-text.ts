import type { TokenCounter } from '../../text/tokens/token-counter';

/** Beyond this much text of one stream its tokens are not counted; see `tokens`. In UTF-16 units. */
const TEXT_LENGTH_MAX = 4 * 1024 * 1024;
/** A client's stream has few choices; an upstream that invents many must not fill the memory. */
const CHOICES_MAX = 1024;
const PIECES_JOINED_AT = 512;

/** The text that a stream has produced so far, by choice, for the case that its upstream does not say how much it was. */
export class ProducedText {
  private readonly choices = new Map<number, JoinedPieces>();
  private length = 0;

  /** @param choicesAsked how many the request asks for; more than these and 1,024 are without end */
  constructor(private readonly choicesAsked = 1) {}

  add(choice: number, text: string): void {
    this.length += text.length;
    if (this.isTooMuch) {
      this.choices.clear();
      return;
    }
    let joined = this.choices.get(choice);
    if (!joined) {
      joined = new JoinedPieces();
      this.choices.set(choice, joined);
      this.length += this.choices.size > Math.max(CHOICES_MAX, this.choicesAsked) ? TEXT_LENGTH_MAX : 0;
    }
    joined.add(text);
  }

  /** The o200k tokens of it all; Infinity beyond 4 Mi characters, which the reservation bounds. Never throws. */
  async tokens(counter: TokenCounter): Promise<number> {
    if (this.isTooMuch) {
      return Infinity;
    }
    const texts = [...this.choices.values()].map((joined) => joined.text());
    return counter.patient().countAll(texts);
  }

  private get isTooMuch(): boolean {
    return this.length > TEXT_LENGTH_MAX;
  }
}

/** Many small pieces cost many times their text, and joining them one by one would copy all of it each time. */
class JoinedPieces {
  private readonly blocks: string[] = [];
  private pieces: string[] = [];

  add(piece: string): void {
    this.pieces.push(piece);
    if (this.pieces.length === PIECES_JOINED_AT) {
      this.blocks.push(this.pieces.join(''));
      this.pieces = [];
    }
  }

  text(): string {
    return this.blocks.join('') + this.pieces.join('');
  }
}
