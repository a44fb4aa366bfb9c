import type { TokenCounter } from '../../text/tokens/token-counter';
import type { MediaByModel } from '../said-by-model';

/** In UTF-16 units: the tokens of a longer text are not counted, and the whole reservation is charged. */
const TEXT_LENGTH_MAX = 4 * 1024 * 1024;
/** An upstream that sends more choices than this, and than were asked for, must not fill the memory. */
const CHOICES_MAX = 1024;
/** After so many pieces they are joined to one string. */
const PIECES_JOINED_AT = 512;
/**
 * The characters of base64 for each token of a sound. Source: OpenAI's guide "Audio": a second of output is 20 tokens, and
 * streams are of 24,000 samples of two bytes each a second.
 */
const SOUND_LENGTH_PER_TOKEN = 3_200;
/** Source: Google's guide "Image generation", gemini-2.5-flash-image; OpenAI's models take 1,056 in medium quality. */
const IMAGE_TOKENS = 1_290;

/**
 * What a model has produced so far, its text by choice. It is counted where the upstream does not report its tokens.
 */
export class ProducedText {
  private readonly choices = new Map<number, JoinedPieces>();
  private length = 0;
  private soundLength = 0;
  private images = 0;

  /**
   * @param choicesAsked how many choices the request asks for; with more than these and than 1,024 nothing is counted
   */
  constructor(private readonly choicesAsked = 1) {}

  /** Adds a piece of the text of a choice. */
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

  /** Adds sounds and images of whichever choice. */
  addMedia({ soundLength, images }: MediaByModel): void {
    this.soundLength += soundLength;
    this.images += images;
  }

  /**
   * The o200k tokens of all choices, and those of their sounds and images. Infinity for more than 4 Mi characters or too many choices: the caller bounds it
   * by what was reserved. Never throws.
   */
  async tokens(counter: TokenCounter): Promise<number> {
    if (this.isTooMuch) {
      return Infinity;
    }
    const texts = [...this.choices.values()].map((joined) => joined.text());
    const mediaTokens = Math.ceil(this.soundLength / SOUND_LENGTH_PER_TOKEN) + this.images * IMAGE_TOKENS;
    return (await counter.patient().countAll(texts)) + mediaTokens;
  }

  private get isTooMuch(): boolean {
    return this.length > TEXT_LENGTH_MAX;
  }
}

/**
 * Keeps pieces of a text and joins them in blocks: many small strings take many times the memory of their text, and to
 * append every piece to one string would copy all of it each time.
 */
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
