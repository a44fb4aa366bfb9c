interface Run {
  readonly text: string;
  readonly isItalic: boolean;
}

/** A text with italics, put together piece by piece. */
export class StyledText {
  private readonly runs: Run[] = [];

  add(text: string): this {
    this.runs.push({ text, isItalic: false });
    return this;
  }

  italic(text: string): this {
    this.runs.push({ text, isItalic: true });
    return this;
  }

  /** A title in quotation marks, with the full stop that ends its sentence inside. */
  quoted(title: string, stop = '.'): this {
    return this.add(quotedTitle(title, stop));
  }

  /** Begins another sentence, where there is one already. */
  next(): this {
    return this.text === '' ? this : this.add(' ');
  }

  /** Ends a sentence, unless it has its mark already. */
  end(): this {
    return /[.?!][”’]?$/u.test(this.text) ? this : this.add('.');
  }

  get text(): string {
    return this.runs.map(({ text }) => text).join('');
  }

  get html(): string {
    return this.runs
      .map(({ text, isItalic }) => (isItalic ? `<i>${escapeHtml(text)}</i>` : escapeHtml(text)))
      .join('');
  }
}

/** A title in double quotation marks; those that it has become single ones. `stop` is left out after another mark. */
export function quotedTitle(title: string, stop: string): string {
  const inner = title
    .replace(/(^|[\s([–—-])"(?=\S)/gu, '$1‘')
    .replace(/“/gu, '‘')
    .replace(/["”]/gu, '’');
  return `“${inner}${/[.?!]’?$/u.test(inner) ? '' : stop}”`;
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/** `2` becomes `2nd ed.`, `Revised` becomes `Revised ed.`; what says so already stays. */
export function editionLabel(edition: string): string {
  if (/\bed(?:\.|ition\b)/iu.test(edition)) {
    return edition.replace(/\s+edition\b/iu, ' ed.');
  }
  return `${/^\d{1,4}$/.test(edition) ? ordinal(Number(edition)) : edition} ed.`;
}

function ordinal(number: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' };
  return `${number}${ending[new Intl.PluralRules('en', { type: 'ordinal' }).select(number)]}`;
}
